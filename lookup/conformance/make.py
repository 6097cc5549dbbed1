#!/usr/bin/env python3
"""Writes the expected answers of every language's reader: vectors.csv, positions with their answers, and census.csv, the number of
arrangements of each layer by value and distance.

    python3 make.py RULES.toml... > vectors.csv        (in this folder: the files of `../../tables` and `rules` whose games are in it)
    python3 make.py --census RULES.toml... > census.csv

It shares nothing with the library: a dictionary of all arrangements and repeated passes over it, without symmetry,
ranks or tables. Needs Python 3.11 and nothing else.
"""

import csv
import itertools
import random
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

SAMPLE = 40


class Game:
    def __init__(self, text):
        rules = tomllib.loads(text)
        self.name = rules["name"]
        self.read_board(rules["board"])
        self.lines = self.read_lines(rules["lines"])
        self.each = rules.get("pieces", {}).get("each")
        self.moves_rule = rules.get("moves")
        self.stay = bool(self.moves_rule and self.moves_rule.get("stay"))
        self.stuck = self.moves_rule.get("stuck", "loss") if self.moves_rule else None
        opening = rules.get("opening", {})
        self.forbidden = set(map(self.number, opening.get("forbidden", [])))
        self.during = opening.get("during")
        self.preset = "start" in opening
        self.misere = rules.get("goal", {}).get("misere", False)
        self.links = self.read_links() if self.moves_rule else None

    def read_board(self, board):
        """`squares`: where each cell stands; `names`: what it is called."""
        assert "wrap" not in board and "names" not in board, "not among the vectors"
        if "cells" in board:
            self.squares = [(0, column) for column in range(board["cells"])]
            self.names = [str(cell) for cell in range(board["cells"])]
            self.shape = 1, board["cells"]
        elif "layout" in board:
            lines = [line for line in board["layout"].splitlines() if line.split()]
            words = [(row, match.start(), match[0]) for row, line in enumerate(lines) for match in re.finditer(r"\S+", line)]
            across = sorted({x for _, x, _ in words})
            self.squares = [(row, across.index(x)) for row, x, _ in words]
            self.names = [name for _, _, name in words]
            self.shape = len(lines), len(across)
        else:
            self.shape = rows, columns = board["rows"], board["columns"]
            name = lambda row, column: f"{chr(97 + column)}{row + 1}"
            squares = itertools.product(range(rows), range(columns))
            self.squares = [square for square in squares if name(*square) not in board.get("blocked", [])]
            self.names = [name(*square) for square in self.squares]
        self.cells = len(self.squares)

    def number(self, key):
        return self.names.index(key) if isinstance(key, str) else key

    def read_lines(self, rules):
        """Each line with the cells that extend it."""
        written = rules.get("sets", []) + rules.get("add", [])
        found = [(frozenset(map(self.number, line)), frozenset()) for line in written]
        if "length" in rules:
            assert "within" not in rules and "shapes" not in rules, "not among the vectors"
            n, at = rules["length"], {square: cell for cell, square in enumerate(self.squares)}
            for row, column in self.squares:
                for down, right in (0, 1), (1, 0), (1, 1), (1, -1):
                    line = [at.get((row + i * down, column + i * right)) for i in range(-1, n + 1)]
                    if None not in line[1:-1]:
                        ends = {line[0], line[-1]} - {None} if rules.get("exact") else ()
                        found.append((frozenset(line[1:-1]), frozenset(ends)))
        return found

    def read_links(self):
        to = self.moves_rule.get("to", "any")
        if to == "push":
            return None
        if to == "edges":
            pairs = {tuple(map(self.number, edge)) for edge in self.moves_rule["edges"]}
        else:
            pairs = set()
            for a, b in itertools.product(range(self.cells), repeat=2):
                (r, c), (s, d) = self.squares[a], self.squares[b]
                step = max(abs(r - s), abs(c - d))
                straight = abs(r - s) + abs(c - d) == 1
                drawn = straight or step == 1 and (r + c) % 2 == 0
                near = {"any": a != b, "orthogonal": straight, "king": step == 1, "drawn": drawn}[to]
                if near:
                    pairs.add((a, b))
        return {a: {y for x, y in pairs if x == a} | {x for x, y in pairs if y == a} for a in range(self.cells)}

    def made(self, pieces):
        """The lines of pieces."""
        return [line for line, ends in self.lines if line <= pieces and not ends & pieces]

    def has_line(self, pieces):
        return bool(self.made(pieces))

    def cells_of(self, side):
        """The cells of a side, of which a position has two."""
        return side

    def beside(self, x, o):
        """The end of the text of a position."""
        return ""

    def layer(self, mover, waiter):
        """A key that has the order of the layers of the table."""
        return len(self.cells_of(mover)) + len(self.cells_of(waiter))

    def end(self, mover, waiter):
        """Reason and value for the mover if the game is over although there may be moves."""
        return ("line", "win" if self.misere else "loss") if self.has_line(self.cells_of(waiter)) else None

    def blocked(self, mover, waiter):
        """Reason and value for a mover without a move."""
        return ("stuck", self.stuck) if self.moves_rule else ("full", "draw")

    def arrangements(self):
        last = 2 * self.each if self.each else self.cells
        for ply in range(last if self.preset else 0, last + 1):
            for mover in map(frozenset, itertools.combinations(range(self.cells), ply // 2)):
                if self.has_line(mover):
                    continue
                rest = [cell for cell in range(self.cells) if cell not in mover]
                for waiter in map(frozenset, itertools.combinations(rest, (ply + 1) // 2)):
                    yield mover, waiter

    def moves(self, mover, waiter):
        """Text of the move and the position after it, in the order of cells, the pass last."""
        empty = [cell for cell in range(self.cells) if cell not in mover and cell not in waiter]
        if self.moves_rule and len(mover) == len(waiter) == self.each:
            steps = [(a, b) for a in sorted(mover) for b in empty if b in self.links[a]]
            for a, b in steps:
                yield f"{self.names[a]}-{self.names[b]}", (waiter, mover - {a} | {b})
            if self.stay or self.stuck == "pass" and not steps:
                yield "pass", (waiter, mover)
        elif self.each is None or len(mover) < self.each:
            ply = len(mover) + len(waiter)
            held = {None: False, "first": ply < 1, "each-first": ply < 2, "placing": True}[self.during]
            for b in empty:
                if not (held and b in self.forbidden):
                    yield self.names[b], (waiter, mover | {b})

    def text(self, mover, waiter, side):
        own, other = ("X", "O") if side == "x" else ("O", "X")
        rows, columns = self.shape
        board = [["#"] * columns for _ in range(rows)]
        for cell, (row, column) in enumerate(self.squares):
            is_own, is_other = cell in self.cells_of(mover), cell in self.cells_of(waiter)
            board[row][column] = own if is_own else other if is_other else "."
        beside = self.beside(*((mover, waiter) if side == "x" else (waiter, mover)))
        return "/".join(map("".join, board)) + " " + side + (" " + beside if beside else "")

    def sides(self, mover, waiter):
        """The sides that may be to move; the side waiting made the last move."""
        if self.moves_rule and len(mover) == len(waiter) == self.each:
            return ["x", "o"]
        return ["x"] if len(mover) == len(waiter) else ["o"]

    def solve(self):
        """Value ("win", "loss", "draw"), plies and end of every arrangement."""
        self.children, self.over, known = {}, {}, {}
        self.kept = list(self.arrangements())
        found = dict.fromkeys(self.kept)
        while found:
            for position in found:
                end = self.end(*position)
                self.children[position] = [] if end else list(self.moves(*position))
                if not self.children[position]:
                    self.over[position], value = end or self.blocked(*position)
                    known[position] = (value, None if value == "draw" else 0)
            # Positions after a move in layers without entries.
            after = (child for position in found for _, child in self.children[position])
            found = dict.fromkeys(child for child in after if child not in self.children)
        open_ones, plies, idle = [p for p in self.children if p not in known], 1, 0
        while idle < 2:
            found = {}
            for position in open_ones:
                after = [known.get(child) for _, child in self.children[position]]
                if ("loss", plies - 1) in after:
                    found[position] = ("win", plies)
                elif all(a and a[0] == "win" for a in after) and max(a[1] for a in after) == plies - 1:
                    found[position] = ("loss", plies)
            known.update(found)
            open_ones = [p for p in open_ones if p not in found]
            idle, plies = (0 if found else idle + 1), plies + 1
        ends = {p for p, (value, _) in known.items() if value == "draw"}
        known.update((p, ("draw", None)) for p in open_ones)
        while True:
            drawing = lambda p: [c for _, c in self.children[p] if known[c][0] == "draw"]
            found = [p for p in open_ones if p not in ends and all(c in ends for c in drawing(p))]
            if not found:
                break
            ends.update(found)
        self.known, self.ends = known, ends

    def best(self, position, distances):
        def worth(child):
            value, plies = self.known[child]
            plies = plies if distances and plies is not None else 0
            return {"loss": (2, -plies), "draw": (1, 0), "win": (0, plies)}[value]

        if not self.children[position]:
            return []
        top = max(worth(child) for _, child in self.children[position])
        return [move for move, child in self.children[position] if worth(child) == top]

    def rows(self, distances):
        rng = random.Random(self.name)
        everything, kept = self.kept, set(self.kept)
        chosen = everything[:1] + rng.sample(everything, min(SAMPLE, len(everything)))
        passing = [p for p in everything if self.stuck == "pass" and [m for m, _ in self.children[p]] == ["pass"]]
        held = [line | ends for line, ends in self.lines if ends]
        longer = [(mover, waiter) for mover, waiter in everything if any(cells <= self.cells_of(waiter) for cells in held)]
        chosen += rng.sample(passing, min(3, len(passing))) + longer[:3]
        deep = sorted(everything, key=lambda p: (self.known[p][1] or 0, *map(sorted, map(self.cells_of, p))))
        ended = [position for position in self.children if position not in kept]
        for position in dict.fromkeys(chosen + deep[-5:] + rng.sample(ended, min(5, len(ended)))):
            value, plies = self.known[position]
            draw = ("end" if position in self.ends else "cycle") if value == "draw" else ""
            plies = plies if distances and plies is not None else ""
            best = " ".join(self.best(position, distances))
            side = rng.choice(self.sides(*position))
            yield self.name, self.text(*position, side), value, plies, draw, self.over.get(position, ""), best, ""


    def census(self, distances):
        """A row for each layer, value, distance (-1 for none) and kind of draw (1 for a draw that ends, 2 for a draw by cycle)."""
        counts = Counter()
        for position in self.kept:
            value, plies = self.known[position]
            plies = plies if distances and value != "draw" else -1
            draw = 0 if value != "draw" else 1 if position in self.ends else 2
            pieces = [len(self.cells_of(side)) for side in position]
            counts[self.layer(*position), *pieces, {"win": 1, "draw": 0, "loss": -1}[value], plies, draw] += 1
        order = lambda row: (row[0], (1, -1, 0).index(row[3]), row[4], row[5])
        return [(self.name, *row[1:], counts[row]) for row in sorted(counts, key=order)]


class Ageing(Game):
    """The pieces of a side age: a side is a tuple of its cells, the oldest first."""

    def __init__(self, text):
        super().__init__(text)
        self.oldest = self.moves_rule["oldest"]

    def cells_of(self, side):
        return frozenset(side)

    def beside(self, x, o):
        sides = [",".join(self.names[cell] for cell in side) for side in (x, o)]
        return "/".join(sides) if max(len(x), len(o)) > 1 else ""

    def arrangements(self):
        for ply in range(2 * self.each + 1):
            for mover in itertools.permutations(range(self.cells), ply // 2):
                if self.has_line(frozenset(mover)):
                    continue
                rest = [cell for cell in range(self.cells) if cell not in mover]
                for waiter in itertools.permutations(rest, (ply + 1) // 2):
                    yield mover, waiter

    def moves(self, mover, waiter):
        is_whole = len(mover) == self.each
        kept = mover[1:] if is_whole and self.oldest == "first" else mover
        for cell in range(self.cells):
            if cell in kept or cell in waiter:
                continue
            after = (*kept, cell)
            if len(after) > self.each and not (self.oldest == "after-lines" and self.has_line(frozenset(after))):
                after = after[1:]
            yield self.names[cell], (waiter, after)

    def sides(self, mover, waiter):
        return ["x", "o"] if len(waiter) > self.each else super().sides(mover, waiter)


class Pushing(Game):
    """A piece from the border, own or new, is pushed in at another end of its row or column."""

    def arrangements(self):
        for owners in itertools.product((None, 0, 1), repeat=self.cells):
            yield tuple(frozenset(cell for cell in range(self.cells) if owners[cell] == side) for side in (0, 1))

    def layer(self, mover, waiter):
        pair = len(mover), len(waiter)
        return sum(pair), min(pair, pair[::-1]), pair[::-1]

    def end(self, mover, waiter):
        if self.has_line(mover):
            return "own-line", "loss" if self.misere else "win"
        return super().end(mover, waiter)

    def moves(self, mover, waiter):
        rows, columns = self.shape
        for row, column in itertools.product(range(rows), range(columns)):
            if (row, column) == (min(max(row, 1), rows - 2), min(max(column, 1), columns - 2)):
                continue
            start = row * columns + column
            down, across = range(column, self.cells, columns), range(row * columns, (row + 1) * columns)
            for end, line in (down[0], down), (across[0], across), (across[-1], across), (down[-1], down):
                if end == start or start in waiter:
                    continue
                path = [cell for cell in line if min(start, end) <= cell <= max(start, end)]
                if end < start:
                    path.reverse()
                content = lambda cell: 0 if cell in mover else 1 if cell in waiter else None
                after = {cell: content(cell) for cell in range(self.cells)}
                after.update(zip(path, [*map(content, path[1:]), 0]))
                sets = [frozenset(cell for cell in after if after[cell] == side) for side in (1, 0)]
                yield f"{self.names[start]}>{self.names[end]}", tuple(sets)

    def sides(self, mover, waiter):
        return ["x", "o"]


class Mills(Game):
    """A line takes a piece of the other side: a side is its cells and its number of pieces in hand."""

    def __init__(self, text):
        super().__init__(text)
        mills = tomllib.loads(text)["mills"]
        takes = mills.get("takes", "outside-first")
        self.takes, self.most = takes.removeprefix("two-"), 2 if takes.startswith("two-") else 1
        self.least, self.fly = mills.get("least", 3), mills.get("fly", 0)
        self.full, self.mixed = mills.get("full"), mills.get("mixed", False)
        self.shortest = min(len(line) for line, _ in self.lines)

    def cells_of(self, side):
        return side[0]

    def beside(self, x, o):
        return f"{x[1]}/{o[1]}" if x[1] or o[1] else ""

    def layer(self, mover, waiter):
        numbers = [len(side[0]) for side in (mover, waiter)], [side[1] for side in (mover, waiter)]
        turned = [pair[::-1] for pair in numbers]
        return -sum(numbers[1]), -sum(numbers[0]), tuple(map(tuple, min(list(numbers), turned))), tuple(map(tuple, turned))

    def is_few(self, count, hand):
        return hand == 0 and count < self.least

    def stages(self):
        """All (pieces, hand, pieces of the other side, its hand) that moves may lead to by their numbers."""
        found = [(0, self.each, 0, self.each)]
        for own, hand, others, other_hand in found:
            if self.is_few(own, hand):
                continue
            after = [(own, hand)] if own and (self.mixed or not hand) else []
            after += [(own + 1, hand - 1)] if hand and own + others < self.cells else []
            for count, left in after:
                most = min(self.most, others, max(0, count + 1 - self.shortest))
                new = [(others - take, other_hand, count, left) for take in range(most + 1)]
                found += [stage for stage in new if stage not in found]
        return found

    def arrangements(self):
        for own, hand, others, other_hand in self.stages():
            if self.is_few(own, hand):
                continue
            for mover in itertools.combinations(range(self.cells), own):
                rest = [cell for cell in range(self.cells) if cell not in mover]
                for waiter in itertools.combinations(rest, others):
                    yield (frozenset(mover), hand), (frozenset(waiter), other_hand)

    def end(self, mover, waiter):
        return ("few", "loss") if self.is_few(len(mover[0]), mover[1]) else None

    def blocked(self, mover, waiter):
        is_full = len(mover[0]) + len(waiter[0]) == self.cells
        return ("full", self.full) if self.full and is_full else super().blocked(mover, waiter)

    def moves(self, mover, waiter):
        (own, hand), (others, _) = mover, waiter
        empty = [cell for cell in range(self.cells) if cell not in own | others]
        flies = not hand and len(own) <= self.fly
        steps = [(self.names[b], own | {b}, b, hand - 1) for b in empty if hand]
        if self.mixed or not hand:
            pairs = [(a, b) for a in sorted(own) for b in empty if flies or b in self.links[a]]
            steps += [(f"{self.names[a]}-{self.names[b]}", own - {a} | {b}, b, hand) for a, b in pairs]
        for text, after, to, left in steps:
            lines = len({line for line in self.made(after) if to in line})
            takes = sorted(self.taken(others)) if lines else []
            for taken in itertools.combinations(takes, min(lines, self.most, len(takes))):
                names = "".join(f"x{self.names[cell]}" for cell in taken)
                yield text + names, ((others - set(taken), waiter[1]), (after, left))

    def taken(self, others):
        outside = others - frozenset().union(*self.made(others))
        return others if self.takes == "any" or self.takes == "outside-first" and not outside else outside

    def sides(self, mover, waiter):
        if self.mixed or not mover[1] and not waiter[1]:
            return ["x", "o"]
        return ["x"] if mover[1] == waiter[1] else ["o"]


def read(text):
    """The game of a rule file."""
    rules = tomllib.loads(text)
    moves = rules.get("moves", {})
    kind = Ageing if "oldest" in moves else Pushing if moves.get("to") == "push" else Mills if "mills" in rules else Game
    return kind(text)


# Texts that are not positions, with the reason.
BAD = [
    ("classic", "X../.Z./... o", "character"),
    ("classic", "", "size"),
    ("classic", "X../.../.. o", "size"),
    ("classic", "X../.../..../ o", "row"),
    ("classic", "X.../.../.. o", "row"),
    ("classic", "X../.../...// o", "row"),
    ("classic", "XXX/.../... o", "counts"),
    ("classic", "..O/.../... x", "counts"),
    ("classic", "X../.../... x", "side"),
    ("classic", "XXX/OO./O.. x", "mover-line"),
    ("classic", "XXX/OOO/... x", "both-lines"),
    ("classic-wdl", "XXX/OO./O.. x", "mover-line"),
    ("swap", "XX./OO./XO.", "side-missing"),
    ("swap", "XX./OO./XOX o", "counts"),
    ("swap", "XXX/OO./O.. x", "mover-line"),
    ("shisima", ".../.../... x", "counts"),
    ("six", "X...../....../....../....../....../.....X o", "counts"),
    ("fano", "X.. .... x", "side"),
    ("fano", "X.O..Y. x", "character"),
    ("ring", "X.../.#../O... x", "character"),
    ("ring", "X.../O##./...X#", "character"),
    ("ring", "X..#/.##./O... x", "character"),
    ("ring", "X.../O##/.... x", "row"),
    ("ring", "X.../..../O... x", "row"),
    ("ring", "X.../O##./.... o", "side"),
    ("wheel", "X##/... x", "character"),
    ("disappearing-line-first", "X../.O./X.. o", "beside"),
    ("disappearing-line-first", "X../.O./X.. o a1,a2/b2", "beside"),
    ("disappearing-line-first", "X../.O./X.. o a1,a3", "character"),
    ("disappearing-line-first", "XXO/OXX/..O o a1,b1,b2,c2/c1,a2,c3", "counts"),
    ("disappearing-line-first", "X../.O./X.. x a1,a3/b2", "side"),
    ("quixo3", "X../.O./X..", "side-missing"),
    ("mill", ".../.../... x", "counts"),
    ("mill", ".../.../... x 4/x", "beside"),
    ("mill", ".../.../... x 4/300", "beside"),
    ("mill", "XX./.../... x 4/4", "counts"),
    ("mill", ".../.../... 4/4", "character"),
]

# Other ways to write a position; the answers are the same as for the strict form.
LENIENT = [
    ("classic", "X...O...X", "X../.O./..X o"),
    ("classic", "1 0 0 0 2 0 0 0 1", "X../.O./..X o"),
    ("classic", "[[1 0 0] [0 2 0] [0 0 1]]", "X../.O./..X o"),
    ("classic", "x__/_o_/--x", "X../.O./..X o"),
    ("swap", "xx. oo. xo. o", "XX./OO./XO. o"),
    ("ring", "X.../../O...", "X.../.##./O... x"),
    ("ring", "[X...][0##0][2...]", "X.../.##./O... x"),
    ("ring", "x...  ..o...", "X.../.##./O... x"),
]


def solved(path):
    game = read(Path(path).read_text())
    game.solve()
    return game


def write_census(paths):
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["game", "mover", "waiter", "value", "plies", "draw", "count"])
    for game in map(solved, paths):
        out.writerows(game.census(not game.name.endswith("-wdl")))


def write_vectors(paths):
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["game", "position", "value", "plies", "draw", "over", "best", "error"])
    games = {}
    for game in map(solved, paths):
        games[game.name] = game
        out.writerows(game.rows(not game.name.endswith("-wdl")))
    for name, text, strict in LENIENT:
        game = games[name]
        board, side = strict.split()
        letters = [c for c in board if c in "XO."]
        cells = {mark: frozenset(i for i, c in enumerate(letters) if c == mark) for mark in "XO"}
        position = (cells["X"], cells["O"]) if side == "x" else (cells["O"], cells["X"])
        value, plies = game.known[position]
        draw = ("end" if position in game.ends else "cycle") if value == "draw" else ""
        best = " ".join(game.best(position, True))
        over = game.over.get(position, "")
        out.writerow([name, text, value, "" if plies is None else plies, draw, over, best, ""])
    out.writerows([name, text, "", "", "", "", "", error] for name, text, error in BAD)


if sys.argv[1:2] == ["--census"]:
    write_census(sys.argv[2:])
else:
    write_vectors(sys.argv[1:])
