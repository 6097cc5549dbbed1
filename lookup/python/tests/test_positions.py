"""Games and positions as objects, and playing on from them."""

import tomllib
import array
import csv
import io
import itertools
import pickle
import random
import subprocess
from collections import Counter
from pathlib import Path

import morpion
import pytest
from helpers import CONFORMANCE, NINE, conformance_table, optional

CLASSIC = morpion.Table.builtin("classic")
# The number of positions that play can reach in each game, as other programs have counted them.
FACTS = Path(__file__).resolve().parents[3] / "tests" / "facts" / "games.csv"


def counted():
    with open(FACTS, newline="") as file:
        lines = (line for line in file if not line.startswith("#"))
        return {row["game"]: int(row["positions"]) for row in csv.DictReader(lines) if row["positions"]}


def walked(game):
    """All positions by moves alone, the side to move apart from the pieces."""
    found, new = {game.start}, [game.start]
    while new:
        new = {after for position in new for after in map(position.after, position.legal_moves)} - found
        found.update(new)
    return found


@pytest.mark.parametrize("name", [*NINE, "mill"])
def test_positions_are_those_that_play_reaches(name):
    table = conformance_table(name)
    positions, by_moves = list(table.game.positions()), walked(table.game)
    masks = [(position.mover, position.waiter) for position in positions]
    assert len({*masks}) == len(masks), "each once"
    assert {*masks} == {(position.mover, position.waiter) for position in by_moves}
    assert {*positions} <= by_moves, "with a side that play reaches it with"
    assert len(positions) == counted().get(name, len(positions))


def test_known_numbers_are_found():
    facts = counted()
    assert facts["classic"] == 5478 and len({*facts} & {*NINE}) > 3
    winners = Counter(position.winner for position in CLASSIC.game.positions() if position.is_over)
    assert winners == {"x": 626, "o": 316, None: 16}


def test_positions_compare_hash_and_print():
    start = CLASSIC.game.start
    one, other = start.after("a1").after("b2"), CLASSIC.game.position([[1, 0, 0], [0, 2, 0], [0, 0, 0]])
    assert one == other and hash(one) == hash(other) and one is not other and len({one, other, start}) == 2
    assert (str(one), repr(one)) == ("X../.O./... x", "Position('X../.O./... x')")
    assert one != "X../.O./... x" and one != start and (one.mover, one.waiter) == (1, 16)
    again = morpion.Table.builtin("classic").game
    assert again.start == start and again == CLASSIC.game and hash(again) == hash(CLASSIC.game)
    assert morpion.Table.builtin("swap").game.start != start, "of other rules"
    moved = morpion.Table.builtin("swap").game
    x, o = (moved.position("XX./OO./XO.", side) for side in "xo")
    assert x != o and (x.mover, x.waiter) == (o.waiter, o.mover)


def test_positions_are_read_from_every_form_in_notebooks():
    game = morpion.Table.builtin("swap").game
    expected = game.position("XX./OO./XO. o")
    assert game.position((1, 1, 0, 2, 2, 0, 1, 2, 0), "o") == expected == game.from_masks(0b010011000, 0b001000011, "o")
    assert game.from_masks(expected.mover, expected.waiter).side == "x", "the default"
    assert game.position(expected) == expected == game.position(expected.cells, expected.side)
    assert game.from_masks(0, 1).side == "o"


@pytest.mark.parametrize("kind", ["list", "int8", "int64", "matrix"])
def test_arrays_are_positions(kind):
    numpy = optional("numpy")
    cells = [1, 0, 0, 0, 2, 0, 0, 0, 0]
    array = {"list": cells, "matrix": numpy.reshape(cells, (3, 3))}.get(kind)
    array = numpy.asarray(cells, kind) if array is None else array
    assert str(CLASSIC.game.position(array)) == "X../.O./... x"
    assert CLASSIC.game.position(numpy.asarray(cells, float)) == CLASSIC.game.position(array)
    with pytest.raises((TypeError, morpion.PositionError)):
        CLASSIC.game.position(numpy.asarray(cells) / 2)


@pytest.mark.parametrize(
    "ask, kind",
    [
        (lambda game: game.from_masks(1, 1), "overlap"),
        (lambda game: game.from_masks(1 << 9, 0), "off-the-board"),
        (lambda game: game.from_masks(1, 0), "counts"),
        (lambda game: game.from_masks(0, 0, "o"), "side"),
        (lambda game: game.from_masks(0, 0, "white"), "side"),
        (lambda game: game.position(game.start, "o"), "side"),
        (lambda game: game.position(morpion.Table.builtin("swap").game.start), "other-rules"),
        (lambda game: game.start.after("d1"), "move"),
        (lambda game: game.start.after("a1-b2"), "move"),
        (lambda game: game.start.after("a1").after("a1"), "move"),
        (lambda game: game.position("XXX/OO./... o").after("c3"), "move"),
    ],
)
def test_invalid_positions_and_moves_get_an_error_with_its_name(ask, kind):
    with pytest.raises(morpion.PositionError) as found:
        ask(CLASSIC.game)
    assert found.value.kind == kind, found.value


