"""The classes `Game` and `Positions`: names, board and positions of a game."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import repeat
from typing import Any, Literal, Self, final

from . import _core, cells
from .answers import Side
from .arguments import number
from .cells import Given
from .errors import PositionError
from .position import At, Position, Words, read_side


@final
class Game(_core.Game):
    """A game by its rules, from Table.game: positions and moves without their values.

    Games are equal if their rules are equal, under any name. They pickle.

    >>> game = morpion.Table.builtin("classic").game
    >>> game.start.legal_moves[:3], len(list(game.positions()))
    (['a1', 'b1', 'c1'], 5478)
    """

    __slots__ = ("_name", "_title", "_number", "_grid", "_above", "_fingerprint")

    def __init__(self, _of: object) -> None:
        self._name, self._title, self._number, self._grid, self._above, self._fingerprint = self._facts()

    @property
    def name(self) -> str:
        """The short name.

        >>> morpion.Table.builtin("rota").game.name
        'rota'
        """
        return self._name

    @property
    def title(self) -> str:
        """One line about the game.

        >>> morpion.Table.builtin("rota").game.title
        'Rota: three pieces each on a wheel; three neighbours on the rim or a diameter win'
        """
        return self._title

    @property
    def cells(self) -> int:
        """Number of cells of the board.

        >>> morpion.Table.builtin("rota").game.cells
        9
        """
        return self._number

    @property
    def grid(self) -> tuple[int, int] | None:
        """Rows and columns; None if the board is not a grid.

        >>> morpion.Table.builtin("classic").game.grid
        (3, 3)
        """
        return self._grid

    @property
    def above(self) -> Literal["hands", "ages"] | None:
        """The content of words above their cells: "hands" for the pieces in hand, "ages" for the order of pieces that age, or None.

        >>> [morpion.Table.builtin(name).game.above for name in ("disappearing", "classic")]
        ['ages', None]
        """
        return self._above

    @property
    def actions(self) -> list[str]:
        """The text of every move that some position may have: placements, moves of pieces, both with each piece that they may take, and
        pushes. If pieces move, the pass comes last, even if the rules have none. The index of a move in this list is the action of a
        policy.

        >>> morpion.Table.builtin("tapatan").game.actions[8:12]
        ['c3', 'a1-b1', 'a1-a2', 'a1-b2']
        """
        return self._actions()

    @property
    def start(self) -> Position:
        """The position at the start of the game.

        >>> morpion.Table.builtin("rota").game.start
        Position('.../.../... x')
        """
        return Position(self, *self._start())

    def position(self, position: Given, side: Side | None = None) -> Position:
        """A position from text or from cells, a sequence or an array: 0 empty, 1 for X, 2 for O. `side` as in Table.

        >>> game = morpion.Table.builtin("swap").game
        >>> game.position([[1, 1, 0], [2, 2, 0], [1, 2, 0]], "x")
        Position('XX./OO./XO. x')
        """
        if isinstance(position, Position):
            return self._own(position, side)
        return Position(self, *self._read(_text(position, side)))

    def _at(self, given: Given, side: Side | None) -> At:
        """The words of an object, or the text of anything else."""
        return self._own(given, side)._words if isinstance(given, Position) else _text(given, side)

    def _words(self, given: Given) -> Words:
        """The words of a position."""
        at = given if isinstance(given, str) else self._at(given, None)
        return self._read(at)[0] if isinstance(at, str) else at

    def _own(self, position: Position, side: Side | None) -> Position:
        """Raises PositionError for an object of another game or with another side to move."""
        if position._game is not self and position._game != self:
            raise PositionError(f"a position of {position._game.name}: use a position of {self._name}", "other-rules")
        if side is not None and read_side(side) != position._side:
            raise PositionError(f"{position._side} to move in {position}, not the side asked for", "side")
        return position

    def from_masks(self, mover: int, waiter: int, side: Side | None = None) -> Position:
        """The position with these words of the side to move and of the side waiting, as in Position.mover: bit c for cell c. `side` is
        the side to move if the number of pieces does not determine it [default: X].

        >>> morpion.Table.builtin("classic").game.from_masks(0b000_010_000, 0b100_000_001)
        Position('X../.O./..X o')
        """
        words = number("mover", mover), number("waiter", waiter)
        told = self._turn(words)
        named = None if side is None else read_side(side)
        if named and told and named != told:
            raise PositionError(f"{named} to move, expected {told} by the number of pieces", "side")
        return Position(self, words, told or named or "x")

    def positions(self) -> Positions:
        """An iterator over all positions that play can reach, counted by `morpion count`, ordered by the layers of play and by cells.

        A position in which either side may be to move comes once, with the side that begins the game if play reaches it so. Takes up to
        six bits of memory for each arrangement of the pieces on the board, in each order if they age.

        >>> positions = morpion.Table.builtin("classic").game.positions()
        >>> sum(position.winner == "x" for position in positions)
        626
        """
        return Positions(self)

    def _decoded(self, movers: bytes, waiters: bytes) -> tuple[memoryview, memoryview | None, memoryview | None]:
        """Boards, pieces in hand and ages, as in Table.planes."""
        boards, hands, ages = self._planes(movers, waiters)
        return boards, hands if self._above == "hands" else None, ages if self._above == "ages" else None

    def _arrangements(self, layer: int, rows: int) -> Iterator[tuple[memoryview, memoryview]]:
        """The words of the positions of a layer, from up to `rows` arrangements at a time."""
        size = self._layer_counts()[layer]
        for first in range(0, size, rows):
            yield self._numbered(layer, array("Q", range(first, min(first + rows, size))).tobytes())

    def __eq__(self, other: object, /) -> bool:
        return isinstance(other, Game) and self._fingerprint == other._fingerprint

    def __hash__(self) -> int:
        return self._fingerprint

    def __repr__(self) -> str:
        return f'Game("{self._name}")'

    def __reduce__(self) -> tuple[Any, ...]:
        return Game, (self._to_bytes(),)


def _text(given: Given, side: Side | None) -> str:
    """The text of a position in cells or in text. Without `side`, the text or the number of pieces determines the side to move."""
    text = given if isinstance(given, str) else cells.text(given)
    return text if side is None else text + " " + read_side(side)


_SIDES: tuple[Side, Side] = "x", "o"

_STEP = 1024
"""Number of positions that an iterator takes from the walk at a time."""


@final
class Positions:
    """The positions of a game that play can reach; from Game.positions().

    >>> next(morpion.Table.builtin("classic").game.positions())
    Position('.../.../... x')
    """

    def __init__(self, game: Game) -> None:
        self._game, self._walk = game, _core.Walk(game)
        self._found: Iterator[Position] = iter(())

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Position:
        if (found := next(self._found, None)) is None:
            movers, waiters, sides = self._walk.words(_STEP)
            self._found = map(Position, repeat(self._game), zip(movers, waiters), [_SIDES[side] for side in sides])
            found = next(self._found)
        return found
