"""Answers of a table: scores and moves, one at a time and as arrays."""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, TypeAlias, final

from .errors import MorpionError

Value: TypeAlias = Literal["win", "draw", "loss"]
Draw: TypeAlias = Literal["cycle", "end"]
Side: TypeAlias = Literal["x", "o"]
Over: TypeAlias = Literal["line", "full", "stuck", "own-line", "few"]


_DRAWS: tuple[Draw | None, ...] = (None, "end", "cycle")


class Score(NamedTuple):
    """The value of a position for the side to move.

    >>> morpion.Table.builtin("classic").probe("XX./OO./... x")
    Score(value='win', plies=1, draw=None)
    """

    value: Value
    plies: int | None = None
    draw: Draw | None = None


class _Known(dict[tuple[Value, int | None, Draw | None], Score]):
    """Scores by their fields. Few scores are different, and one object for each is enough."""

    def __missing__(self, fields: tuple[Value, int | None, Draw | None]) -> Score:
        return self.setdefault(fields, Score._make(fields))


SCORES = _Known()


class Move(NamedTuple):
    """A move and its value for the side that makes it, counted from the position before.

    >>> morpion.Table.builtin("classic").moves("XX./OO./... x")[0]
    Move(move='c1', value='win', plies=1, draw=None, take=None, push=False, also=None)
    """

    move: str
    value: Value
    plies: int | None = None
    draw: Draw | None = None
    take: str | None = None
    push: bool = False
    also: str | None = None

    def __str__(self) -> str:
        return self.move


@final
class Scores:
    """Scores of many positions, as arrays of one length. numpy.asarray(scores.value) copies nothing. Iterating yields each row as a
    Score, in words: pandas.DataFrame(scores) has the columns "value", "plies" and "draw".

    >>> scores = morpion.Table.builtin("classic").probe_many(array.array("Q", [0, 0b11]), array.array("Q", [0, 0b11000]))
    >>> scores.value.tolist(), scores.plies.tolist(), scores.draw.tolist()
    ([0, 1], [-1, 1], [1, 0])
    """

    __slots__ = {
        "value": "1 for a win, 0 for a draw, -1 for a loss of the side to move; 8-bit integers.",
        "plies": "Half-moves to the end, -1 for a draw and in a table without distances; 16-bit integers.",
        "draw": "1 for a draw that ends, 2 for a draw by cycle, 0 if the value is not a draw; 8-bit integers.",
        "error": "0, or a key of ERROR_KINDS; unsigned 8-bit integers. A row with an error has value 0, plies -1, draw 0.",
    }

    value: memoryview
    plies: memoryview
    draw: memoryview
    error: memoryview

    def __init__(self, value: bytes | memoryview, plies: bytes | memoryview, draw: bytes | memoryview, error: bytes | memoryview) -> None:
        self.value, self.draw = memoryview(value).cast("B").cast("b"), memoryview(draw).cast("B").cast("b")
        self.plies, self.error = memoryview(plies).cast("B").cast("h"), memoryview(error).cast("B")
        if not len(self.value) == len(self.plies) == len(self.draw) == len(self.error):
            raise MorpionError("not the same number of values, plies, draws and errors", "size")

    def __reduce__(self) -> tuple[Any, ...]:
        return Scores, tuple(array.tobytes() for array in (self.value, self.plies, self.draw, self.error))

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator[Score]:
        # Few scores are different, and one object for each is enough.
        known: dict[tuple[int, ...], Score] = {}
        for row in zip(self.value, self.plies, self.draw, self.error):
            if row not in known:
                value, plies, draw, error = row
                # A row with an error has no value.
                named: Any = None if error else ("draw", "win", "loss")[value]
                known[row] = Score(named, None if plies < 0 else plies, _DRAWS[draw])
            yield known[row]

    def __repr__(self) -> str:
        return f"Scores({len(self)} positions)"


@final
class Moves:
    """Legal and perfect moves of many positions, as bits; from Table.moves_many(movers, waiters).

    >>> moves = morpion.Table.builtin("classic").moves_many(array.array("Q", [0b11]), array.array("Q", [0b11000]))
    >>> moves.legal.tolist(), moves.best.tolist()                  # c1 is cell 2, c2 is cell 5, …
    ([[228, 1]], [[4, 0]])
    """

    __slots__ = {
        "legal": "Positions × bytes: bit a % 8 of byte a // 8 is 1 if action a of Game.actions is legal. numpy.unpackbits(legal, axis=1, "
        'bitorder="little") has a column for each action, and zeros up to the next multiple of 8.',
        "best": "The same for perfect moves.",
        "error": "0, or a key of ERROR_KINDS; unsigned 8-bit integers. A row with an error has no moves.",
    }

    legal: memoryview
    best: memoryview
    error: memoryview

    def __init__(self, legal: memoryview, best: memoryview, error: memoryview) -> None:
        self.legal, self.best, self.error = legal, best, error

    def __len__(self) -> int:
        return len(self.error)

    def __repr__(self) -> str:
        return f"Moves({len(self)} positions)"


_FIELDS = {
    "value": '"win", "draw" or "loss".',
    "plies": "Half-moves to the end, of a move including this one; None for a draw and in a table without distances.",
    "draw": 'The kind of a draw: "end" if it ends, "cycle" if it can continue forever. None if the value is not a draw.',
    "move": 'The text of the move: "b2" places a piece, "a1-b3" moves one, "b2xc3" and "a1-b3xc3" take one too, "b2xa3xc3" two, '
    '"a1>a5" pushes, "pass" passes.',
    "take": "The cell whose piece is taken, or None.",
    "push": "True if the piece is pushed in.",
    "also": "The cell of a second piece that is taken, or None.",
}
for _class in (Score, Move):
    for _field in _class._fields:
        getattr(_class, _field).__doc__ = _FIELDS[_field]
