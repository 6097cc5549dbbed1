"""The errors of a policy compared with perfect play. A policy is a function from positions to moves."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, final

from .answers import Move, Value
from .cells import Given
from .position import Position

if TYPE_CHECKING:
    from .table import Table

Policy: TypeAlias = Callable[[Position], "str | Move"]

WORST = 10
"""Number of faults that a judgement lists."""

_WORTH = {"win": 2, "draw": 1, "loss": 0}


@final
@dataclass(frozen=True, repr=False)
class Judgement:
    """Number and size of the errors of a policy; from Table.judge(policy).

    >>> table = morpion.Table.builtin("classic")
    >>> table.judge(lambda position: table.best(position)[0])
    Judgement(4520 positions, 0 errors, 0 slow)
    """

    positions: int
    """Number of judged positions, all with a move to make."""
    errors: int
    """Number of moves that gave value away: a win for a draw or a loss, or a draw for a loss."""
    lost: int
    """The total value given away: 1 from a win to a draw and from a draw to a loss, 2 from a win to a loss."""
    slow: int
    """Number of moves that kept a win or a loss, but won later or lost sooner than necessary."""
    plies: int
    """The total of these half-moves."""
    kinds: dict[tuple[Value, Value], int]
    """Number of moves that turned a value into another: {("win", "draw"): 3, …}."""
    worst: list[Fault]
    """The worst faults, up to ten, the greatest first. If the same value is given away, a nearer win that is missed or a nearer loss is
    greater."""

    @property
    def rate(self) -> float:
        """The share of positions in which value was given away."""
        return self.errors / max(self.positions, 1)

    def __repr__(self) -> str:
        return f"Judgement({self.positions} positions, {self.errors} errors, {self.slow} slow)"

    def _repr_html_(self) -> str:
        from .display import judgement

        return judgement(self)


@final
@dataclass(frozen=True, repr=False)
class Fault:
    """A move that was not perfect.

    >>> table = morpion.Table.builtin("classic")
    >>> table.judge(lambda position: position.legal_moves[0]).worst[0]
    Fault('XO./XO./... x', move='c1', best=['a3'], lost=2, plies=0)
    """

    position: Position
    """The position before the move."""
    move: str
    """The text of the move."""
    best: list[str]
    """Every perfect move."""
    lost: int
    """The value given away: 0, 1 or 2."""
    plies: int
    """The half-moves given away, if no value was given away."""

    def __repr__(self) -> str:
        return f"Fault('{self.position}', move={self.move!r}, best={self.best}, lost={self.lost}, plies={self.plies})"

    def _repr_html_(self) -> str:
        from .display import fault

        return fault(self)


class Regret(NamedTuple):
    """The value and the half-moves that a policy gives away per game against perfect play; from Table.regret(policy).

    >>> morpion.Table.builtin("tapatan").regret(lambda position: position.legal_moves[0], 10, random=random.Random(1).random).games
    10
    """

    games: int
    value: float
    """The value given away: 1 from a win to a draw and from a draw to a loss, 2 from a win to a loss."""
    plies: float
    """Half-moves by which a win was made later or a loss sooner, in moves that kept the value."""
    moves: float
    """Moves of the policy."""


class _Answer(NamedTuple):
    """A move of a policy beside the best one."""

    move: str
    best: Move
    found: Move
    perfect: list[str]

    @property
    def lost(self) -> int:
        return _WORTH[self.best.value] - _WORTH[self.found.value]

    @property
    def plies(self) -> int:
        return 0 if self.lost else abs((self.best.plies or 0) - (self.found.plies or 0))

    @property
    def size(self) -> tuple[int, int]:
        """The greater, the worse: the value lost, then the half-moves lost, or the nearness of the missed win or the loss."""
        end = self.best if self.best.value == "win" else self.found
        return self.lost, -(end.plies or 0) if self.lost else self.plies


def _ask(table: Table, policy: Policy, position: Position) -> _Answer | None:
    """The policy's move in a position; None if the game is over."""
    moves = table.moves(position)
    if not moves:
        return None
    answer = policy(position)
    try:
        text = position._play(answer)[1]
    except (ValueError, TypeError) as error:
        # The error names the position, one of many.
        error.add_note(str(position))
        raise
    best = moves[0]
    perfect = [move.move for move in moves if (move.value, move.plies) == (best.value, best.plies)]
    return _Answer(text, best, next(move for move in moves if move.move == text), perfect)


def judge(table: Table, policy: Policy, positions: Iterable[Given] | None) -> Judgement:
    game = table.game
    asked: Iterable[Position] = game.positions() if positions is None else map(game.position, positions)
    count = slow = plies = lost = 0
    kinds: Counter[tuple[Value, Value]] = Counter()
    worst: list[tuple[tuple[int, int], int, Fault]] = []
    for position in asked:
        if (answer := _ask(table, policy, position)) is None:
            continue
        count += 1
        if answer.size == (0, 0):
            continue
        if answer.lost:
            kinds[answer.best.value, answer.found.value] += 1
        slow, plies, lost = slow + (not answer.lost), plies + answer.plies, lost + answer.lost
        # Of equal faults, the first.
        place = (-answer.size[0], -answer.size[1])
        if len(worst) < WORST or place < worst[-1][0]:
            fault = Fault(position, answer.move, answer.perfect, answer.lost, answer.plies)
            insort(worst, (place, count, fault), key=lambda item: item[:2])
            del worst[WORST:]
    kinds_in_order = dict(sorted(kinds.items()))
    return Judgement(count, kinds.total(), lost, slow, plies, kinds_in_order, [fault for _, _, fault in worst])


def regret(table: Table, policy: Policy, games: int, plies: int, random: Callable[[], float] | None) -> Regret:
    value = late = moves = 0
    for game in range(games):
        position = table.start
        for ply in range(plies):
            if position.is_over:
                break
            if ply % 2 == game % 2 and (answer := _ask(table, policy, position)):
                value, late, moves = value + answer.lost, late + answer.plies, moves + 1
                move: str | None = answer.move
            else:
                move = table.choose(position, random=random)
            position = position.after(move or "")
    count = max(games, 1)
    return Regret(games, value / count, late / count, moves / count)
