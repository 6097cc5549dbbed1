"""Tests of notebooks: drawn boards, data frames, and the example, whose cells run here."""

import array
import ast
import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import morpion
import pytest
from helpers import optional

TAPATAN = morpion.Table.builtin("tapatan")
EXAMPLE = Path(__file__).parents[1] / "examples" / "first_moves.ipynb"


def shown(value):
    """The HTML of a value, as a tree, and the number of its boards."""
    tree = ElementTree.fromstring(f"<body>{value._repr_html_()}</body>")
    return "".join(tree.itertext()), len(tree.findall(".//{http://www.w3.org/2000/svg}svg"))


def test_positions_are_drawn_with_their_state():
    for position, state in ((TAPATAN.start, "X to move"), ("XXX/OO./O..", "X has won")):
        text, boards = shown(TAPATAN.game.position(position, "o" if state == "X has won" else "x"))
        assert state in text and boards == 1
    assert "draw" in shown(morpion.Table.builtin("classic").line().positions[-1])[0]


def test_tables_lines_and_judgements_are_drawn():
    text, boards = shown(TAPATAN)
    assert "win in 9" in text and "bestb2" in text and boards == 1
    line = TAPATAN.line()
    text, boards = shown(line)
    assert boards == len(line.positions) and "9. c2-c3" in text and "X has won." in text
    assert "repeats the first." in shown(morpion.Line(line.positions, line.moves, None, 0))[0]
    judgement = TAPATAN.judge(lambda position: position.legal_moves[0])
    text, boards = shown(judgement)
    assert boards == len(judgement.worst) == 10 and str(judgement.errors) in text
    assert shown(judgement.worst[0])[1] == 1


def test_a_long_line_ends_after_some_boards():
    positions, moves = [TAPATAN.start] * 100, ["a1"] * 99
    text, boards = shown(morpion.Line(positions, moves, None, 5))
    assert boards == 60 and "40 more boards." in text and "after move 5." in text


def test_a_closed_table_is_shown_as_text():
    table = morpion.Table.builtin("classic")
    table.close()
    assert table._repr_html_() is None


def test_arrays_are_rows_in_words():
    scores = TAPATAN.probe_many(array.array("Q", [0, 3, 7]), array.array("Q", [0, 24, 24]))
    assert list(scores) == [TAPATAN.probe(TAPATAN.start), ("win", 1, None), (None, None, None)]


def test_data_frames_have_the_columns_and_words_of_the_program():
    pandas = optional("pandas")
    scores = pandas.DataFrame(TAPATAN.probe_many([TAPATAN.start, "XX./OO./XO. x"]))
    assert list(scores.columns) == ["value", "plies", "draw"] and list(scores["value"]) == ["win", "draw"]
    assert scores["plies"][0] == 9 and scores["draw"][1] == "cycle"
    masks = array.array("Q", [0, 0b11]), array.array("Q", [0, 0b11000])
    assert list(pandas.DataFrame(TAPATAN.probe_many(*masks))["value"]) == ["win", "win"]
    census = pandas.DataFrame(TAPATAN.census)
    assert list(census.columns) == ["mover", "waiter", "value", "draw", "plies", "count"] and census["count"].dtype == "int64"
    assert set(census["value"]) == {"win", "draw", "loss", "invalid"} and set(census["draw"].dropna()) == {"cycle"}


@pytest.mark.parametrize("name", ["classic", "tapatan", "teeko"])
def test_the_census_is_the_csv_of_the_program(name):
    # The path of the program, set by `cargo test --test outside languages::`, which runs these tests.
    if "MORPION_PROGRAM" not in os.environ:
        pytest.skip("MORPION_PROGRAM names no program")
    command = [os.environ["MORPION_PROGRAM"], "info", name, "--csv"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    census = morpion.Table.builtin(name).census
    rows = [["" if item is None else str(item) for item in row] for row in zip(*census.values())]
    assert list(csv.reader(printed.splitlines())) == [list(census), *rows]


def run_cells(path):
    """Runs the cells of a notebook, and yields the value of each last line."""
    names = {}
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            *before, last = ast.parse("".join(cell["source"])).body
            exec(compile(ast.Module(before, []), path.name, "exec"), names)
            yield eval(compile(ast.Expression(last.value), path.name, "eval"), names)


def test_the_example_answers_its_question(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert len(json.loads(EXAMPLE.read_text())["cells"]) == 10
    table, moves, line, wins, plot, judgement = run_cells(EXAMPLE)
    assert [str(move) for move in moves if move.value == "win"] == ["b2"] and shown(table)[1] == 1
    assert line.over == "line" and shown(line)[1] == 10
    assert sum(count for _, count in wins) > 1000 and ElementTree.fromstring(plot._repr_svg_()).tag.endswith("svg")
    assert shown(judgement)[1] == 10


def test_the_example_plots_with_matplotlib(monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    *_, wins, plot, _ = run_cells(EXAMPLE)
    assert len(plot.patches) == len(wins)
