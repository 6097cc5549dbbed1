"""The exceptions of this package."""


class MorpionError(ValueError):
    """An error. `kind` is its short name, the same in every language. `index` is the index of the position in a batch.

    >>> error = morpion.Table.builtin("classic").probe_many([".../.../...", "X"])[1]
    >>> error.kind, error.index
    ('size', 1)
    """

    kind: str
    index: int | None = None

    def __init__(self, text: str = "", kind: str = "") -> None:
        super().__init__(text)
        self.kind = kind


class PositionError(MorpionError):
    """A value that is not a position of the game, or not a move.

    >>> morpion.Table.builtin("classic").probe("XXXX")
    Traceback (most recent call last):
    morpion.PositionError: 4 cells, expected 9
    """


class TableError(MorpionError):
    """A missing, damaged or closed table.

    >>> morpion.Table.builtin("chess")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    morpion.TableError: no built-in table "chess": use one of classic, ...
    """


def in_batch(error: MorpionError, index: int) -> MorpionError:
    """Adds the index of a position in a batch to the error and its text."""
    error.args, error.index = (f"position {index}: {error}",), index
    return error


for _class in (MorpionError, PositionError, TableError):
    _class.__module__ = "morpion"
