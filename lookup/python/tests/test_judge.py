"""Judging a policy, and its regret."""

import random
from collections import Counter

import morpion
import pytest
from helpers import NINE

VALUE = {"win": 2, "draw": 1, "loss": 0}


def first(position):
    return position.legal_moves[0]


def by_hand(table, policy):
    """The same judgement by the table's moves alone."""
    kinds, lost, slow, plies, count = Counter(), 0, 0, 0, 0
    for position in table.game.positions():
        moves = {move.move: move for move in table.moves(position)}
        if not moves:
            continue
        count += 1
        best, found = table.probe(position), moves[policy(position)]
        if best.value != found.value:
            kinds[best.value, found.value] += 1
            lost += VALUE[best.value] - VALUE[found.value]
        elif best.plies != found.plies:
            slow, plies = slow + 1, plies + abs(best.plies - found.plies)
    return count, kinds, lost, slow, plies


@pytest.mark.parametrize("name", ["classic", "misere", "tapatan", "achi", "shisima"])
def test_a_policy_is_judged_as_by_hand(name):
    table = morpion.Table.builtin(name)
    found = table.judge(first)
    count, kinds, lost, slow, plies = by_hand(table, first)
    assert (found.positions, found.kinds, found.lost, found.slow, found.plies) == (count, dict(kinds), lost, slow, plies)
    assert found.errors == sum(kinds.values()) > 0 and found.rate == found.errors / count
    assert 1 <= len(found.worst) <= 10
    weights = [(fault.lost, fault.plies) for fault in found.worst]
    assert weights == sorted(weights, reverse=True)
    for fault in found.worst:
        assert fault.move == first(fault.position) not in fault.best == table.best(fault.position)


@pytest.mark.parametrize("name", NINE)
def test_the_table_itself_never_errs(name):
    table = morpion.Table.builtin(name)
    for policy in (lambda position: table.moves(position)[0], lambda position: table.choose(position)):
        found = table.judge(policy)
        assert (found.errors, found.lost, found.slow, found.kinds, found.worst) == (0, 0, 0, {}, []) and found.positions > 500


def test_a_sample_is_judged_in_place_of_all():
    table = morpion.Table.builtin("classic")
    found = table.judge(first, ["X../.../...", "XXX/OO./...", table.game.position("X../O../...")])
    assert (found.positions, found.kinds) == (2, {("draw", "loss"): 1})
    assert table.judge(first, []).rate == 0


def test_errors_of_a_policy_are_raised():
    table = morpion.Table.builtin("classic")
    with pytest.raises(morpion.PositionError) as found:
        table.judge(lambda position: "a1")
    assert found.value.kind == "move" and "o" in found.value.__notes__[0]
    with pytest.raises(TypeError):
        table.judge(lambda position: None)
    with pytest.raises(ZeroDivisionError):
        table.judge(lambda position: 1 / 0)


@pytest.mark.parametrize("name", ["classic", "tapatan", "swap", "quixo3"])
def test_regret_is_what_the_moves_of_a_game_give_away(name):
    table, games = morpion.Table.builtin(name), 20
    asked = []

    def policy(position):
        asked.append(position)
        return first(position)

    found = table.regret(policy, games, random=random.Random(5).random)
    judged = [table.judge(first, [position]) for position in asked]
    lost, plies = (sum(getattr(judgement, field) for judgement in judged) for field in ("lost", "plies"))
    assert found == (games, lost / games, plies / games, len(asked) / games) and found.value > 0
    starts = sum(position == table.start for position in asked)
    assert starts >= games // 2, "it moves first in every second game"


@pytest.mark.parametrize("name", NINE)
def test_perfect_play_has_no_regret(name):
    table = morpion.Table.builtin(name)
    found = table.regret(lambda position: table.moves(position)[0], 10, plies=50)
    assert (found.value, found.plies) == (0, 0) and 0 < found.moves <= 25
