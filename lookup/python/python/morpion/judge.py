"""The errors of a policy compared with perfect play. A policy is a function from positions to moves."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, final

from ._core import Errors
from .answers import Move, Value
from .arguments import iterable
from .cells import Given
from .display import facts, figure
from .errors import MorpionError
from .position import Position

if TYPE_CHECKING:
    from .table import Table

Policy: TypeAlias = Callable[[Position], "str | Move"]
Policies: TypeAlias = Callable[[list[Position]], "Sequence[str | Move]"]
"""A policy that is asked in many positions at once."""

WORST = 10
"""Number of faults that a judgement lists."""

_VALUES: tuple[Value, ...] = ("win", "draw", "loss")
"""Values in the order of the core, the best first."""


class Counts(NamedTuple):
    """The errors of moves, as the core counts them."""

    moves: int
    errors: int
    lost: int
    slow: int
    plies: int
    kinds: dict[tuple[Value, Value], int]


def counts(errors: Errors) -> Counts:
    rows, slow, plies = errors.counts()
    numbers = {(before, after): int(number) for before, row in zip(_VALUES, rows) for after, number in zip(_VALUES, row)}
    kinds = {kind: number for kind, number in sorted(numbers.items()) if number and kind[0] != kind[1]}
    lost = sum(number * (_VALUES.index(after) - _VALUES.index(before)) for (before, after), number in kinds.items())
    return Counts(sum(numbers.values()), sum(kinds.values()), lost, int(slow), int(plies), kinds)


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
        rows: list[tuple[str, object]] = [
            ("positions", self.positions),
            ("errors", f"{self.errors} ({100 * self.rate:.1f} %)"),
            ("value lost", self.lost),
            ("slow moves", f"{self.slow}, by {self.plies} plies in all"),
        ]
        rows += [(f"{before} to {after}", number) for (before, after), number in self.kinds.items()]
        return facts(rows) + "".join(fault._repr_html_() for fault in self.worst)


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
        return figure(self.position._svg(next=self.move), f"{self.move} instead of {', '.join(self.best)}")


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


def _ask(table: Table, policy: Policies, positions: list[Position], errors: Errors) -> Iterator[tuple[str, int, int, list[str]]]:
    """The policy's moves in positions that are not over, each with the size of its fault and every perfect move."""
    moves = policy(positions) if positions else []
    if len(moves) != len(positions):
        raise MorpionError(f"the policy returned {len(moves)} moves for {len(positions)} positions: return one for each", "move")
    for position, move in zip(positions, moves):
        try:
            text = position._play(move)[1]
        except (ValueError, TypeError) as error:
            # The error names the position, one of many.
            error.add_note(str(position))
            raise
        yield text, *errors.add(table, table.game._at(position, None), text)


def judge(table: Table, policy: Policy, positions: Iterable[Given] | None) -> Judgement:
    game = table.game
    asked: Iterable[Position] = game.positions() if positions is None else map(game.position, iterable("positions", positions))
    errors = Errors()
    worst: list[tuple[tuple[int, int, int], Fault]] = []
    for number, position in enumerate(position for position in asked if not position.is_over):
        [(move, lost, size, best)] = _ask(table, partial(map_policy, policy), [position], errors)
        # Of equal faults, the first.
        place = (-lost, -size, number)
        if (lost, size) != (0, 0) and (len(worst) < WORST or place < worst[-1][0]):
            insort(worst, (place, Fault(position, move, best, lost, 0 if lost else size)), key=lambda item: item[0])
            del worst[WORST:]
    return Judgement(*counts(errors), [fault for _, fault in worst])


def map_policy(policy: Policy, positions: list[Position]) -> list[str | Move]:
    """The moves of a policy that is asked in one position at a time."""
    return [policy(position) for position in positions]


def regret(table: Table, policy: Policies, games: int, plies: int, random: Callable[[], float] | None) -> Regret:
    """Plays all games ply by ply, and asks the policy in all of them at once."""
    errors = Errors()
    playing = list(enumerate([table.start] * games))
    for ply in range(plies):
        playing = [(game, position) for game, position in playing if not position.is_over]
        asked = [position for game, position in playing if ply % 2 == game % 2]
        own = iter([text for text, *_ in _ask(table, policy, asked, errors)])
        texts = [next(own) if ply % 2 == game % 2 else table.choose(position, random=random) for game, position in playing]
        playing = [(game, position.after(text or "")) for (game, position), text in zip(playing, texts)]
    count, found = max(games, 1), counts(errors)
    return Regret(games, found.lost / count, found.plies / count, found.moves / count)
