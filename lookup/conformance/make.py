#!/usr/bin/env python3
"""Writes the expected answers of every language's reader: vectors.csv, positions with their answers, and census.csv, the number of
arrangements of each layer by value and distance.

    python3 make.py RULES.toml... > vectors.csv        (in this folder: ../../tables/*.toml of nine cells, rules/*.toml)
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
        to = self.moves_rule["to"]
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

    def has_line(self, pieces):
        return any(line <= pieces and not ends & pieces for line, ends in self.lines)

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
            board[row][column] = own if cell in mover else other if cell in waiter else "."
        return "/".join(map("".join, board)) + " " + side

    def sides(self, mover, waiter):
        """The sides that may be to move; the side waiting made the last move."""
        if self.moves_rule and len(mover) == len(waiter) == self.each:
            return ["x", "o"]
        return ["x"] if len(mover) == len(waiter) else ["o"]

    def solve(self):
        """Value ("win", "loss", "draw"), plies and end of every arrangement."""
        self.children, self.over, known = {}, {}, {}
        for position in self.arrangements():
            mover, waiter = position
            line = self.has_line(waiter)
            self.children[position] = [] if line else list(self.moves(mover, waiter))
            if line:
                self.over[position] = "line"
                known[position] = ("win" if self.misere else "loss", 0)
            elif not self.children[position] and self.moves_rule:
                self.over[position] = "stuck"
                known[position] = (self.stuck, None if self.stuck == "draw" else 0)
            elif not self.children[position]:
                self.over[position] = "full"
                known[position] = ("draw", None)
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
        everything = list(self.children)
        chosen = everything[:1] + rng.sample(everything, min(SAMPLE, len(everything)))
        passing = [p for p in everything if self.stuck == "pass" and [m for m, _ in self.children[p]] == ["pass"]]
        held = [line | ends for line, ends in self.lines if ends]
        longer = [(mover, waiter) for mover, waiter in everything if any(cells <= waiter for cells in held)]
        chosen += rng.sample(passing, min(3, len(passing))) + longer[:3]
        deep = sorted(everything, key=lambda p: (self.known[p][1] or 0, sorted(p[0]), sorted(p[1])))
        for position in dict.fromkeys(chosen + deep[-5:]):
            value, plies = self.known[position]
            draw = ("end" if position in self.ends else "cycle") if value == "draw" else ""
            plies = plies if distances and plies is not None else ""
            best = " ".join(self.best(position, distances))
            side = rng.choice(self.sides(*position))
            yield self.name, self.text(*position, side), value, plies, draw, self.over.get(position, ""), best, ""


    def census(self, distances):
        """A row for each layer, value, distance (-1 for none) and kind of draw (1 for a draw that ends, 2 for a draw by cycle)."""
        counts = Counter()
        for (mover, waiter), (value, plies) in self.known.items():
            plies = plies if distances and value != "draw" else -1
            draw = 0 if value != "draw" else 1 if (mover, waiter) in self.ends else 2
            counts[len(mover), len(waiter), {"win": 1, "draw": 0, "loss": -1}[value], plies, draw] += 1
        order = lambda row: (row[0] + row[1], (1, -1, 0).index(row[2]), row[3], row[4])
        return [(self.name, *row, counts[row]) for row in sorted(counts, key=order)]


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
    game = Game(Path(path).read_text())
    game.solve()
    return game


def write_census(paths):
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["game", "mover", "waiter", "value", "plies", "draw", "count"])
    for game in map(solved, paths):
        out.writerows(game.census(game.name != "classic-wdl"))


def write_vectors(paths):
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["game", "position", "value", "plies", "draw", "over", "best", "error"])
    games = {}
    for game in map(solved, paths):
        games[game.name] = game
        out.writerows(game.rows(game.name != "classic-wdl"))
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
