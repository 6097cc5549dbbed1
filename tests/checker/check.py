#!/usr/bin/env python3
"""Checks plain tables of version 4: `python3 check.py TABLE...`, with Python 3.11 and no packages.

All of it follows from tables/FORMAT.md, whose sections are named as §4; README.md says why a table that passes is right.
Prints a line for each kind of check. Exits with 0 if all is right, 1 after the first faults, 2 for wrong usage."""
import multiprocessing, struct, sys
from collections import Counter
from functools import cache
from itertools import combinations, permutations
from math import comb, factorial
from types import SimpleNamespace
# A score orders the values for the side to move: a loss in d is d - BIG, a win in d is BIG - d, and NONE is less than all others.
# A draw by cycle is less than one that ends, so that the least score after a move also decides between the two kinds (§4).
BIG, NONE, CYCLE, ENDS, CELLS = 1 << 20, -1 << 30, 0, 1, (1 << 36) - 1
RESULTS = (BIG, ENDS, -BIG)  # win, draw and loss in 0 plies, as choices number them

class Fault(Exception):
    """A fault after which the other checks make no sense."""

def need(condition, message):
    if not condition:
        raise Fault(message)

def number(data, at=0, size=8):
    return int.from_bytes(data[at:at + size], "little")

def bits(cells):
    return [c for c in range(cells.bit_length()) if cells >> c & 1]

def subsets(cells, size):  # ascending, so that each is at its rank (§3)
    return sorted(map(sum, combinations([1 << c for c in bits(cells)], size)))

def way(start, path):  # the cells of a push's path, from `start` on
    return bits(path) if start == min(bits(path), default=start) else bits(path)[::-1]

def pushed(cells, start, path):  # a side's cells after a push: the piece on `start` leaves, the others move one cell towards it
    return cells & ~path | sum(1 << a for a, b in zip(way(start, path), way(start, path)[1:]) if cells >> b & 1)

# ---- XXH3, 64 bits, seed 0, from its public specification; nothing here has fewer than 8 bytes ----------------------------------
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")
KEYS, M32, M64, MX2 = struct.unpack("<24Q", SECRET), (1 << 32) - 1, (1 << 64) - 1, 0x9FB21C651E98DF25
START = (0xC2B2AE3D, P1 := 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
         0x85EBCA77C2B2AE63, 0x85EBCA77, 0x27D4EB2F165667C5, 0x9E3779B1)

def avalanche(x):
    x = ((x & M64) ^ (x & M64) >> 37) * 0x165667919E3779F9 & M64
    return x ^ x >> 32

def fold(a, b):
    return (a * b & M64) ^ a * b >> 64

def xxh3(data):
    size, sums, last = len(data), list(START), (len(data) - 1) // 1024 * 1024
    mix = lambda at, key: fold(number(data, at) ^ number(SECRET, key), number(data, at + 8) ^ number(SECRET, key + 8))
    if size == 8:
        x = ((number(data) << 32 | number(data) >> 32) & M64) ^ KEYS[1] ^ KEYS[2]
        x = (x ^ (x << 49 | x >> 15) ^ (x << 24 | x >> 40)) * MX2 & M64
        x = (x ^ (x >> 35) + size) * MX2 & M64
        return x ^ x >> 28
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
class Fields:
    """Reads fields: 8 is an integer of 8 bytes, -3 one of 3 choices, `str` a text, (a, b) both, [a] a list, {a} an option."""
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        self.at += size
        need(self.at <= len(self.data), "fields end after their section")
        return self.data[self.at - size:self.at]

    def read(self, kind):
        if isinstance(kind, int):
            value = number(self.take(kind if kind > 0 else 4), 0, 16)
            need(kind > 0 or value < -kind, f"choice {value} does not exist")
            return value
        if isinstance(kind, list):
            return [self.read(kind[0]) for _ in range(self.read(8))]
        if isinstance(kind, set):
            return self.read(*kind) if self.read(1) else None
        return self.take(self.read(8)).decode("utf-8") if kind is str else tuple(map(self.read, kind))

