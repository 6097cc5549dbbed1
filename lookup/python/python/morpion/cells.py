"""Reads cells from lists, tuples and arrays. Any object is read as text or raises an exception; endless iterators are refused."""

from collections.abc import Iterator, Mapping, Sequence, Set
from operator import index
from typing import Any, Protocol, TypeAlias

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
        # The keys of a dictionary would be read as cells, and a set has no order.
        items = iter(None if isinstance(given, Mapping | Set) else given)  # type: ignore[call-overload]
    except TypeError:
        raise TypeError(f"{type(given).__name__} is not a position: use text or lists of 0, 1 and 2") from None
    parts: list[str] = []
    for item in items:
        if item is None:
            found = ["."]
        elif isinstance(item, str):
            found = ["." if item in ("", " ") else item]
        else:
            try:
                # An invalid cell becomes `?`, which the parser reports.
                cell = index(int(item) if isinstance(item, float) and item.is_integer() else item)
                found = ["2" if cell == -1 else str(cell) if 0 <= cell <= 9 else "?"]
            except TypeError:
                found = ["/"] * bool(parts) + _parts(item, depth + 1, read)
        read[0] += 1 + sum(map(len, found))
        # Otherwise an endless iterator, or many empty lists, would be read forever.
        if read[0] > MOST:
            raise PositionError(f"more than {MOST} cells, which no board has", "size")
        parts += found
    return parts
