from typing import NamedTuple


class Score(NamedTuple):
    """The value of a position for the side to move.

    >>> morpion.Table.builtin("classic").probe("XX./OO./... x")
    Score(value='win', plies=1, draw=None)
    """

    value: str
    plies: int | None = None
    draw: str | None = None

    @classmethod
    def _of_arrays(cls, *arrays):
        """Yields the rows of a batch; a row with an error has no value."""
        for value, plies, draw, error in zip(*arrays):
            words = ("draw", "win", "loss")[value], None if plies < 0 else plies, (None, "end", "cycle")[draw]
            yield cls(None) if error else cls(*words)


class Move(NamedTuple):
    """A move and its value for the side that makes it, counted from the position before.

    >>> morpion.Table.builtin("classic").moves("XX./OO./... x")[0]
    Move(move='c1', value='win', plies=1, draw=None, take=None, push=False, also=None)
    """

    move: str
    value: str
    plies: int | None = None
    draw: str | None = None
    take: str | None = None
    push: bool = False
    also: str | None = None

    def __str__(self):
        return self.move


Score.value.__doc__ = Move.value.__doc__ = '"win", "draw" or "loss".'
Score.plies.__doc__ = "Half-moves to the end; None for a draw and in a table without distances."
Score.draw.__doc__ = Move.draw.__doc__ = (
    'The kind of a draw: "end" if it ends, "cycle" if it can continue forever. None if the value is not a draw.'
)
Move.move.__doc__ = (
    'The text of the move: "b2" places a piece, "a1-b3" moves one, "b2xc3" and "a1-b3xc3" take one too, "b2xa3xc3" two, "a1>a5" pushes, '
    '"pass" passes.'
)
Move.take.__doc__ = "The cell whose piece is taken, or None."
Move.push.__doc__ = "True if the piece is pushed in."
Move.also.__doc__ = "The cell of a second piece that is taken, or None."
Move.plies.__doc__ = "Half-moves to the end, including this one; None for a draw and in a table without distances."
for answer in (Score, Move):
    answer.__module__ = "morpion"