class Table:
    """A game, and its entries as scores in one list: `values[layer.base + key]`, after the RESULTS."""
    def __init__(self, data):
        self.data, self.header_end = data, 24 + number(data, 12, 4)
        need(data[:12] == b"\x89MORPION\4\0\0\0" and self.header_end <= len(data), "not a table of version 4")
        need(xxh3(data[:self.header_end - 8]) == number(data, self.header_end - 8), "wrong sum of the header")
        f = Fields(data[16:self.header_end - 8])
        self.name, self.title, _, board = f.read((str, str, str, -3))
        self.height, self.width = f.read((1, 1)) if board != 1 else (1, f.read(1))
        self.squares = bits(f.read(16) if board == 2 else (1 << self.height * self.width) - 1)
        names, _, self.start, lines, extensions, self.phases = f.read(
            ([str], [(2, 2)], (8, 8, -2), [8], [8], [[({1}, 8, 8, {-3})]]))
        layers, self.line, self.blocked, _, self.full, self.takes, self.own, self.encoding, _, symmetries, maps, self.census = f.read(
            ([((1, 1, 1, 1), 1, {2}, {-2}, 1, 8, 8, 8)], -3, -4, -3, {-4}, {-6}, 1, -4, -3, [[1]], [(1, 8, 8)], 8))
        need(f.at == len(f.data) and self.census + 8 <= len(data), "fields end before the header, or there is no census")
        as_object = lambda names, values: SimpleNamespace(**dict(zip(names.split(), values)))
        self.layers = [as_object("pieces phase next turn ended rows columns offset", layer) for layer in layers]
        self.maps, self.symmetries = [as_object("size rows offset", m) for m in maps], [bytes(p) for p in symmetries]
        self.names = names or [f"{s}" if board == 1 else f"{chr(97 + s % self.width)}{s // self.width + 1}" for s in self.squares]
        self.count, self.plies, self.extended = len(self.squares), int(self.encoding < 2), list(zip(lines, extensions or [0] * 4096))
        steps = [step for phase in self.phases for step in phase]
        self.ages, self.pushes = any(step[3] is not None for step in steps), list(dict.fromkeys(step for step in steps if step[2]))
        self.by_pieces = {layer.pieces: layer for layer in self.layers}
        need(len(self.by_pieces) == len(layers) and len(extensions) in (0, len(lines)), "two equal layers, or wrong extensions")
        need(1 <= self.count <= 36 and not max(lines + extensions) >> self.count and min(lines), "a wrong board or line")
        for start, to, path, _ in steps:
            need((start or 0) < self.count and not (to | path) >> self.count, "a step off the board")
            need(not path or to & to - 1 == 0 and sorted([start, *bits(to)]) == [bits(path)[0], bits(path)[-1]], "a push not between its ends")
            need(not (self.ages and start is not None or path and self.takes is not None), "pieces that age and move, or pushes that take")

