"""Reads cells from lists, tuples and arrays. Any object is read as text or raises an exception; endless iterators are refused."""

from collections.abc import Iterator, Mapping, Sequence, Set
from operator import index
from typing import Any, Protocol, TypeAlias

from .arguments import shown
from .errors import PositionError
from .position import Position


class Array(Protocol):
    """A numpy array."""

    def __array__(self) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...


Given: TypeAlias = str | Position | Sequence[int] | Sequence[Sequence[int]] | Sequence[str] | Array
"""Text like "X../.O./..X o", a Position, or cells as in notebooks: rows or one list, 0 empty, 1 for X, 2 for O."""

# Limits of the depth of nested lists, of which rows of cells have 2, and of the cells, rows and characters of a position: a board has
# at most 36 cells.
DEEPEST = 8
MOST = 1024


def text(given: object) -> str:
    """The text of a position in cells: 0 or None empty, 1 for X, 2 or -1 for O, or letters."""
    return "".join(_parts(given, 1, [0]))


def _parts(given: object, depth: int, read: list[int]) -> list[str]:
    """The texts of a list of cells or rows at a depth. `read` counts cells, rows and characters."""
    if depth > DEEPEST:
        raise TypeError(f"lists nested more than {DEEPEST} deep are not a position: use text or lists of 0, 1 and 2")
    try:
        # The keys of a dictionary and the bytes of a text would be read as cells, and a set has no order.
        items = iter(None if isinstance(given, Mapping | Set | bytes | bytearray) else given)  # type: ignore[call-overload]
    except TypeError:
        raise TypeError(f"{shown(given)} is not a position: use text or lists of 0, 1 and 2") from None
    parts: list[str] = []
    for item in items:
        if item is None:
            found = ["."]
        elif isinstance(item, str):
            found = ["." if item in ("", " ") else item]
        else:
            try:
                cell = index(int(item) if isinstance(item, float) and item.is_integer() else item)
            except TypeError:
                found = ["/"] * bool(parts) + _parts(item, depth + 1, read)
            else:
                # Numbers from 3 to 9 may stand for the empty cells.
                if not -1 <= cell <= 9:
                    raise PositionError(f"cell {shown(item)}: use 0 for an empty cell, 1 for X, 2 for O", "character")
                found = ["2" if cell == -1 else str(cell)]
        read[0] += 1 + sum(map(len, found))
        # Otherwise an endless iterator, or many empty lists, would be read forever.
        if read[0] > MOST:
            raise PositionError(f"more than {MOST} cells, which no board has", "size")
        parts += found
    return parts
