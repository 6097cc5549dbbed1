#!/usr/bin/env python3
"""Checks a plain table of version 5: `python3 check.py TABLE`, with Python 3.11 and no packages.

All of it follows from tables/FORMAT.md, whose sections are named as §4; README.md says why a table that passes is right.
Prints a line for each kind of check. Exits with 0 if all is right, 1 after the first faults, 2 for wrong usage.
`python3 check.py --open` reads names of files, and prints for each the error with which a reader refuses it (§8), or `opened` and the same
for its census."""
import collections, functools, itertools, math, multiprocessing, re, struct, sys, types
# A score orders the values for the side to move: a loss in d is d - BIG, a win in d is BIG - d, and NONE is less than all others.
# A draw by cycle is less than one that ends, so that the least score after a move also decides between the two kinds (§4).
# RESULTS are a win, a draw and a loss in 0 plies, as choices number them.
BIG, NONE, CYCLE, ENDS, RESULTS, CELLS = 1 << 20, -1 << 30, 0, 1, (1 << 20, 1, -1 << 20), (1 << 36) - 1

class Refused(ValueError): pass

def need(condition, message, word="header"):
    if not condition: raise Refused(word, message)

def number(data, at=0, size=8): return int.from_bytes(data[at:at + size], "little")
def bits(cells): return [c for c in range(cells.bit_length()) if cells >> c & 1]
# The subsets of a size, ascending, so that each is at its rank (§3).
def subsets(cells, size): return sorted(map(sum, itertools.combinations([1 << c for c in bits(cells)], size)))
# The cells of a push's path from `start` on, and a side's cells after the push: all pieces on the path move one cell towards `start`.
def way(start, path): return bits(path) if path >> start + 1 else bits(path)[::-1]
def pushed(cells, start, path):
    return cells & ~path | sum(1 << a for a, b in zip(way(start, path), way(start, path)[1:]) if cells >> b & 1)

# ---- XXH3, 64 bits, seed 0, from its public specification; nothing here has fewer than 8 bytes ----------------------------------
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")
KEYS, M32, M64, P1, MX2 = struct.unpack("<24Q", SECRET), (1 << 32) - 1, (1 << 64) - 1, 0x9E3779B185EBCA87, 0x9FB21C651E98DF25
START = 0xC2B2AE3D, P1, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x85EBCA77, 0x27D4EB2F165667C5, 0x9E3779B1

def avalanche(x): return (x := ((x & M64) ^ (x & M64) >> 37) * 0x165667919E3779F9 & M64) ^ x >> 32

