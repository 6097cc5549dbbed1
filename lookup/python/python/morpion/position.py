"""The class `Position`: the pieces on the board and the side to move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, final

from .answers import Move, Over, Side
from .arguments import wrong
from .display import figure
from .errors import PositionError

if TYPE_CHECKING:
    from .game import Game

Words: TypeAlias = tuple[int, int]
"""The word of the side to move and the word of the side waiting."""

At: TypeAlias = Words | str
"""A position as words, which belong to one of the game, or as text."""


@final
class Position:
    """An immutable position of a game, from Game.start, Game.position(…) or Position.after(move).

    Positions are equal if pieces, side to move and rules are equal. They hash and pickle, and every method of Table takes them.

    >>> position = morpion.Table.builtin("classic").game.start.after("b2")
    >>> position, str(position), position.side
    (Position('.../.X./... o'), '.../.X./... o', 'o')
    """

    __slots__ = ("_game", "_words", "_side")

    def __init__(self, game: Game, words: Words, side: Side) -> None:
        self._game, self._words, self._side = game, words, side

    @property
    def game(self) -> Game:
        """The game of the position.

        >>> morpion.Table.builtin("classic").game.position("X../.O./..X").game
        Game("classic")
        """
        return self._game

    @property
    def side(self) -> Side:
        """The side to move, "x" or "o".

        >>> morpion.Table.builtin("classic").game.position("X../.O./..X").side
        'o'
        """
        return self._side

    @property
    def mover(self) -> int:
        """The word of the side to move: bit c for cell c. From bit 36 on, it has the number of pieces in hand in games with mills, or, with
        bit 52, the order of pieces that age.

        >>> morpion.Table.builtin("classic").game.position("X../.O./..X").mover
        16
        """
        return self._words[0]

    @property
    def waiter(self) -> int:
        """The word of the side waiting.

        >>> morpion.Table.builtin("classic").game.position("X../.O./..X").waiter
        257
        """
        return self._words[1]

    @property
    def cells(self) -> tuple[int, ...]:
        """The content of each cell: 0 nothing, 1 X, 2 O.

        >>> morpion.Table.builtin("classic").game.position("X../.O./...").cells
        (1, 0, 0, 0, 2, 0, 0, 0, 0)
        """
        return self._game._cells(self._words, self._side)

    @property
    def legal_moves(self) -> list[str]:
        """All legal moves as text, in the order of cells; none if the game is over.

        >>> morpion.Table.builtin("classic").game.position("XOX/OX./OXO").legal_moves
        ['c2']
        """
        return self._game._legal(self._words)

    def after(self, move: str | Move) -> Position:
        """The position after a legal move, which is text or a Move. Raises PositionError of the kind "move" for any other.

        >>> morpion.Table.builtin("classic").game.start.after("a1").after("b2")
        Position('X../.O./... x')
        """
        return Position(self._game, self._play(move)[0], _other(self._side))

    def _play(self, move: str | Move) -> tuple[Words, str]:
        """The words after a legal move, and its text."""
        text = getattr(move, "move", move)
        if not isinstance(text, str):
            raise wrong("move", move, "text or a Move")
        played = self._game._play(self._words, text)
        if played is None:
            raise PositionError(f'"{text}" is not a legal move here', "move")
        return played

    @property
    def over(self) -> Over | None:
        """Reason why the game is over: "line", "full", "stuck", "own-line" or "few"; None if it is not over.

        >>> morpion.Table.builtin("classic").game.position("XXX/OO./...").over
        'line'
        """
        over = self._game._over(self._words)
        return over and over[0]

    @property
    def is_over(self) -> bool:
        """True if the game is over.

        >>> morpion.Table.builtin("classic").game.position("X../.O./..X").is_over
        False
        """
        return self.over is not None

    @property
    def winner(self) -> Side | None:
        """The side that has won, "x" or "o"; None for a draw and if the game is not over.

        >>> morpion.Table.builtin("classic").game.position("XXX/OO./...").winner
        'x'
        """
        value = (self._game._over(self._words) or (None, "draw"))[1]
        return None if value == "draw" else self._side if value == "win" else _other(self._side)

    def orbit(self) -> list[Position]:
        """The symmetric forms of this position, each once, including itself. Symmetric positions have the same score and the same
        orbit, so its first form can represent all of them.

        >>> game = morpion.Table.builtin("classic").game
        >>> [str(form) for form in game.position("X../.../...").orbit()]
        ['X../.../... o', '..X/.../... o', '.../.../X.. o', '.../.../..X o']
        """
        return [Position(self._game, words, self._side) for words in self._game._orbit(self._words)]

    def _svg(self, last: str | None = None, next: str | None = None) -> str:
        """A drawing, with the moves before and after the position."""
        return self._game._svg(self._words, self._side, last, next)

    def _state(self) -> str:
        """The side to move, or the result."""
        if self.winner:
            return f"{self.winner.upper()} has won"
        return "draw" if self.is_over else f"{self.side.upper()} to move"

    def _repr_html_(self) -> str:
        return figure(self._svg(), self._state())

    def __eq__(self, other: object, /) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._words == other._words and self._side == other._side and (self._game is other._game or self._game == other._game)

    def __hash__(self) -> int:
        return hash(self._words)

    def __str__(self) -> str:
        return self._game._text(self._words, self._side)

    def __repr__(self) -> str:
        return f"Position('{self}')"

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, (self._game, self._words, self._side)


_SIDES: dict[str, Side] = {"x": "x", "X": "x", "o": "o", "O": "o"}


def _other(side: Side) -> Side:
    return "o" if side == "x" else "x"


def read_side(side: str) -> Side:
    """Reads "x" or "o"."""
    if not isinstance(side, str):
        raise wrong("side", side, "x or o")
    if side not in _SIDES:
        raise PositionError(f'side "{side[:64]}": use x or o', "side")
    return _SIDES[side]