# ---- Layout, sums, symmetries and maps (§1, §2, §3) -----------------------------------------------------------------------------
    def check_layout(self):
        data, faults, used, base, rows = self.data, [], self.header_end, len(RESULTS), {m.size: m.rows for m in self.maps}
        need(list(rows) == list({l.pieces[0]: 0 for l in self.layers if not l.ended}), "maps of other sizes, or in another order")
        for layer in self.layers:
            m, w, mine, theirs = layer.pieces
            layer.orders, b = (factorial(m), factorial(w)) if self.ages else (1, 1)
            size = (0 if layer.ended else layer.orders * rows[m], comb(self.count - m, w) * b)
            need((layer.rows, layer.columns) == size, f"layer {layer.pieces} has {layer.rows, layer.columns} rows and columns, not {size}")
            layer.base, base = base, base + layer.rows * layer.columns
            steps = [] if layer.ended else self.phases[layer.phase]
            after = [(w, m, theirs, mine)] * any(s[0] is not None for s in steps if m) + [
                (w, m + (s[3] is None), theirs, mine - (mine > 0)) for s in steps if s[2] or s[0] is None and s[1]]
            right = self.by_pieces.get(after[0]) if after else None
            if not layer.ended and (None if layer.next is None else self.layers[layer.next]) is not right:
                faults.append(f"layer {layer.pieces} has a wrong next layer")
        bytes_of = lambda entries: -(-entries * (8, 16, 2, 2)[self.encoding] // 8)
        parts = [(f"map {m.size}", m.offset, 4 * comb(self.count, m.size)) for m in self.maps]
        parts += [(f"layer {l.pieces}", l.offset, bytes_of(l.rows * l.columns)) for l in reversed(self.layers)]
        for name, offset, size in [*parts, ("the census", self.census, 8 + number(data, self.census))]:
            begin = -(-used // 64) * 64
            need(offset == begin and offset + size <= len(data), f"{name} begins at {offset}, not at {begin}, or is too long")
            faults += [f"padding before {name} is not zero"] * any(data[used:begin])
            used = begin + size
        self.sums = -(-used // 8) * 8
        faults += ["padding after the census is not zero"] * any(data[used:self.sums])
        long = lambda i, first: i if i <= 16 else first + 2 * (i - 17)
        scores = [[CYCLE, *(BIG - long(i, 17) for i in range(126)), ENDS, *(long(i, 18) - BIG for i in range(127)), NONE],
                  [CYCLE, *(BIG - d for d in range(32766)), ENDS, *(d - BIG for d in range(32767)), NONE],
                  [ENDS, BIG, -BIG, NONE], [CYCLE, BIG, -BIG, NONE]][self.encoding]
        self.values = list(RESULTS)
        for layer in self.layers:
            codes, size = data[layer.offset:layer.offset + bytes_of(layer.rows * layer.columns)], layer.rows * layer.columns
            if self.encoding:
                codes = struct.unpack(f"<{size}H", codes) if self.plies else [byte >> i & 3 for byte in codes for i in (0, 2, 4, 6)]
            faults += [f"bits after the last entry of layer {layer.pieces} are not zero"] * any(codes[size:])
            self.values.extend(map(scores.__getitem__, codes[:size]))
        return f"{len(self.maps)} maps, {len(self.layers)} layers, {sum(l.ended for l in self.layers)} of them ended", faults

    def check_sums(self):
        data, end, faults = self.data, self.sums, []
        parts = [*((at, min(at + (1 << 20), end)) for at in range(0, end, 1 << 20)), (end, len(data) - 8)]
        need(len(data) == end + 8 * len(parts), f"a file of {len(data)} bytes, not {end + 8 * len(parts)}")
        for i, (begin, stop) in enumerate(parts):
            found, right = number(data, end + 8 * i), xxh3(data[begin:stop])
            faults += [f"the sum of bytes {begin} to {stop} is {found:016x}, not {right:016x}"] * (found != right)
        return f"{len(parts)}, and that of the header", faults

    def check_symmetries(self):
        all, identity, faults = self.symmetries, bytes(range(self.count)), []
        need(all and all == sorted(set(all)) and all[0] == identity, "symmetries are not ascending from the identity")
        need({bytes(sorted(p)) for p in all} == {identity}, "a symmetry is not a permutation of the cells")
        move = lambda p, cells: sum(1 << p[c] for c in bits(cells))
        phases = [{(a, to, tuple(way(a, path)), oldest) for a, to, path, oldest in phase} for phase in self.phases]
        for i, p in enumerate(all):
            keeps_lines = Counter((move(p, l), move(p, e)) for l, e in self.extended) == Counter(self.extended)
            faults += [f"symmetry {i} does not keep the lines and their extensions"] * (not keeps_lines)
            if any({(a if a is None else p[a], move(p, to), tuple(p[c] for c in path), o) for a, to, path, o in x} != x for x in phases):
                faults.append(f"symmetry {i} does not keep the steps")
        group, pad = set(all), bytes(256 - self.count)
        faults += [f"{list(p)}, then {list(q)}, is not in the group" for p in all for q in all if p.translate(q + pad) not in group]
        return f"{len(all)} that keep lines, extensions and steps; {len(all) ** 2} products", faults

    def check_maps(self):
        """Sets `rows[size]` to the representatives, `orbits[size]` to the sizes of their orbits, `map[cells]` to row and symmetry."""
        faults, self.rows, self.orbits, self.map = [], {}, {}, {}
        inverses = [[1 << p.index(c) for c in range(self.count)] for p in self.symmetries]
        shift = (len(inverses) - 1).bit_length()
        for part in self.maps:
            sets, rows, orbits = subsets((1 << self.count) - 1, part.size), [], []
            for cells, entry in zip(sets, struct.unpack_from(f"<{len(sets)}I", self.data, part.offset)):
                if cells not in self.map:  # the least of its orbit: find the first symmetry that leads to it from each set
                    orbit = {}
                    for symmetry, inverse in enumerate(inverses):
                        orbit.setdefault(sum([inverse[c] for c in bits(cells)]), symmetry)
                    self.map.update((x, (len(rows), symmetry)) for x, symmetry in orbit.items())
                    rows.append(cells)
                    orbits.append(len(orbit))
                found, right = (entry >> shift, entry & (1 << shift) - 1), self.map[cells]
                faults += [f"map {part.size}, cells {bits(cells)}: row and symmetry {found}, not {right}"] * (found != right)
            faults += [f"map {part.size} has {part.rows} rows, not {len(rows)}"] * (part.rows != len(rows))
            self.rows[part.size], self.orbits[part.size] = rows, orbits
        return f"{len(self.map)} sets in {sum(map(len, self.rows.values()))} orbits", faults

# ---- Words and places (§4) ------------------------------------------------------------------------------------------------------
    @cache
    def words(self, cells):
        """All words with these cells, by their order, which numbers the permutations of the cells as Python lists them."""
        orders = factorial(cells.bit_count()) if self.ages else 1
        return [cells | order << 36 | (self.ages and cells > 0) << 52 for order in range(orders)]

    @cache
    def pieces(self, word):
        """The cells of a word's pieces, the oldest first if they age."""
        return list(permutations(bits(word & CELLS)))[word >> 36 & 0xFFFF] if self.ages else tuple(bits(word))

    def word(self, pieces):
        order = list(permutations(sorted(pieces))).index(tuple(pieces)) if self.ages else 0
        return self.words(sum([1 << c for c in pieces]))[order]

    @cache
    def images(self, word):
        return [self.word([p[c] for c in self.pieces(word)]) for p in self.symmetries]

    @cache
    def columns(self, cells):
        """The words of a waiter beside a mover's cells: a list for each number of pieces, and the column of each word."""
        others, sizes = (1 << self.count) - 1 & ~cells, {l.pieces[1] for l in self.layers if l.pieces[0] == cells.bit_count()}
        lists = {size: [word for waiter in subsets(others, size) for word in self.words(waiter)] for size in sizes}
        return lists, {word: column for words in lists.values() for column, word in enumerate(words)}

    @cache
    def place(self, word):
        """The row of a mover's word, the symmetry that leads there, and the columns of that row; None if no mover has it."""
        if word & CELLS in self.map:
            row, symmetry = self.map[word & CELLS]
            image = self.images(word)[symmetry]
            return row * len(self.words(image & CELLS)) + (image >> 36 & 0xFFFF), symmetry, self.columns(image & CELLS)[1]

    def position(self, index):
        """The layer, the mover and the waiter of an entry, by its index in `values`."""
        layer = next(layer for layer in reversed(self.layers) if layer.rows and layer.base <= index)
        row, column = divmod(index - layer.base, layer.columns)
        cells = self.rows[layer.pieces[0]][row // layer.orders]
        return layer, self.words(cells)[row % layer.orders], self.columns(cells)[0][layer.pieces[1]][column]

    def text(self, index):
        layer, *sides = self.position(index)
        (x, o), hands, marks = sides[::-1 if layer.turn else 1], layer.pieces[2:][::-1 if layer.turn else 1], ["#"] * self.height * self.width
        for c, square in enumerate(self.squares):
            marks[square] = ".XO"[(x >> c & 1) + 2 * (o >> c & 1)]
        rows = ["".join(marks[i:i + self.width]) for i in range(0, len(marks), self.width)]
        ages = ["/".join(",".join(self.names[c] for c in self.pieces(side)) for side in (x, o))]
        return " ".join(["/".join(rows), "o" if layer.turn else "x", *(ages if self.ages else ["%d/%d" % hands] * any(hands))])

    def value(self, score):
        names = {None: "a move to no such position", NONE: "no such position", CYCLE: "a draw by cycle", ENDS: "a draw that ends"}
        return names.get(score) or ("a win" if score > 0 else "a loss") + f" in {BIG - abs(score)}" * self.plies

# ---- Moves and the end of the game (§5) -----------------------------------------------------------------------------------------
    @cache
    def owned(self, cells):
        """The lines that a side with these cells owns, as different sets."""
        return {line for line, extension in self.extended if line & cells == line and not extension & cells}

    def moves(self, phase, word):
        """Yields the cell that the waiter must not have, the change of the waiter, the new word, and True for a new piece."""
        cells, pieces = word & CELLS, self.pieces(word)
        for start, to, path, oldest in self.phases[phase]:
            if path:
                yield 1 << start, 1 + self.pushes.index((start, to, path, oldest)), pushed(cells, start, path) | to, False
            elif start is None and not to:
                yield 0, 0, word, False
            elif start is None or cells >> start & 1:
                for c in bits(to & ~(cells & ~(1 << pieces[0]) if oldest == 0 else cells)):
                    goes = oldest in (0, 1) or oldest == 2 and not self.owned(cells | 1 << c)
                    new = self.word([x for x in pieces[goes:] if x != start] + [c])
                    lines = sum(line >> c & 1 for line in self.owned(new & CELLS)) if self.takes is not None else 0
                    yield 1 << c, min(lines, 1 + (self.takes or 0) // 3), new, start is None

    @cache
    def changes(self, waiter):
        """For each change, the number of pieces taken, and the places of the words that the waiter may then have.

        A change is 0 for none; 1 and 2 take so many pieces; in games with pushes, which take nothing, 1 and above are pushes."""
        cells, pieces = waiter & CELLS, self.pieces(waiter)
        free = [c for c in pieces if not any(line >> c & 1 for line in self.owned(cells))]
        may = pieces if (self.takes or 0) % 3 == 0 or self.takes % 3 == 2 and not free else free
        taken = [(k, [self.place(self.word([c for c in pieces if c not in gone])) for gone in combinations(may, k)])
                 for k in (min(most, len(may)) for most in range(1 if self.takes is None else 3))]
        return taken + [cells >> start & 1 or (0, [self.place(pushed(cells, start, path))]) for start, _, path, _ in self.pushes]

    def target(self, layer, pieces, new):
        """The base and the columns of a move's layer, and whether its turn fits; if it has ended, 0 columns, and the index of its result."""
        if (found := self.by_pieces.get(pieces)) is None:
            return None
        if found.ended:
            return (2, 0, True) if self.takes is not None else (self.line, 0, True) if self.owned(new & CELLS) else None
        return found.base, found.columns, found.turn is None or layer.turn == 1 - found.turn

    def check_row(self, layer, row):
        """Returns the number of children, wrong entries with the right scores, and what entries wait for (`check_circles`)."""
        (m, w, mine, theirs), values, begin = layer.pieces, self.values, layer.base + row * layer.columns
        word, waiters, by_line = self.position(begin)[1], self.columns(self.position(begin)[1] & CELLS)[0][w], self.takes is None
        follow = lambda empty, change, new, placed: (empty, change, self.images(new), [self.target(
            layer, (w - taken, (new & CELLS).bit_count(), theirs, mine - (placed and mine > 0)), new) for taken in (0, 1, 2)])
        moves, children, wrong, waiting = [follow(*move) for move in self.moves(layer.phase, word)], 0, [], []
        stuck = self.full if m + w == self.count and self.full is not None else self.blocked
        passing = [follow(0, 0, word, False)] if stuck == 3 else []
        over = (RESULTS[2 - self.line] if self.own else NONE if by_line else None) if self.owned(word & CELLS) else None
        for index, waiter in enumerate(waiters, begin):
            found, right = [], over
            if right is None and by_line and self.owned(waiter & CELLS):
                right = RESULTS[self.line]
            elif right is None:
                changes = self.changes(waiter)
                for _, change, image, targets in [move for move in moves if not waiter & move[0]] or passing:
                    taken, places = changes[change]
                    base, columns, is_turn = targets[taken]
                    if not is_turn:
                        raise Fault(f"the layer after {self.text(index)} has the wrong turn")
                    found += [base + row * columns + column[image[symmetry]] for row, symmetry, column in places] if columns else [base]
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
        jobs, children, faults, self.waiting = [(i, row) for i, l in enumerate(self.layers) for row in range(l.rows)], 0, [], []
        with multiprocessing.get_context("fork").Pool() as pool:
            for count, wrong, waiting in pool.imap(work, jobs, 16):
                children += count
                self.waiting += waiting
                faults += [f"{self.text(i)}: {self.value(self.values[i])}, not {self.value(right)}" for i, right in wrong[:5]]
        return f"{len(self.values) - len(RESULTS)}, with {children} children", faults

    def check_circles(self):
        """Draws that end, and values without distances, wait for others down to finished positions, and none for itself."""
        left, waiting, before = self.waiting[::-1], {index for index, _, _ in self.waiting}, None
        while len(left) != before:
            before, rest = len(left), []
            for index, one, others in left:
                if (any if one else all)(i not in waiting for i in others):
                    waiting.remove(index)
                else:
                    rest.append((index, one, others))
            left = rest
        faults = [f"{self.text(i)}: {self.value(self.values[i])} that only follows from itself" for i, _, _ in left[:5]]
        return f"{len(self.waiting)} draws that end or values without distances that do not follow from themselves", faults

# ---- The census (§7) and the start ----------------------------------------------------------------------------------------------
    def check_census(self):
        f, faults = Fields(self.data[self.census + 8:self.census + 8 + number(self.data, self.census)]), []
        counts, *deepest = f.read(([(8, [8], [8], 8, 8)], {(2, 8, 8)}, {(2, 8, 8)}))
        need(f.at == len(f.data) and len(counts) == len(self.layers), "a census of another length, or of other layers")
        for layer, found in zip(self.layers, counts):
            tally = Counter()
            for row, begin in enumerate(range(layer.base, layer.base + layer.rows * layer.columns, layer.columns)):
                for score, count in Counter(self.values[begin:begin + layer.columns]).items():
                    tally[score] += count * self.orbits[layer.pieces[0]][row // layer.orders]
            longest = lambda sign: max((BIG - abs(v) for v in tally if v > NONE and v * sign > 1), default=-self.plies)
            wins, losses = [[tally[sign * (BIG - d)] for d in range(longest(sign) + 1)] for sign in (1, -1)]
            right = (tally[NONE], wins, losses, tally[ENDS], tally[CYCLE])
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
        mover, waiter = (mover, waiter) if self.ages else (mover & CELLS, waiter & CELLS)
        layer = self.by_pieces[((mover & CELLS).bit_count(), (waiter & CELLS).bit_count(), *hands)]
        row, symmetry, columns = self.place(mover)
        index = layer.base + row * layer.columns + columns[self.images(waiter)[symmetry]]
        need(not mover & waiter & CELLS and layer.turn in (self.start[2], None) and self.values[index] != NONE, "not a position of the game")
        return f"{self.text(index)}, {self.value(self.values[index])}", []

def work(job):
    return TABLE.check_row(TABLE.layers[job[0]], job[1])

def main(path):
    """Checks one table and returns True if it is right."""
    global TABLE
    with open(path, "rb") as file:
        data = file.read()
    is_right = True
    try:
        TABLE = Table(data)
        print(f"{path}: {TABLE.name}, {TABLE.title}")
        for name in ("layout", "sums", "symmetries", "maps", "entries", "circles", "census", "start"):
            summary, faults = getattr(TABLE, "check_" + name)()
            print("\n    ".join([f"  {name:10} {'WRONG' if faults else summary}", *faults[:5]]), flush=True)
            is_right = is_right and not faults
    except Exception as fault:  # a table may break every assumption of this program
        print(f"  WRONG: {fault if isinstance(fault, Fault) else repr(fault)}")
        return False
    return is_right

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(print(__doc__, file=sys.stderr) or 2)
    try:
        sys.exit(0 if all([main(path) for path in sys.argv[1:]]) else 1)
    except OSError as error:
        sys.exit(print(error, file=sys.stderr) or 2)