def xxh3(data):
    size, sums, last = len(data), list(START), (len(data) - 1) // 1024 * 1024
    fold = lambda a, b: (a * b & M64) ^ a * b >> 64
    mix = lambda at, key: fold(number(data, at) ^ number(SECRET, key), number(data, at + 8) ^ number(SECRET, key + 8))
    if size == 8:
        x = (number(data) << 32 & M64 | number(data) >> 32) ^ KEYS[1] ^ KEYS[2]
        x = (x ^ (x << 49 | x >> 15) ^ (x << 24 | x >> 40)) * MX2 & M64
        return (x := (x ^ (x >> 35) + size) * MX2 & M64) ^ x >> 28
    if size <= 16:
        low, high = KEYS[3] ^ KEYS[4] ^ number(data), KEYS[5] ^ KEYS[6] ^ number(data, size - 8)
        return avalanche(size + number(low.to_bytes(8, "big")) + high + fold(low, high))
    if size <= 128:
        return avalanche(size * P1 + sum(mix(16 * i, 32 * i) + mix(size - 16 * i - 16, 32 * i + 16) for i in range((size + 31) // 32)))
    if size <= 240:
        first = avalanche(size * P1 + sum(mix(16 * i, 16 * i) for i in range(8)))
        return avalanche(first + sum(mix(16 * i, 16 * i - 125) for i in range(8, size // 16)) + mix(size - 16, 119))
    def accumulate(stripes, keys):
        for i in range(8):
            sums[i ^ 1] += sum(stripes[i::8])
            sums[i] += sum([((x := d ^ k) & M32) * (x >> 32) for d, k in zip(stripes[i::8], keys[i:])])
    for at in range(0, last, 1024):
        accumulate(struct.unpack_from("<128Q", data, at), KEYS)
        sums[:] = [((s & M64) ^ (s & M64) >> 47 ^ k) * START[7] & M64 for s, k in zip(sums, KEYS[16:])]
    accumulate(struct.unpack_from(f"<{(size - last - 1) // 64 * 8}Q", data, last), KEYS)
    accumulate(struct.unpack("<8Q", data[-64:]), struct.unpack_from("<8Q", SECRET, 121))
    ends = [(s & M64) ^ k for s, k in zip(sums, struct.unpack_from("<8Q", SECRET, 11))]
    return avalanche(size * P1 + sum(map(fold, ends[::2], ends[1::2])))

# ---- The header (§2) ------------------------------------------------------------------------------------------------------------
def fields(data, kind):
    """Reads all of `data`: 8 is an integer of 8 bytes, `str` a text, `bool` a bool, `range` a choice, [a] a list, {a} an option,
    {0: a, 1: b} a choice with fields, (a, b) both."""
    at = 0
    def read(kind):
        nonlocal at
        if isinstance(kind, list): return [read(kind[0]) for _ in range(read(8))]
        if isinstance(kind, set): return read(*kind) if read(bool) else None
        if isinstance(kind, dict): return (case := read(range(len(kind))), *read(kind[case]))
        if isinstance(kind, tuple): return tuple(map(read, kind))
        size = read(8) if kind is str else 1 if kind is bool else 4 if isinstance(kind, range) else kind
        at += size
        need(at <= len(data), "fields end after their section")
        if kind is str: return data[at - size:at].decode("utf-8")
        value = number(data, at - size, size)
        need(value < 2 if kind is bool else not isinstance(kind, range) or value in kind, f"{value} is not a choice or a bool")
        return value
    values = read(kind)
    need(at == len(data), "fields end before their section")
    return values

class Table:
    """A game, and its entries as scores in one list: `values[layer.base + key]`, after the RESULTS."""
    def __init__(self, data):  # opens the table: refuses what a reader must refuse (§8)
        length, self.data = number(data, 12, 4), data
        self.header_end, body = 24 + length, -(-(24 + length) // 64) * 64
        need(data[:8] == b"\x89MORPION", "another magic", "magic")
        need(len(data) >= 16, "less than 16 bytes", "length")
        need(number(data, 8, 4) == 5, "not version 5", "version")
        need(length <= 1 << 22, "a long header")
        need(len(data) >= body, "cut in the header", "length")
        need(xxh3(data[:self.header_end - 8]) == number(data, self.header_end - 8), "wrong sum of the header", "checksum")
        need(not any(data[self.header_end:body]), "padding after the header")
        step = ({1}, 8, (8, 8, 8, 8), {0: (), 1: (8,), 2: (range(3),), 3: ()})
        (self.name, self.title, _, (board, *size), names, places, self.start, lines, extensions, phases, layers, self.line, self.blocked, _,
         self.full, self.takes, self.own, self.encoding, _, self.symmetries, rows) = fields(data[16:self.header_end - 8], (
            str, str, str, {0: (1, 1), 1: (1,), 2: (1, 1, 16)}, [str], [(2, 2)], (8, 8, range(2)), [8], [8], [[step]],
            [((1, 1, 1, 1), 1, {range(2)}, bool)], range(3), range(4), range(1, 3), {range(3)}, {range(6)}, bool, range(4), range(3), [[1]], [4]))
        height, width = size[:2] if board != 1 else (1, *size)
        squares = bits(size[2]) if board == 2 else [*range(height * width)]
        self.count, self.plies = len(squares), int(self.encoding < 2)
        self.layers = [types.SimpleNamespace(**dict(zip("pieces phase turn ended".split(), l))) for l in layers]
        self.extended, self.by_pieces = list(zip(lines, extensions or [0] * len(lines))), {layer.pieces: layer for layer in self.layers}
        self.check_shown(board, height * width, width, squares, names, places)
        self.names = names or [f"{s}" if board == 1 else f"{chr(97 + s % width)}{s // width + 1}" for s in squares]
        self.check_moves(phases, lines, extensions)
        self.lay_out(rows, body)
        x, o, side = self.start
        layer = self.layer_of((x, o)[side], (x, o)[1 - side])
        need(layer.turn in (None, side), "a start of the other side")
        self.check_length()

    def check_shown(self, board, area, width, squares, names, places):
        need(re.fullmatch("[A-Za-z0-9_-]{1,64}", self.name), "a name")
        need(len(self.title.encode()) <= 1024 and not re.search("[\0-\x1f\x7f-\x9f]", self.title), "a title")
        need(1 <= self.count <= 36, "a wrong board")
        need(board == 1 or width <= 26 or names, "more columns than letters")
        need(board != 2 or area <= 128 and squares[-1] < area and self.count < area, "wrong holes")
        for each in names, places:
            need(not each or len(each) == len(set(each)) == self.count, "names or places of other cells, or equal ones")
        need(all(re.fullmatch("[a-z0-9]{1,6}", name) and name != "pass" for name in names), "a name of a cell")
        need(not places or (min(x for x, _ in places), min(y for _, y in places)) == (0, 0), "places not from 0 on")

    def check_moves(self, phases, lines, extensions):
        """Sets `phases` to a list of steps (from, to, condition, path, oldest) for each; a path is `None` for a pass."""
        board, self.phases = (1 << self.count) - 1, []
        need(len(lines) <= 4096 and all(0 < line <= board for line in lines), "a wrong line")
        need(not extensions or len(extensions) == len(lines) and any(extensions) and max(extensions) <= board, "wrong extensions")
        need(len(phases) <= 256 and max(map(len, phases), default=0) <= 1024, "too many moves")
        for phase in phases:
            places, effects, steps = [], set(), []
            for start, to, condition, (effect, *more) in phase:
                path, oldest = more[0] if effect == 1 else 0, more[0] if effect == 2 else None
                need(start is None or start < self.count, "a step from no cell")
                need(max(to, path, *condition) <= board, "a step off the board")
                need((to == 0) == (effect == 3) and not (effect == 3 and start is not None), "a step without target, or a pass with one")
                need(not any(condition) or effect == 0 and start is not None, "a condition")
                need(effect != 1 or start is not None and path and sorted([1 << start, to]) == [path & -path, 1 << bits(path)[-1]] and
                     path & path - 1, "a push not between its ends")
                need(effect != 2 or start is None, "a piece that moves while the oldest goes")
                places.append((effect == 3, -1 if start is None else start, to, condition))
                effects |= {(effect, oldest)} - {(3, None)}
                steps.append((start, to, condition, None if effect == 3 else path, oldest))
            need(all(a < b for a, b in itertools.pairwise(places)), "steps out of order")
            need(len(effects) < 2, "steps of several effects")
            self.phases.append(steps)
        steps = [*itertools.chain(*self.phases)]
        self.ages = any(oldest is not None for _, _, _, _, oldest in steps)
        need(not (self.ages and any(start is not None for start, *_ in steps)), "pieces that age and move")
        need(self.takes is None or not any(path for _, _, _, path, _ in steps), "pushes that take")
        need(1 <= len(self.layers) <= 65535 and all(l.phase < len(phases) for l in self.layers), "a wrong layer")
        for m, w, mine, theirs in (l.pieces for l in self.layers):
            need(m + w <= self.count and (not self.ages or max(m, w) <= 8 and not mine and not theirs), "a layer with wrong pieces")
        need(len(self.by_pieces) == len(self.layers), "two layers with the same pieces")
        identity = [*range(self.count)]
        need(1 <= len(self.symmetries) <= 1024 and all(sorted(p) == identity for p in self.symmetries), "wrong symmetries")
        need(self.symmetries[0] == identity and all(a < b for a, b in itertools.pairwise(self.symmetries)), "symmetries out of order")
        self.symmetries = [bytes(p) for p in self.symmetries]
        self.hands = any(any(l.pieces[2:]) for l in self.layers)

    def lay_out(self, rows, end):
        sizes, shift, base = [*{l.pieces[0]: 0 for l in self.layers if not l.ended}], (len(self.symmetries) - 1).bit_length(), 3
        need(len(rows) == len(sizes), "rows of other maps")
        self.maps, parts = [types.SimpleNamespace(size=size, rows=n) for size, n in zip(sizes, rows)], []
        for map in self.maps:
            map.bytes = 4 * math.comb(self.count, map.size)
            need(map.bytes << shift < 1 << 34, "a map of too many sets")
        for layer in self.layers:
            m, w, _, _ = layer.pieces
            layer.orders, b = (math.factorial(m), math.factorial(w)) if self.ages else (1, 1)
            layer.rows = 0 if layer.ended else layer.orders * rows[sizes.index(m)]
            layer.columns = math.comb(self.count - m, w) * b
            layer.base, base = base, base + layer.rows * layer.columns
            layer.bytes = -(-layer.rows * layer.columns * (8, 16, 2, 2)[self.encoding] // 8)
        for part in [*self.maps, *reversed(self.layers)]:
            part.offset, end = end, -(-(end + part.bytes) // 64) * 64
        need(end < 1 << 53, "a file of more than 2^53 bytes")
        self.census = end

    def check_length(self):
        need(self.census + 8 <= len(self.data), "cut before the census", "length")
        need(number(self.data, self.census) <= 1 << 22, "a long census")
        self.sums = -(-(self.census + 8 + number(self.data, self.census)) // 8) * 8
        length = self.sums + 8 * -(-self.sums // (1 << 20)) + 8
        need(len(self.data) == length, f"a file of {len(self.data)} bytes, not {length}", "length")

    def layer_of(self, mover, waiter):
        """The layer of two words of a position (§8)."""
        mine, theirs = mover & CELLS, waiter & CELLS
        if not (self.ages or self.hands): mine, theirs = mover, waiter
        need(not (mine | theirs) >> self.count, "off the board", "off-the-board")
        need(not mine & theirs, "a cell of both sides", "overlap")
        hands = (0, 0) if self.ages else (mover >> 36, waiter >> 36)
        layer = self.by_pieces.get((mine.bit_count(), theirs.bit_count(), *hands))
        need(layer and (not self.ages or mover in self.words(mine) and waiter in self.words(theirs)), "words of no layer", "counts")
        need(not layer.ended or self.takes is not None or self.owned(theirs), "a layer that has ended", "counts")
        none = self.takes is None and not self.own and self.owned(mine)
        need(not none, "a line of the mover", "both-lines" if self.owned(theirs) else "mover-line")
        return layer

# ---- Layout, sums, symmetries and maps (§1, §2, §3): each check returns a summary and the faults --------------------------------
    def check_layout(self):
        data, self.values, faults, used = self.data, [*RESULTS], [], self.header_end
        named = [(f"map {m.size}", m) for m in self.maps] + [(f"layer {layer.pieces}", layer) for layer in reversed(self.layers)]
        for name, part in [*named, ("the census", types.SimpleNamespace(offset=self.census, bytes=0))]:
            faults += [f"padding before {name} is not zero"] * any(data[used:part.offset])
            used = part.offset + part.bytes
        faults += ["padding after the census is not zero"] * any(data[self.census + 8 + number(data, self.census):self.sums])
        order, after = {layer.pieces: i for i, layer in enumerate(self.layers)}, {}
        for i, layer in enumerate(self.layers):  # the layer after a move that adds and takes nothing
            (m, w, mine, theirs), steps = layer.pieces, self.phases[layer.phase]
            keeps = any(path is None or start is not None and m or oldest is not None for start, _, _, path, oldest in steps)
            after[i] = order.get((w, m, theirs, mine)) if not layer.ended and (keeps or self.blocked == 3 and not steps) else None
        cycles = any(i in (next, after.get(next)) for i, next in after.items())
        faults += [f"draws by cycle: {cycles}, encoding: {self.encoding}"] * (not self.plies and cycles != (self.encoding == 3))
        long = lambda i, first: i if i <= 16 else first + 2 * (i - 17)
        scores = [[CYCLE, *(BIG - long(i, 17) for i in range(126)), ENDS, *(long(i, 18) - BIG for i in range(127)), NONE],
                  [CYCLE, *(BIG - d for d in range(32766)), ENDS, *(d - BIG for d in range(32767)), NONE],
                  [ENDS, BIG, -BIG, NONE], [CYCLE, BIG, -BIG, NONE]][self.encoding]
        for layer in self.layers:
            codes, size = data[layer.offset:layer.offset + layer.bytes], layer.rows * layer.columns
            if self.encoding:
                codes = struct.unpack(f"<{size}H", codes) if self.plies else [byte >> i & 3 for byte in codes for i in (0, 2, 4, 6)]
            faults += [f"bits after the last entry of layer {layer.pieces} are not zero"] * any(codes[size:])
            self.values.extend(map(scores.__getitem__, codes[:size]))
        return f"{len(self.maps)} maps, {len(self.layers)} layers, {sum(l.ended for l in self.layers)} of them ended", faults

    def check_sums(self):
        data, end = self.data, self.sums
        parts = [*((at, min(at + (1 << 20), end)) for at in range(0, end, 1 << 20)), (end, len(data) - 8)]
        sums = [(begin, stop, number(data, end + 8 * i), xxh3(data[begin:stop])) for i, (begin, stop) in enumerate(parts)]
        return f"{len(parts)}, and that of the header", ["bytes %d to %d have the sum %x, not %x" % s for s in sums if s[2] != s[3]]

    def check_symmetries(self):
        all, group, pad, faults = self.symmetries, set(self.symmetries), bytes(256 - self.count), []
        move = lambda p, cells: sum(1 << p[c] for c in bits(cells))
        paths = lambda a, path: path and tuple(way(a, path))
        phases = [{(a, to, sets, paths(a, path), oldest) for a, to, sets, path, oldest in phase} for phase in self.phases]
        for i, p in enumerate(all):
            lines = collections.Counter((move(p, line), move(p, extension)) for line, extension in self.extended)
            images = [{(a if a is None else p[a], move(p, to), tuple(move(p, set) for set in sets), path and tuple(p[c] for c in path), o)
                       for a, to, sets, path, o in x} for x in phases]
            faults += [f"symmetry {i} does not keep the lines and their extensions"] * (lines != collections.Counter(self.extended))
            faults += [f"symmetry {i} does not keep the steps"] * (images != phases)
        faults += [f"{list(p)}, then {list(q)}, is not in the group" for p in all for q in all if p.translate(q + pad) not in group]
        return f"{len(all)} that keep lines, extensions and steps; {len(all) ** 2} products", faults

    def check_maps(self):
        """Sets `rows[size]` to the representatives, `orbits[size]` to the sizes of their orbits, `map[cells]` to row and symmetry."""
        faults, self.rows, self.orbits, self.map = [], {}, {}, {}
        inverses, shift = [[1 << p.index(c) for c in range(self.count)] for p in self.symmetries], (len(self.symmetries) - 1).bit_length()
        for part in self.maps:
            sets, rows, orbits = subsets((1 << self.count) - 1, part.size), [], []
            for cells, entry in zip(sets, struct.unpack_from(f"<{len(sets)}I", self.data, part.offset)):
                if cells not in self.map:  # the least of its orbit: find the first symmetry that leads to it from each set
                    images = [sum([inverse[c] for c in bits(cells)]) for inverse in inverses]
                    self.map.update({image: (len(rows), images.index(image)) for image in images})
                    rows.append(cells)
                    orbits.append(len(set(images)))
                found, right = divmod(entry, 1 << shift), self.map[cells]
                faults += [f"map {part.size}, cells {bits(cells)}: row and symmetry {found}, not {right}"] * (found != right)
            faults += [f"map {part.size} has {part.rows} rows, not {len(rows)}"] * (part.rows != len(rows))
            self.rows[part.size], self.orbits[part.size] = rows, orbits
        return f"{len(self.map)} sets in {sum(map(len, self.rows.values()))} orbits", faults

# ---- Words and places (§4). The order of pieces that age numbers the permutations of their cells as Python lists them. ----------
    @functools.cache
    def words(self, cells):  # all words with these cells
        return [cells | i << 36 | (cells > 0) << 52 for i in range(math.factorial(cells.bit_count()))] if self.ages else [cells]

    @functools.cache
    def pieces(self, word):  # the cells of its pieces, the oldest first if they age
        return list(itertools.permutations(bits(word & CELLS)))[word >> 36 & 0xFFFF] if self.ages else tuple(bits(word))

    def word(self, pieces):
        order = list(itertools.permutations(sorted(pieces))).index(tuple(pieces)) if self.ages else 0
        return self.words(sum([1 << c for c in pieces]))[order]

    @functools.cache
    def images(self, word): return [self.word([p[c] for c in self.pieces(word)]) for p in self.symmetries]

    @functools.cache
    def columns(self, cells):  # the words of a waiter beside a mover's cells: a list for each number of pieces; the column of each word
        others, sizes = (1 << self.count) - 1 & ~cells, {l.pieces[1] for l in self.layers if l.pieces[0] == cells.bit_count()}
        lists = {size: [word for waiter in subsets(others, size) for word in self.words(waiter)] for size in sizes}
        return lists, {word: column for words in lists.values() for column, word in enumerate(words)}

    @functools.cache
    def place(self, word):  # the row of a mover's word, the symmetry that leads there, and the columns of that row
        row, symmetry = self.map[word & CELLS]
        image = self.images(word)[symmetry]
        return row * len(self.words(image & CELLS)) + (image >> 36 & 0xFFFF), symmetry, self.columns(image & CELLS)[1]

    def position(self, index):  # the layer, the mover and the waiter of an entry, by its index in `values`
        layer = next(layer for layer in reversed(self.layers) if layer.rows and layer.base <= index)
        row, column = divmod(index - layer.base, layer.columns)
        cells = self.rows[layer.pieces[0]][row // layer.orders]
        return layer, self.words(cells)[row % layer.orders], self.columns(cells)[0][layer.pieces[1]][column]

    def text(self, index):  # the layer, and the cells of each side, the oldest piece first if pieces age
        layer, *sides = self.position(index)
        mover, waiter = (" ".join(self.names[c] for c in self.pieces(side)) or "nothing" for side in sides)
        return f"layer {layer.pieces}, mover {mover}, waiter {waiter}"

    def wrong(self, index, right):
        names = {None: "a move to no position", NONE: "no such position", CYCLE: "a draw by cycle", ENDS: "a draw that ends"}
        value = lambda score: names.get(score) or ("a win" if score > 0 else "a loss") + f" in {BIG - abs(score)}" * self.plies
        return f"{self.text(index)}: {value(self.values[index])}, not {right if isinstance(right, str) else value(right)}"

# ---- Moves and the end of the game (§5) -----------------------------------------------------------------------------------------
    @functools.cache
    def owned(self, cells):  # the lines that a side with these cells owns, as different sets
        return {line for line, extension in self.extended if line & cells == line and not extension & cells}

    @functools.cache
    def takeable(self, waiter):  # the waiter's pieces that a line takes: any, those outside lines, or any if none is outside
        outside = [c for c in self.pieces(waiter) if not any(line >> c & 1 for line in self.owned(waiter & CELLS))]
        return self.pieces(waiter) if self.takes % 3 == 0 or self.takes % 3 == 2 and not outside else outside

    def moves(self, layer, mover, waiter):  # yields the waiter and the mover after each move, and 1 if a piece in hand was placed
        mine, theirs, pieces, targets = mover & CELLS, waiter & CELLS, self.pieces(mover), {}
        for start, to, (clear, own, other, taken), path, oldest in self.phases[layer.phase]:
            if path is None:
                yield waiter, mover, 0
            elif path and not theirs >> start & 1:
                yield pushed(waiter, start, path), pushed(mover, start, path) | to, 0
            elif not path and (start is None or mine >> start & 1) and not (
                    clear & (mine | theirs) or own & ~mine or other & ~theirs or taken & ~(mine | theirs)):
                targets[start, oldest] = targets.get((start, oldest), 0) | to
        for (start, oldest), to in targets.items():
            for c in bits(to & ~theirs & ~(mine & ~(1 << pieces[0]) if oldest == 0 and pieces else mine)):
                goes = oldest in (0, 1) or oldest == 2 and not self.owned(mine | 1 << c)
                new, may = self.word([x for x in pieces[goes:] if x != start] + [c]), ()
                if lines := 0 if self.takes is None else sum(line >> c & 1 for line in self.owned(new & CELLS)):
                    may = self.takeable(waiter)
                for gone in itertools.combinations(may, min(lines, 1 + (self.takes or 0) // 3, len(may))):
                    left = self.word([x for x in self.pieces(waiter) if x not in gone]) if gone else waiter
                    yield left, new, int(start is None and layer.pieces[2] > 0)

    def index(self, mover, waiter, hands, turns):  # the index in `values` of a position, in which one of these sides is to move
        layer = self.by_pieces[(mover & CELLS).bit_count(), (waiter & CELLS).bit_count(), *hands]
        if layer.ended:
            need(self.takes is not None or self.owned(waiter & CELLS), "a layer has ended without a line")
            return 2 if self.takes is not None else self.line
        need(layer.turn is None or [layer.turn] == turns, f"layer {layer.pieces} has the wrong turn")
        row, symmetry, columns = self.place(mover)
        return layer.base + row * layer.columns + columns[self.images(waiter)[symmetry]]

    def check_row(self, pieces, row):
        """Returns the number of children, wrong entries with the right scores, and what entries wait for (`check_circles`)."""
        layer, values, (m, w, mine, theirs), children, wrong, waiting = self.by_pieces[pieces], self.values, pieces, 0, [], []
        begin, turns = layer.base + row * layer.columns, [0, 1] if layer.turn is None else [1 - layer.turn]
        mover, stuck = self.position(begin)[1], self.full if m + w == self.count and self.full is not None else self.blocked
        for index, waiter in enumerate(self.columns(mover & CELLS)[0][w], begin):
            found = []
            if self.owned(mover & CELLS) and (self.own or self.takes is None):
                right = RESULTS[2 - self.line] if self.own else NONE
            elif self.takes is None and self.owned(waiter & CELLS):
                right = RESULTS[self.line]
            else:
                moves = list(self.moves(layer, mover, waiter)) or [(waiter, mover, 0)] * (stuck == 3)
                found = [self.index(after, new, (theirs, mine - placed), turns) for after, new, placed in moves]
                least = min([values[i] for i in found]) if found else RESULTS[stuck]
                right = least if not found or least in (CYCLE, ENDS) else -least + (self.plies if least > 0 else -self.plies)
                right = None if least == NONE else right
            right = CYCLE if right == ENDS and self.encoding == 3 else right
            if right != values[index]:
                wrong.append((index, right))
            elif found and (right == ENDS or right != CYCLE and not self.plies):
                waiting.append((index, right > ENDS, [i for i in found if values[i] == (right if right == ENDS else -right)]))
            children += len(found)
        return children, wrong, waiting

    def check_entries(self):
        children, faults, self.waiting = 0, [], []
        with multiprocessing.get_context("fork").Pool() as pool:
            for count, wrong, waiting in pool.imap(work, [(layer.pieces, row) for layer in self.layers for row in range(layer.rows)], 16):
                children, self.waiting[len(self.waiting):] = children + count, waiting
                faults += [self.wrong(index, right) for index, right in wrong]
        return f"{len(self.values) - len(RESULTS)}, with {children} children", faults

    def check_circles(self):
        """Draws that end, and values without distances, wait for others down to finished positions, and none for itself."""
        left, before = self.waiting, None
        while before != (before := len(left)):
            waiting = {index for index, _, _ in left}
            left = [item for item in left if (all if item[1] else any)(i in waiting for i in item[2])]
        summary = f"{len(self.waiting)} draws that end or values without distances, none of which follows from itself"
        return summary, [self.wrong(index, "only because of itself") for index, _, _ in left]

# ---- The census (§7) and the start ----------------------------------------------------------------------------------------------
    def read_census(self):
        data = self.data[self.census + 8:self.census + 8 + number(self.data, self.census)]
        counts, *deepest = fields(data, ([(8, [8], [8], 8, 8)], {(2, 8, 8)}, {(2, 8, 8)}))
        need(len(counts) == len(self.layers), "a census of other layers")
        return counts, *deepest

    def check_census(self):
        (counts, *deepest), faults = self.read_census(), []
        for layer, found in zip(self.layers, counts, strict=True):
            tally = collections.Counter()
            for row, begin in enumerate(range(layer.base, layer.base + layer.rows * layer.columns, layer.columns)):
                for score, count in collections.Counter(self.values[begin:begin + layer.columns]).items():
                    tally[score] += count * self.orbits[layer.pieces[0]][row // layer.orders]
            longest = lambda sign: max((BIG - abs(v) for v in tally if v > NONE and v * sign > 1), default=-self.plies)
            right = (tally[NONE], *([tally[s * (BIG - d)] for d in range(longest(s) + 1)] for s in (1, -1)), tally[ENDS], tally[CYCLE])
            faults += [f"layer {layer.pieces}: {found}, not {right}"] * (found != right)
        for sign, found in zip((1, -1), deepest):
            score, right = min((v for v in self.values[3:] if v > NONE and v * sign > 1), key=abs, default=None), None
            if score and self.plies:
                layer, mover, waiter = self.position(self.values.index(score, 3))
                right = BIG - abs(score), mover | layer.pieces[2] << 36, waiter | layer.pieces[3] << 36
            faults += [f"the longest {'win' if sign > 0 else 'loss'} is {found}, not {right}"] * (found != right)
        return f"{len(counts)} layers; longest win and loss {[x and x[0] for x in deepest]}", faults

    def check_start(self):
        mover, waiter = self.start[1::-1] if self.start[2] else self.start[:2]
        hands = (0, 0) if self.ages else (mover >> 36, waiter >> 36)
        index = self.index(mover - (hands[0] << 36), waiter - (hands[1] << 36), hands, [self.start[2]])
        need(not mover & waiter & CELLS and index > 2 and self.values[index] != NONE, "not a position of the game")
        return self.wrong(index, "").removesuffix(", not "), []

def work(job): return TABLE.check_row(*job)

def main(path):
    global TABLE
    TABLE, status = Table(open(path, "rb").read()), 0
    print(f"{TABLE.name}: {TABLE.title}")
    for name in ("layout", "sums", "symmetries", "maps", "entries", "circles", "census", "start"):
        summary, faults = getattr(TABLE, "check_" + name)()
        print("\n    ".join([f"  {name:10} {'WRONG' if faults else summary}", *faults[:5]]), flush=True)
        status = 1 if faults else status
    return status

def verdict(work):
    try:
        return work(), "opened"
    except Refused as refused:  # a start that is not a position of the game is a fault of the header
        return None, refused.args[0] if refused.args[0] in ("magic", "version", "checksum", "length") else "header"
    except UnicodeDecodeError:
        return None, "header"

def opened(path):
    table, word = verdict(lambda: Table(open(path, "rb").read()))
    return f"{word} {verdict(table.read_census)[1]}" if table else word

if __name__ == "__main__" and sys.argv[1:] == ["--open"]:
    for path in sys.stdin: print(opened(path.rstrip("\n")))
elif __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except Exception as fault:  # a wrong table may break every assumption of this program
        print(f"  WRONG: {fault!r}")
        sys.exit(2 if isinstance(fault, OSError) or len(sys.argv) != 2 else 1)
