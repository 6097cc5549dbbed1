import array
import csv
import doctest
import inspect
import io
import itertools
import os
import pathlib
import pickle
import random
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import morpion
import pytest
from helpers import CONFORMANCE, RangeFile, conformance_table, optional, serve
from morpion import words


def vectors():
    with open(CONFORMANCE / "vectors.csv", newline="") as file:
        return list(csv.DictReader(file))


@contextmanager
def opened(how):
    """Functions that open a table by the name of its game: a plain file or a packed one, read, mapped, as a file object or from a server."""
    if how == "built in":
        yield conformance_table
        return
    # The tables of all vectors, plain and packed: packed by `cargo test --test outside languages::`, which runs these tests.
    folder = os.environ.get("MORPION_VECTOR_TABLES")
    if folder is None:
        pytest.skip("MORPION_VECTOR_TABLES names no folder")
    kind, route = how.split()
    ending = {"plain": "morpion", "packed": "morpion.zst"}[kind]
    files = {f"/{path.name}": path.read_bytes() for path in Path(folder).iterdir() if path.name.endswith(f".{ending}")}
    assert len(files) > 10
    if route == "path":
        yield lambda name: morpion.Table.open(Path(folder, f"{name}.{ending}"))
    elif route == "bytes":
        yield lambda name: morpion.Table.open(files[f"/{name}.{ending}"])
    elif route == "object":
        yield lambda name: morpion.Table.open(io.BytesIO(files[f"/{name}.{ending}"]))
    else:
        with serve(files) as server:
            yield lambda name: morpion.Table.open(RangeFile(f"{server.url}/{name}.{ending}"))
            assert len(server.requests) > 50


ROUTES = ["built in", "packed path", "packed bytes", "packed object", "packed server", "plain object", "plain server"]


@pytest.mark.parametrize("how", ROUTES)
def test_all_vectors_are_answered(how):
    with opened(how) as open_table:
        answer_vectors(open_table)


