"""Lines of perfect play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from .answers import Over
from .display import figure
from .position import Position

if TYPE_CHECKING:
    from .table import Table

BOARDS = 60
"""Limit of the boards of a line that are drawn."""


@final
@dataclass(frozen=True, repr=False)
class Line:
    """A line of perfect play from a position; from Table.line(…).

    >>> line = morpion.Table.builtin("classic").line("XX./OO./...")
    >>> line, line.moves, str(line.positions[-1])
    (Line(1 move, over='line'), ['c1'], 'XXX/OO./... o')
    """

    positions: list[Position]
    """The positions, from the first to the last: one more than there are moves."""
    moves: list[str]
    """The moves between them, as text."""
    over: Over | None
    """Reason why the game is over at the end, such as "line" or "stuck". None if the last position is a repetition."""
    cycle: int | None
    """The index of the position that the last one repeats; None if the game ends."""

    def __len__(self) -> int:
        return len(self.moves)

    def __repr__(self) -> str:
        moves = f"{len(self)} move" + "s" * (len(self) != 1)
        return f"Line({moves}, over={self.over!r})" if self.over else f"Line({moves}, cycle={self.cycle})"

    def _repr_html_(self) -> str:
        boards = zip(self.positions[:BOARDS], [None, *self.moves])
        html = "".join(figure(at._svg(last), f"{number}. {last}" if last else at._state()) for number, (at, last) in enumerate(boards))
        if len(self.positions) > BOARDS:
            html += f"<p>{len(self.positions) - BOARDS} more boards.</p>"
        if self.cycle is None:
            return html + f"<p>{self.positions[-1]._state()}.</p>"
        before = f"the one after move {self.cycle}" if self.cycle else "the first"
        return html + f"<p>The last position repeats {before}.</p>"


def line(table: Table, position: Position) -> Line:
    positions, moves, seen = [position], [], {position: 0}
    while ranked := table.moves(position):
        position = position.after(ranked[0])
        moves.append(ranked[0].move)
        positions.append(position)
        if position in seen:
            return Line(positions, moves, None, seen[position])
        seen[position] = len(moves)
    return Line(positions, moves, position.over, None)