@pytest.mark.parametrize("given", [dict(enumerate("X........")), {1: "X", 2: "O"}, {0, 1, 2}, frozenset("XO."), {}.keys()])
def test_keys_and_sets_are_not_the_cells_of_a_position(given):
    with pytest.raises(TypeError, match="is not a position"):
        CLASSIC.game.position(given)


@pytest.mark.parametrize("given", [range(9), range(1, 10), ["0", None, "1"] + [None] * 6, [True, None, False] + [None] * 6, ["X", "O"] + ["E"] * 7])
def test_cells_with_two_meanings_are_refused(given):
    with pytest.raises(morpion.PositionError) as found:
        CLASSIC.game.position(given)
    assert found.value.kind == "character"


def test_boards_with_numbers_in_the_empty_cells_are_read():
    for given in (["X", "O", *range(3, 10)], [["X", "O", 3], [4, 5, 6], [7, 8, 9]], "X|O|3\n4|5|6\n7|8|9"):
        assert str(CLASSIC.game.position(given)) == "XO./.../... x"


@pytest.mark.parametrize("ask", [lambda game: game.start.after(3), lambda game: game.from_masks("1", 0), lambda game: game.position(3)])
def test_other_types_are_type_errors(ask):
    with pytest.raises(TypeError):
        ask(CLASSIC.game)


class Odd:
    def __repr__(self):
        raise RuntimeError


@pytest.mark.parametrize("value, shown", [(3.5, "3.5 (float)"), (None, "None (NoneType)"), (b"x" * 99, "b'xxx"), (Odd(), "… (Odd)")])
@pytest.mark.parametrize(
    "ask",
    [
        lambda table, value: table.probe(value), lambda table, value: table.moves(value), lambda table, value: table.game.position(value),
        lambda table, value: table.after(".../.../...", value), lambda table, value: table.game.start.after(value),
        lambda table, value: table.game.from_masks(value, 0), lambda table, value: table.game.from_masks(0, value),
        lambda table, value: table.choose(".../.../...", errors=value), lambda table, value: table.judge(value),
        lambda table, value: table.regret(lambda position: "b2", value), lambda table, value: table.regret(lambda position: "b2", 1, plies=value),
        lambda table, value: next(table.training_arrays(rows=value)), lambda table, value: table.training_arrays(seed=value),
        lambda table, value: morpion.Table.builtin(value), lambda table, value: morpion.open_game(value),
        lambda table, value: morpion.Table.open("x", mmap=value), lambda table, value: morpion.Table.open("x", cache=value),
        lambda table, value: morpion.dataset(value, "x"), lambda table, value: morpion.dataset("classic", value),
    ],
)
def test_an_error_names_the_value_and_its_type(ask, value, shown):
    with pytest.raises((TypeError, morpion.MorpionError)) as found:
        ask(CLASSIC, value)
    assert shown in str(found.value), found.value


def test_numbers_out_of_range_are_named():
    for ask in (lambda: CLASSIC.game.from_masks(-1, 0), lambda: CLASSIC.game.from_masks(0, 1 << 64), lambda: CLASSIC.training_arrays(rows=-1)):
        with pytest.raises(morpion.MorpionError, match=r"is -?[0-9]+ \(int\): use a number from"):
            ask()


def test_every_method_takes_objects():
    for name in NINE:
        table = morpion.Table.builtin(name)
        for position in itertools.islice(table.game.positions(), 0, None, 97):
            text = str(position)
            assert table.probe(position) == table.probe(text) and table.moves(position) == table.moves(text)
            assert table.over(position) == position.over == table.over(text)
            assert sorted(move.move for move in table.moves(text)) == sorted(position.legal_moves)
            for move in table.moves(position):
                assert position.after(move) == position.after(move.move) == table.after(position, move)
            assert table.probe_many([position, text]) == [table.probe(text)] * 2


def test_symmetric_forms_have_the_same_score():
    for name in NINE:
        table = morpion.Table.builtin(name)
        for position in itertools.islice(table.game.positions(), 0, None, 211):
            orbit = position.orbit()
            assert position in orbit and len({*orbit}) == len(orbit) and table.symmetries % len(orbit) == 0
            assert {*table.probe_many(orbit)} == {table.probe(position)}
            assert all(form.orbit() == orbit for form in orbit)
    # The 765 essentially different positions of tic-tac-toe.
    assert len({position.orbit()[0] for position in CLASSIC.game.positions()}) == 765


