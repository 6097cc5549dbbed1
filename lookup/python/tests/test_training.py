"""Arrays to train a network on: planes, scores and moves of many positions."""

import array
import itertools

import morpion
import pytest
from helpers import REPOSITORY, conformance_table, optional

VALUES = {"win": 1, "draw": 0, "loss": -1}


def rows(*arrays):
    """The rows of arrays beside each other, as bytes."""
    numpy = optional("numpy")
    arrays = [numpy.asarray(array) for array in arrays if array is not None]
    return numpy.concatenate([array.reshape(len(array), -1).view(numpy.uint8) for array in arrays], axis=1)


def distinct(table):
    """Rows with equal features, and how many of them are different if labels are included, over all positions that play reaches."""
    numpy, count, features, whole = optional("numpy"), 0, [], []
    for arrays in table.training_arrays():
        count += len(arrays)
        features.append(rows(arrays.boards, arrays.hands, arrays.ages))
        whole.append(rows(features[-1], arrays.values, arrays.plies, arrays.draws, arrays.legal, arrays.best))
    return [count] + [len(numpy.unique(numpy.concatenate(parts), axis=0)) for parts in (features, whole)]


@pytest.mark.parametrize("name, positions", [("disappearing", 73_450), ("classic", 5_478), ("achi", None), ("mill", None)])
def test_equal_features_have_equal_labels(name, positions):
    count, features, whole = distinct(conformance_table(name))
    assert features == whole == count and count == (positions or count) > 1000


def test_boards_alone_do_not_determine_the_labels():
    numpy = optional("numpy")
    for name, needed in (("mill", "hands"), ("disappearing", "ages")):
        [arrays] = conformance_table(name).training_arrays(rows=1 << 20)
        for features, is_enough in ((rows(arrays.boards), False), (rows(arrays.boards, getattr(arrays, needed)), True)):
            found = len(numpy.unique(features, axis=0)), len(numpy.unique(rows(features, arrays.values), axis=0))
            assert (found[0] == found[1]) == is_enough, (name, found)


def test_rows_of_six_mens_morris_are_distinct():
    numpy, features = optional("numpy"), []
    for arrays in itertools.islice(morpion.Table.builtin("six-mens-morris").training_arrays(), 4):
        features.append(rows(arrays.boards, arrays.hands))
    assert len(numpy.unique(numpy.concatenate(features).view("V18"))) == 4 * 65_536


@pytest.mark.parametrize("name", ["classic", "swap-pass", "achi", "shisima", "mill", "disappearing"])
def test_training_arrays_equal_the_answers_of_the_table(name):
    numpy = optional("numpy")
    table = conformance_table(name)
    positions, actions = list(table.game.positions()), table.game.actions
    chunks = list(table.training_arrays(rows=1000))
    assert [len(chunk) for chunk in chunks[:-1]] == [1000] * (len(chunks) - 1) and sum(map(len, chunks)) == len(positions)
    boards, values, plies, legal, best = (
        numpy.concatenate([numpy.asarray(getattr(chunk, field)) for chunk in chunks])
        for field in ("boards", "values", "plies", "legal", "best")
    )
    assert boards.shape[1] == table.cells and legal.shape[1] == (len(actions) + 7) // 8
    legal, best = (numpy.unpackbits(bits, axis=1, bitorder="little") for bits in (legal, best))
    assert not (best & ~legal & 1).any() and {-1, 1} <= {*values.tolist()}
    assert len({*actions}) == len(actions)
    for index in range(0, len(positions), 37):
        position, score = positions[index], table.probe(positions[index])
        assert sum(1 << cell for cell in numpy.flatnonzero(boards[index] == 1).tolist()) == position.mover & (1 << 36) - 1
        assert (values[index], plies[index]) == (VALUES[score.value], -1 if score.plies is None else score.plies)
        assert {actions[action] for action in numpy.flatnonzero(legal[index])} == {*position.legal_moves}
        assert [actions[action] for action in numpy.flatnonzero(best[index])] == sorted(table.best(position), key=actions.index)


def test_training_arrays_of_a_sample():
    table = morpion.Table.builtin("classic")
    [arrays] = table.training_arrays(["XX./OO./...", table.game.start])
    assert arrays.values.tolist() == [1, 0] and arrays.best.tolist()[1] == [255, 1] and arrays.hands is arrays.ages is None
    assert list(table.training_arrays([])) == []
    with pytest.raises(morpion.PositionError) as found:
        next(table.training_arrays([".../.../...", "nonsense"], rows=1)), list(table.training_arrays([".../.../...", "nonsense"], rows=1))
    assert found.value.index == 1


def test_planes_have_hands_and_ages():
    mill, aged = conformance_table("mill"), morpion.Table.builtin("disappearing")
    [position] = itertools.islice(mill.game.positions(), 7, 8)
    boards, hands, ages = mill.planes(*mill.words([position]))
    x, o = (int(hand) for hand in str(position).split()[2].split("/"))
    assert hands.tolist() == [[x, o] if position.side == "x" else [o, x]] and ages is None
    boards, hands, ages = aged.planes(*aged.words(["X.X/.O./OXO x c1,a1,b3/a3,c3,b2"]))
    assert boards.tolist() == [[1, 0, 1, 0, -1, 0, -1, 1, -1]] and ages.tolist() == [[2, 0, 1, 0, 3, 0, 1, 3, 2]] and hands is None
    assert [mill.game.above, aged.game.above, morpion.Table.builtin("classic").game.above] == ["hands", "ages", None]