def test_the_same_number_chooses_the_same_move_in_every_language():
    with open(CONFORMANCE / "choices.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 100
    for row in rows:
        level = {"errors": float(row["errors"]), "random": lambda: float(row["random"])}
        move = conformance_table(row["game"]).choose(row["position"], **level)
        assert (move or "") == row["move"], row


def answer_vectors(open_table):
    rows, tables = vectors(), {}
    assert len(rows) > 600
    for row in rows:
        game, position = row["game"], row["position"]
        t = tables.setdefault(game, tables.get(game) or open_table(game))
        if row["error"]:
            with pytest.raises(morpion.PositionError) as found:
                t.probe(position)
            assert found.value.kind == row["error"], row
            continue
        score = t.probe(position)
        plies = "" if score.plies is None else str(score.plies)
        found = (score.value, plies, score.draw or "", t.over(position) or "", " ".join(t.best(position)))
        assert found == (row["value"], row["plies"], row["draw"], row["over"], row["best"]), row
        assert t.value(position) == score.value and t.plies(position) == score.plies


def test_many_positions_are_answered_like_one():
    t = morpion.Table.builtin("classic")
    positions = [row["position"] for row in vectors() if row["game"] == "classic" and not row["error"]]
    assert t.probe_many(positions) == [t.probe(position) for position in positions]
    assert t.probe_many([]) == []
    known, unknown = t.probe_many([positions[0], "XXX/... x"])
    assert known == t.probe(positions[0]) and isinstance(unknown, morpion.PositionError)


def test_notebook_forms_are_positions():
    t = morpion.Table.builtin("swap")
    expected = t.probe("X../.O./... x")
    for form in (
        [[1, 0, 0], [0, 2, 0], [0, 0, 0]],
        (1, 0, 0, 0, 2, 0, 0, 0, 0),
        ["X..", ".O.", "..."],
        "(1,0,0,0,2,0,0,0,0)",
        "[[1, 0, 0], [0, 2, 0], [0, 0, 0]]",
    ):
        assert t.probe(form) == expected, form
    placed = [[1, 1, 0], [2, 2, 0], [1, 2, 0]]
    assert t.best(placed, "x") == t.best(placed, side="x") == t.best("XX./OO./XO. x")
    assert t.plies(placed, "x") == 1
    with pytest.raises(morpion.PositionError) as found:
        t.probe(placed)
    assert found.value.kind == "side-missing"


@pytest.mark.parametrize("nonsense", [3, None, [[1, 0, None]], object()])
def test_other_objects_than_positions_are_a_type_error(nonsense):
    with pytest.raises((TypeError, morpion.PositionError)):
        morpion.Table.builtin("classic").probe(nonsense)


@pytest.mark.parametrize("cell", [3, 9, 10, -1, 2**70])
def test_invalid_cells_are_an_error(cell):
    with pytest.raises((TypeError, morpion.PositionError)):
        morpion.Table.builtin("classic").probe([[cell, 0, 0], [0, 0, 0], [0, 0, 0]])


def nested(depth):
    made = [0]
    for _ in range(depth):
        made = [made]
    return made


def holding_itself():
    made = [0]
    made.append(made)
    return made


class Itself:
    def __iter__(self):
        return iter([self])


@pytest.mark.parametrize(
    "endless",
    [
        lambda: nested(200_000),
        holding_itself,
        Itself,
        lambda: itertools.repeat(0),
        lambda: itertools.repeat([]),
        lambda: itertools.repeat([[0, 0, 0]]),
        lambda: itertools.cycle(["X..", "..."]),
        lambda: (["X" * 1_000_000] for _ in itertools.count()),
        lambda: nested(8),
    ],
)
def test_endless_iterators_are_refused(endless):
    t = morpion.Table.builtin("classic")
    def listed(position):
        [answer] = t.probe_many([position])
        raise answer

    for ask in (t.probe, t.moves, t.over, listed):
        with pytest.raises((TypeError, morpion.PositionError), match="use text|more than|expected"):
            ask(endless())
    # A position may be a list of boards, each a list of rows: one level more than usual.
    assert t.probe([[[[0, 0, 0], [0, 1, 0], [0, 0, 0]]]]) == t.probe(".../.X./...")


def test_a_batch_without_end_is_refused(monkeypatch):
    assert words.BATCH == 10_000_000
    monkeypatch.setattr(words, "BATCH", 100_000)
    with pytest.raises(morpion.MorpionError, match="more than 100000 positions") as found:
        morpion.Table.builtin("classic").probe_many(itertools.repeat(".../.../..."))
    assert found.value.kind == "size"


@pytest.mark.parametrize(
    "name, make",
    [
        ("TableError", lambda: morpion.Table.open(b"nothing")),
        ("PositionError", lambda: morpion.Table.builtin("classic").probe("nonsense")),
    ],
)
def test_exceptions_have_their_import_names(name, make):
    kind = getattr(morpion, name)
    assert (kind.__module__, kind.__qualname__) == ("morpion", name)
    with pytest.raises(kind) as found:
        make()
    again = pickle.loads(pickle.dumps(found.value))
    assert type(again) is kind and again.args == found.value.args and again.kind == found.value.kind
    assert issubclass(kind, morpion.MorpionError) and morpion.MorpionError.__qualname__ == "MorpionError"


def test_worker_processes_hand_exceptions_back(pytestconfig):
    # A process of its own: workers import the script they were started from.
    script = """
import morpion
from concurrent.futures import ProcessPoolExecutor

def value(text):
    return morpion.Table.builtin("classic").probe(text).value

if __name__ == "__main__":
    with ProcessPoolExecutor(2) as pool:
        for call, kind in ((pool.submit(morpion.Table.open, b"nothing"), "magic"), (pool.submit(value, "X"), "size")):
            try:
                call.result(60)
            except morpion.MorpionError as error:
                assert error.kind == kind, error.kind
            else:
                raise AssertionError(kind)
"""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pool.py").write_text(script)
        subprocess.run([str(pytestconfig.python), "pool.py"], cwd=folder, check=True, timeout=300)


def test_moves_are_ranked_and_a_game_is_played():
    t = morpion.Table.builtin("classic")
    moves = t.moves("XX./OO./... x")
    assert moves[0].move == "c1" and (moves[0].value, moves[0].plies) == ("win", 1)
    assert [move.move for move in moves[:1]] == t.best("XX./OO./... x")
    position, length = t.start, 0
    while t.over(position) is None:
        position, length = t.after(position, t.best(position)[0]), length + 1
    assert length == 9 and t.over(position) == "full" and t.moves(position) == []
    with pytest.raises(morpion.PositionError) as found:
        t.after("X../.../... o", "a1")
    assert found.value.kind == "move"


def test_a_table_has_facts_about_its_game():
    t = morpion.Table.builtin("swap")
    assert (t.name, t.cells, t.encoding, t.symmetries, t.start) == ("swap", 9, "plies", 8, t.game.start)
    assert len(t.fingerprint) == 16 and t.entries > 100 and "swap" in repr(t)
    t.check_sums()
    assert repr(t.probe("XX./OO./XO. x")) == "Score(value='win', plies=1, draw=None)"


def test_threads_share_a_table():
    t = morpion.Table.builtin("classic")
    positions = [row["position"] for row in vectors() if row["game"] == "classic" and not row["error"]]
    expected = t.probe_many(positions)
    with ThreadPoolExecutor(8) as pool:
        for answers in pool.map(lambda _: t.probe_many(positions), range(64)):
            assert answers == expected


def test_the_wheel_is_for_every_python_and_carries_its_types(pytestconfig):
    assert "-cp311-abi3-" in pytestconfig.wheel.name
    names = zipfile.ZipFile(pytestconfig.wheel).namelist()
    assert {"morpion/_core.pyi", "morpion/py.typed"} <= {*names}
    assert Path(morpion.__file__).is_relative_to(pytestconfig.installed)


TYPED = """
import io
import morpion
import numpy

table: morpion.Table = morpion.Table.builtin("classic")
for source in ("path", b"data", io.BytesIO(), memoryview(b"")):
    with morpion.Table.open(source, cache=1) as other:
        best: list[str] = other.best("...", "x")
scores: list[morpion.Score | morpion.MorpionError] = table.probe_many(["..."])
masks = numpy.zeros(2, numpy.uint64)
errors: memoryview[int] = table.probe_many(masks, masks).error
value: str = table.get_value("...", default="unknown")
array: memoryview = table.probe_many(memoryview(b"").cast("Q"), memoryview(b"").cast("Q")).plies
plies: int | None = table.probe([[1, 0, 0], [0, 2, 0], [0, 0, 0]]).plies
"""


def test_the_types_are_those_of_the_module(pytestconfig, tmp_path):
    optional("mypy")
    optional("numpy")
    script = tmp_path / "typed.py"
    script.write_text(TYPED)
    found = {**os.environ, "MYPYPATH": str(pytestconfig.installed), "PYTHONPATH": str(pytestconfig.installed)}
    (tmp_path / "allowed").write_text("morpion._core.__all__\n")
    stubs = ("mypy.stubtest", "morpion._core", "--ignore-disjoint-bases", "--allowlist", "allowed")
    for command in (stubs, ("mypy", "--strict", str(script)), ("mypy", "--strict", "--disable-error-code", "import-untyped", "-p", "morpion")):
        subprocess.run([sys.executable, "-m", *command], check=True, env=found, cwd=tmp_path)


def public_members():
    """Everything with a docstring of its own: functions, classes, and what stands in them."""
    for name in morpion.__all__:
        value = getattr(morpion, name)
        yield name, value
        if isinstance(value, type) and not issubclass(value, Exception):
            keys = (key for base in value.__mro__ if base.__module__.startswith("morpion") for key in vars(base))
            yield from ((f"{name}.{key}", getattr(value, key)) for key in keys if not key.startswith("_"))


def test_every_public_name_has_an_example_that_runs(tmp_path):
    (tmp_path / "swap.morpion").write_bytes((CONFORMANCE.parent / "builtin" / "swap.morpion").read_bytes())
    (tmp_path / "swap.morpion.zst").write_bytes((CONFORMANCE.parent / "tests" / "packed" / "swap.morpion.zst").read_bytes())
    examples = 0
    runner = doctest.DocTestRunner()
    for name, member in public_members():
        if isinstance(member, (str, dict)):
            continue
        assert inspect.getdoc(member), f"{name} has no docstring"
        if name in ("dataset", "Dataset", "Table.tensors"):
            optional("numpy"), optional("pyarrow")
        given = {"morpion": morpion, "array": array, "io": io, "pathlib": pathlib, "random": random, "tables": tmp_path}
        example = doctest.DocTestParser().get_doctest(inspect.getdoc(member), given, name, None, None)
        # The fields of an answer are in the example of its class.
        owner, _, field = name.partition(".")
        is_field = field and not callable(member) and owner not in ("Table", "Game", "Position")
        assert example.examples or is_field, f"{name} has no example"
        runner.run(example)
        examples += len(example.examples)
    assert runner.failures == 0 and examples > 70