@pytest.mark.parametrize("name", NINE)
def test_a_line_is_perfect_to_its_end(name):
    table = morpion.Table.builtin(name)
    line = table.line()
    assert len(line) == len(line.moves) == len(line.positions) - 1 and line.positions[0] == table.game.start
    for position, move, after in zip(line.positions, line.moves, line.positions[1:]):
        assert move == table.moves(position)[0].move and position.after(move) == after
    assert (line.over is None) != (line.cycle is None) and line.positions[-1].over == line.over
    if line.cycle is not None:
        assert line.positions[line.cycle] == line.positions[-1]
    plies = table.probe(table.start).plies
    assert plies is None or len(line) == plies


def test_a_level_errs_with_the_given_probability():
    position, numbers = CLASSIC.game.position("X../.../..."), random.Random(1)
    for share, many in ((0, 1), (0.25, 8), (1, 7)):
        chosen = Counter(CLASSIC.choose(position, errors=share, random=numbers.random) for _ in range(4000))
        assert abs(1 - chosen["b2"] / 4000 - share) < 0.03, chosen
        assert len(chosen) == many and {*chosen} <= {*position.legal_moves}
    assert CLASSIC.choose("XXX/OO./...") is None
    # If all moves are perfect, a player cannot err.
    assert {CLASSIC.choose(CLASSIC.start, errors=1) for _ in range(400)} == {*CLASSIC.game.start.legal_moves}


@pytest.mark.parametrize("wrong", [{"errors": -0.1}, {"errors": 1.5}, {"errors": float("nan")}, {"random": lambda: 1.0}, {"random": lambda: -1}])
def test_an_invalid_level_gets_an_error_with_its_name(wrong):
    with pytest.raises(morpion.MorpionError) as found:
        CLASSIC.choose("X../.../...", **wrong)
    assert found.value.kind == "level"
    with pytest.raises(TypeError):
        CLASSIC.choose("X../.../...", random=lambda: "half")


def objects(table):
    return [
        table.game,
        table.game.start.after(table.game.start.legal_moves[0]),
        table.probe(table.start),
        table.moves(table.start)[0],
    ]


@pytest.mark.parametrize("name", NINE)
def test_answers_and_positions_pickle(name):
    for before in objects(morpion.Table.builtin(name)):
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(before, protocol)) == before
    # Pickled positions of a game contain its rules once.
    positions = list(itertools.islice(morpion.Table.builtin(name).game.positions(), 100))
    data = pickle.dumps(positions)
    assert pickle.loads(data) == positions and len(data) < len(pickle.dumps(positions[0])) + 100 * 80


def test_rules_of_all_kinds_pickle():
    files = sorted((CONFORMANCE / "tables").glob("*.morpion"))
    assert len(files) > 5
    for file in files:
        game = morpion.Table.open(file).game
        again = pickle.loads(pickle.dumps(game))
        assert again == game and again.actions == game.actions and again.start.orbit() == game.start.orbit()
        assert str(again.start) == str(game.start) and again.start.legal_moves == game.start.legal_moves
        for position, same in itertools.islice(zip(game.positions(), again.positions()), 300):
            assert position == same and (position.over, position.legal_moves) == (same.over, same.legal_moves)


def test_arrays_of_scores_pickle():
    masks = memoryview(bytes(8) + (3).to_bytes(8, "little")).cast("Q"), memoryview(bytes(8) + (24).to_bytes(8, "little")).cast("Q")
    scores = CLASSIC.probe_many(*masks)
    again = pickle.loads(pickle.dumps(scores))
    for name in ("value", "plies", "draw", "error"):
        assert getattr(again, name).tolist() == getattr(scores, name).tolist()
    assert again.value.tolist() == [0, 1] and again.plies.format == "h"
    with pytest.raises(morpion.MorpionError):
        morpion.Scores(b"12", b"12", b"12", b"12")


def test_tables_pickle_as_what_they_were_opened_with(tmp_path, monkeypatch):
    data = (Path(__file__).parents[2] / "builtin" / "swap.morpion").read_bytes()
    (tmp_path / "swap.morpion").write_bytes(data)
    monkeypatch.chdir(tmp_path)
    tables = [
        morpion.Table.builtin("swap"),
        morpion.Table.open("swap.morpion"),
        morpion.Table.open(tmp_path / "swap.morpion", mmap=True, cache=1),
        morpion.Table.open(data),
        morpion.Table.from_bytes(bytearray(data)),
        morpion.Table.open(io.BytesIO(data)),
    ]
    pickled = [pickle.dumps(table) for table in tables]
    monkeypatch.chdir("/")
    for bytes_, table in zip(pickled, tables):
        assert pickle.loads(bytes_).probe("X../.O./... x") == table.probe("X../.O./... x")
    assert len(pickled[0]) < 200 and len(pickled[1]) < 400
    with pytest.raises(TypeError):
        pickle.dumps(morpion.Table.open(open(tmp_path / "swap.morpion", "rb")))
    tables[0].close()
    with pytest.raises(morpion.TableError):
        pickle.dumps(tables[0])


