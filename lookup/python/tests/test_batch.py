"""Batches as arrays: masks in, scores out."""

import array
import itertools
import subprocess

import morpion
import pytest
from helpers import optional

CELLS = range(9)


def sides(text):
    """Masks of the mover and the waiter."""
    board, side = text.split()
    marks = board.replace("/", "")
    x, o = (sum(1 << cell for cell in CELLS if marks[cell] == mark) for mark in "XO")
    return (x, o) if side == "x" else (o, x)


def text(mover, waiter):
    mark = lambda cell: "X" if mover >> cell & 1 else "O" if waiter >> cell & 1 else "."
    board = "".join(map(mark, CELLS))
    return f"{board[:3]}/{board[3:6]}/{board[6:]} x"


LINES = [0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100]


def positions():
    """All of swap whose sides have the same number of pieces, so that X may be to move: (mover, waiter)."""
    for count in range(4):
        for mover in itertools.combinations(CELLS, count):
            for waiter in itertools.combinations([cell for cell in CELLS if cell not in mover], count):
                masks = sum(1 << cell for cell in mover), sum(1 << cell for cell in waiter)
                if not any(masks[0] & line == line for line in LINES):
                    yield masks


ALL = list(positions())
MOVERS, WAITERS = (array.array("Q", masks) for masks in zip(*ALL))
VALUES = {"win": 1, "draw": 0, "loss": -1}
DRAWS = {None: 0, "end": 1, "cycle": 2}


def expected(table):
    scores = [table.probe(text(*masks)) for masks in ALL]
    return (
        [VALUES[score.value] for score in scores],
        [-1 if score.plies is None else score.plies for score in scores],
        [DRAWS[score.draw] for score in scores],
    )


@pytest.mark.parametrize("name", ["swap", "tapatan"])
def test_arrays_are_answered_like_texts(name):
    table = morpion.Table.builtin(name)
    scores = table.probe_many(MOVERS, WAITERS)
    assert len(ALL) > 1500 and len(scores) == len(ALL)
    found = scores.value, scores.plies, scores.draw
    assert tuple(array.tolist() for array in found) == expected(table)
    assert [array.format for array in found] == ["b", "h", "b"]
    assert {*scores.value} == {-1, 0, 1} and 2 in {*scores.draw}


def test_any_buffer_of_masks_is_taken():
    table = morpion.Table.builtin("swap")
    found = table.probe_many(MOVERS, WAITERS).plies
    signed = array.array("q", MOVERS), array.array("q", WAITERS)
    strided = memoryview(array.array("Q", [x for pair in ALL for x in pair]))
    for masks in ((memoryview(MOVERS), memoryview(WAITERS)), signed, (strided[::2], strided[1::2])):
        assert table.probe_many(*masks).plies == found
    empty = table.probe_many(array.array("Q"), array.array("Q"))
    assert (len(empty), empty.value.tolist(), empty.plies.tolist(), empty.draw.tolist()) == (0, [], [], [])


def test_numpy_arrays_are_taken_and_given_without_a_copy():
    numpy = optional("numpy")
    table = morpion.Table.builtin("swap")
    for kind in (numpy.uint64, numpy.int64):
        masks = numpy.array(ALL, dtype=kind)
        scores = table.probe_many(masks[:, 0], masks[:, 1])
        value, plies, draw = (numpy.asarray(array) for array in (scores.value, scores.plies, scores.draw))
        assert (value.dtype, plies.dtype, draw.dtype) == (numpy.int8, numpy.int16, numpy.int8)
        assert (value.tolist(), plies.tolist(), draw.tolist()) == expected(table)
        unaligned = numpy.frombuffer(b"_" + masks[:, 0].tobytes(), dtype=kind, offset=1)
        assert table.probe_many(unaligned, masks[:, 1]).plies == scores.plies
        assert numpy.shares_memory(plies, numpy.asarray(scores.plies))
    with pytest.raises(TypeError, match="has items of format"):
        table.probe_many(masks[:, 0].astype(masks.dtype.newbyteorder()), masks[:, 1])
    assert table.probe_many(masks[:, 0].astype(masks.dtype.newbyteorder("=")), masks[:, 1]).plies == scores.plies


@pytest.mark.parametrize("index", [0, 1, 255, 256, 1000])
@pytest.mark.parametrize("masks, kind", [((1, 1), "overlap"), ((7, 56), "both-lines"), ((1, 0), "counts"), ((1 << 63, 1), "off-the-board")])
def test_invalid_rows_have_an_error_and_the_others_their_score(index, masks, kind):
    table = morpion.Table.builtin("swap")
    movers, waiters = array.array("Q", MOVERS), array.array("Q", WAITERS)
    invalid = {index, index + 1, len(ALL) - 1}
    for at in invalid:
        movers[at], waiters[at] = masks
    expected, found = table.probe_many(MOVERS, WAITERS), table.probe_many(movers, waiters)
    for at in range(len(ALL)):
        score = (found.value[at], found.plies[at], found.draw[at])
        if at in invalid:
            assert morpion.ERROR_KINDS[found.error[at]] == kind and score == (0, -1, 0)
        else:
            assert found.error[at] == 0 and score == (expected.value[at], expected.plies[at], expected.draw[at])
    texts = [".../.../...", "nonsense", "X../.../... o", "XXX/OOO/... x"]
    first, second, third, fourth = table.probe_many(texts)
    assert [first, third] == [table.probe(texts[0]), table.probe(texts[2])]
    for at, error, name in [(1, second, "character"), (3, fourth, "both-lines")]:
        assert isinstance(error, morpion.PositionError) and str(error).startswith(f"position {at}: ")
        assert (error.kind, error.index) == (name, at)
    with pytest.raises(morpion.PositionError) as found:
        morpion.Table.builtin("swap").probe("nonsense")
    assert found.value.index is None


@pytest.mark.parametrize(
    "masks, found",
    [
        (([0], [0]), r"movers is \[0\] \(list\)"),
        ((MOVERS, 3), r"waiters is 3 \(int\)"),
        ((array.array("I", [0]), MOVERS), "movers has items of format 'I'"),
        ((array.array("d", [0]), MOVERS), "movers has items of format 'd'"),
        ((memoryview(bytes(32)).cast("Q", (2, 2)), MOVERS), "movers has 2 dimensions"),
    ],
)
def test_other_arrays_than_masks_are_a_type_error(masks, found):
    with pytest.raises(TypeError, match=f"^{found}: use a one-dimensional buffer"):
        morpion.Table.builtin("swap").probe_many(*masks)


def test_arrays_of_two_lengths_are_refused():
    with pytest.raises(morpion.MorpionError, match="1 movers and 2 waiters") as found:
        morpion.Table.builtin("swap").probe_many(array.array("Q", [0]), array.array("Q", [0, 0]))
    assert found.value.kind == "size"


def test_other_threads_run_while_a_batch_is_answered(pytestconfig):
    # One thread answers without the interpreter's lock; this one has to be let in meanwhile. With the lock held it has one turn.
    script = """
import array, threading, time, morpion
table = morpion.Table.builtin("swap")
masks = array.array("Q", bytes(8 * 20_000_000))
batch = threading.Thread(target=table.probe_many, args=(masks, masks))
batch.start()
turns = 0
while batch.is_alive():
    turns += 1
    time.sleep(0.001)
batch.join()
assert turns > 20, turns
"""
    subprocess.run([str(pytestconfig.python), "-c", script], check=True, timeout=120)