def test_words_that_leave_something_out_are_refused():
    mill, aged = conformance_table("mill"), morpion.Table.builtin("disappearing")
    positions = list(itertools.islice(mill.game.positions(), 2000))
    movers, waiters = mill.words(positions)
    expected = mill.probe_many(movers, waiters)
    assert list(expected) == [mill.probe(position) for position in positions] and not any(expected.error)
    sets = [array.array("Q", [word & (1 << 36) - 1 for word in side]) for side in (movers, waiters)]
    for ask in (mill.probe_many, mill.moves_many, mill.planes):
        with pytest.raises(morpion.MorpionError, match="in_hand=False") as found:
            ask(*sets)
        assert found.value.kind == "words"
    late = [position for position in mill.game.positions() if (position.mover | position.waiter) >> 36 == 0][:500]
    words = mill.words(late)
    assert list(mill.probe_many(*words, in_hand=False)) == [mill.probe(position) for position in late] and len(late) > 100

    movers, waiters = aged.words(["XX./OO./... x a1,b1/b2,a2", "X../O../... x"])
    assert not any(aged.probe_many(movers, waiters).error)
    sets = [array.array("Q", [word & (1 << 36) - 1 for word in side]) for side in (movers, waiters)]
    assert all(aged.probe_many(*sets).error), "an order is left out"


@pytest.mark.parametrize("name", ["classic", "tapatan", "mill", "disappearing"])
def test_moves_of_a_batch_are_those_of_each_position(name):
    table = conformance_table(name)
    actions, positions = table.game.actions, list(itertools.islice(table.game.positions(), 0, None, 53))
    moves = table.moves_many(*table.words(positions))
    for row, position in enumerate(positions):
        named = [{move for at, move in enumerate(actions) if bits[row, at // 8] >> at % 8 & 1} for bits in (moves.legal, moves.best)]
        assert named == [{*position.legal_moves}, {*table.best(position)}]
    wrong = table.moves_many(array.array("Q", [1]), array.array("Q", [1]), in_hand=False)
    assert morpion.ERROR_KINDS[wrong.error[0]] == "overlap" and not any(wrong.legal.tolist()[0]) and len(wrong) == 1


def test_the_first_arrays_of_a_large_game_come_at_once():
    table = morpion.Table.open(REPOSITORY / "tables" / "quixo4.morpion.zst")
    arrays = list(itertools.islice(table.training_arrays(rows=10_000), 3))
    assert [len(chunk) for chunk in arrays] == [10_000] * 3


@pytest.mark.parametrize("name", ["classic", "six-mens-morris", "disappearing", "quixo4", "mill"])
def test_a_sample_has_all_layers_from_the_first_rows_on(name):
    numpy = optional("numpy")
    shipped = REPOSITORY / "tables" / f"{name}.morpion.zst"
    table = morpion.Table.open(shipped) if shipped.exists() else conformance_table(name)
    chunks = list(table.training_arrays(n=5000, seed=3, rows=1000))
    assert [len(chunk) for chunk in chunks[:-1]] == [1000] * (len(chunks) - 1) and sum(map(len, chunks)) <= 5000
    pieces = [(numpy.asarray(chunk.boards) != 0).sum(axis=1) for chunk in chunks]
    assert {*pieces[0].tolist()} >= {count for count, rows in zip(*numpy.unique(numpy.concatenate(pieces), return_counts=True)) if rows > 50}
    again = list(table.training_arrays(n=5000, seed=3, rows=5000))[0]
    assert numpy.array_equal(again.boards, numpy.concatenate([chunk.boards for chunk in chunks]))
    other = list(table.training_arrays(n=5000, seed=4, rows=5000))[0]
    assert len(other) == len(again) and not numpy.array_equal(other.boards, again.boards)


def test_no_two_positions_of_a_sample_are_symmetric():
    from morpion import training

    for name, most in (("tapatan", 300), ("classic", 765)):
        game = morpion.open_game(name).game
        drawn = training.sample(game, most, 1)
        first, waiters, _ = game._orbits(*(side.tobytes() for side in morpion.words.arrays(drawn)))
        assert len({*zip(first, waiters)}) == len(drawn)
    # A whole small game: all orbits of its arrangements.
    whole = training.sample(morpion.open_game("tapatan").game, 10**6, 1)
    everything = {orbit for orbit in whole}
    for at in morpion.open_game("tapatan").game.positions():
        first, waiter, _ = at._game._orbits(*(word.to_bytes(8, "little") for word in (at.mover, at.waiter)))
        assert (first[0], waiter[0]) in everything
    with pytest.raises(morpion.MorpionError):
        list(morpion.open_game("classic").training_arrays(n=-1))
    with pytest.raises(TypeError):
        list(morpion.open_game("classic").training_arrays([], n=1))
