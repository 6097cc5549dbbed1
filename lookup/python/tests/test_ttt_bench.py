"""The rule files for the games of TTT-Bench: their labels against a search that knows the games by coordinates alone."""

import functools
import itertools
import json
import os
import random
import subprocess
import sys

import morpion
import pytest
from helpers import REPOSITORY, example

EXAMPLES = REPOSITORY / "lookup" / "python" / "examples"


def double():
    """Three in a row within columns 0 to 2 or 2 to 4 of three rows of five."""
    cell = lambda row, column: 1 << row * 5 + column
    for left in (0, 2):
        board = [[cell(row, left + column) for column in range(3)] for row in range(3)]
        yield from map(sum, board)
        yield from map(sum, zip(*board))
        yield sum(board[i][i] for i in range(3))
        yield sum(board[i][2 - i] for i in range(3))


def cube():
    """The faces of two cubes on top of each other: the corners with one equal coordinate, within one cube."""
    # In the order of the cells: by the rows of the drawing.
    order = [(z, y, x) for y in (0, 1) for z in (0, 1, 2) for x in (0, 1)]
    for low in (0, 1):
        for axis, equal in itertools.product(range(3), (0, 1, 2)):
            face = [at for at, corner in enumerate(order) if low <= corner[0] <= low + 1 and corner[axis] == equal]
            if len(face) == 4:
                yield sum(1 << at for at in face)


def squares():
    """The corners of squares of every size on five rows of five."""
    for size in range(1, 5):
        for row, column in itertools.product(range(5 - size), repeat=2):
            yield sum(1 << (row + i) * 5 + column + j for i, j in itertools.product((0, size), repeat=2))


# Cells, lines, stones, and the stones that are left to place in the positions that are searched.
GAMES = {"double": (15, {*double()}, 15, 8), "cube": (12, {*cube()}, 12, 9), "squares": (25, {*squares()}, 10, 3)}


def solver(lines, cells, most):
    @functools.cache
    def solve(mover, waiter):
        """Value and half-moves to the end: the winner hurries, the loser delays."""
        if any(waiter & line == line for line in lines):
            return -1, 0
        free = [1 << cell for cell in range(cells) if not (mover | waiter) >> cell & 1]
        if not free or (mover | waiter).bit_count() == most:
            return 0, 0
        after = [solve(waiter, mover | cell) for cell in free]
        value, plies = max(((-value, -plies if value < 0 else plies) for value, plies in after))
        return value, abs(plies) + 1 if value else 0

    return solve


@pytest.mark.parametrize("name", GAMES)
def test_labels_are_exact(name, tmp_path, pytestconfig):
    # The path of the program, set by `cargo test --test outside languages::`, which runs these tests.
    if "MORPION_PROGRAM" not in os.environ:
        pytest.skip("MORPION_PROGRAM names no program")
    cells, lines, most, left = GAMES[name]
    build = [os.environ["MORPION_PROGRAM"], "build", EXAMPLES / "ttt-bench" / f"{name}.toml", "--encoding", "plies", "--out", tmp_path]
    subprocess.run(build, check=True, capture_output=True)
    table = morpion.Table.open(tmp_path / f"ttt-{name}.morpion", mmap=True)
    assert table.cells == cells and {sum(1 << table.rules["cells"].index(cell) for cell in line) for line in table.rules["lines"]} == lines
    solve, numbers = solver(lines, cells, most), random.Random(1)
    words, expected = ([], []), []
    for _ in range(300):
        stones = numbers.sample(range(cells), numbers.randint(most - left, most))
        mover, waiter = (sum(1 << cell for cell in stones[first::2]) for first in (1, 0))
        if not any(mover & line == line for line in lines):
            words[0].append(mover), words[1].append(waiter), expected.append(solve(mover, waiter))
    positions = [table.game.from_masks(*both) for both in zip(*words)]
    values = {"win": 1, "draw": 0, "loss": -1}
    assert [(values[score.value], score.plies or 0) for score in map(table.probe, positions)] == expected and len({*expected}) > 3
    found = {**os.environ, "PYTHONPATH": str(pytestconfig.installed)}
    script = [sys.executable, EXAMPLES / "ttt_bench.py", tmp_path / f"ttt-{name}.morpion"]
    asked = [json.loads(line) for line in subprocess.run(script, check=True, capture_output=True, text=True, env=found).stdout.splitlines()]
    assert len(asked) == 10 and all(len(question["best"]) == 1 and question["value"] == "win" for question in asked)
    assert all(question == example("ttt_bench").label(table, question["position"]) for question in asked)