def test_worker_processes_take_tables_and_positions(pytestconfig, tmp_path):
    (tmp_path / "pool.py").write_text(
        """
import morpion
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

table = morpion.Table.builtin("swap")

def ask(table, position):
    return position, table.probe(position), table.game

if __name__ == "__main__":
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        position = table.game.start.after("b2")
        assert pool.submit(ask, table, position).result(60) == (position, table.probe(position), table.game)
"""
    )
    subprocess.run([str(pytestconfig.python), "pool.py"], cwd=tmp_path, check=True, timeout=300)


def test_lines_pickle_and_answers_are_named_tuples():
    line = CLASSIC.line()
    again = pickle.loads(pickle.dumps(line))
    assert (again.positions, again.moves, again.over, again.cycle) == (line.positions, line.moves, line.over, line.cycle)
    move = CLASSIC.moves("XX./OO./... x")[0]
    assert move == ("c1", "win", 1, None, None, False, None) and str(move) == "c1"
    assert move._fields == ("move", "value", "plies", "draw", "take", "push", "also")
    assert CLASSIC.probe("XX./OO./... x")._asdict() == {"value": "win", "plies": 1, "draw": None}


def test_positions_without_an_answer_get_the_default():
    invalid = "XXX/OOO/... x"
    assert CLASSIC.get_probe(invalid) is None and CLASSIC.get_value(invalid, default="unknown") == "unknown"
    assert CLASSIC.get_plies(invalid, default=-1) == -1 and CLASSIC.get_best(invalid, default=[]) == []
    valid = "XX./OO./... x"
    assert CLASSIC.get_probe(valid) == CLASSIC.probe(valid) and CLASSIC.get_best(valid) == CLASSIC.best(valid)
    assert (CLASSIC.get_value(valid), CLASSIC.get_plies(valid)) == ("win", 1)


def census_rows(table):
    """The rows of a census, in the codes of arrays."""
    values, draws = {"win": 1, "draw": 0, "loss": -1}, {None: 0, "end": 1, "cycle": 2}
    for mover, waiter, value, draw, plies, count in zip(*table.census.values()):
        if value != "invalid":
            yield mover, waiter, values[value], -1 if plies is None else plies, draws[draw], count


def test_the_census_of_each_table_has_the_counts_of_an_independent_solver():
    expected = {}
    with open(CONFORMANCE / "census.csv", newline="") as file:
        for game, *row in itertools.islice(csv.reader(file), 1, None):
            expected.setdefault(game, []).append(tuple(map(int, row)))
    assert len(expected) > 15
    for name, rows in expected.items():
        assert list(census_rows(conformance_table(name))) == rows, name


# Without pieces that age: sets of cells do not say their order.
@pytest.mark.parametrize("name", [name for name in NINE if not name.startswith("disappearing")])
def test_the_census_counts_the_positions_of_each_score(name):
    table = morpion.Table.builtin(name)
    rows = list(census_rows(table))
    assert len({row[:5] for row in rows}) == len(rows) and all(row[5] > 0 for row in rows)
    cells = range(table.cells)
    for mover, waiter in sorted({row[:2] for row in rows})[:6]:
        movers, waiters = array.array("Q"), array.array("Q")
        for own in itertools.combinations(cells, mover):
            rest = [cell for cell in cells if cell not in own]
            for other in itertools.combinations(rest, waiter):
                movers.append(sum(1 << cell for cell in own))
                waiters.append(sum(1 << cell for cell in other))
        scores = table.probe_many(movers, waiters)
        found = Counter(
            (value, plies, draw)
            for value, plies, draw, error in zip(scores.value, scores.plies, scores.draw, scores.error)
            if error in (0, 33)
        )
        invalid = sum(morpion.ERROR_KINDS.get(error) == "both-lines" for error in scores.error)
        found[(0, -1, 0)] -= invalid
        assert +found == {row[2:5]: row[5] for row in rows if row[:2] == (mover, waiter)}


def test_rules_contain_the_names_of_cells():
    rules = morpion.Table.builtin("tapatan").rules
    assert len(rules["cells"]) == 9 and len(rules["lines"]) == 8 and len(rules["links"]) == 16
    words = tomllib.loads(rules["text"])
    assert words["pieces"] == {"each": 3} and "opening" not in words and "goal" not in words
    assert CLASSIC.rules["links"] is None and set(tomllib.loads(CLASSIC.rules["text"])) == {"board", "lines"}
