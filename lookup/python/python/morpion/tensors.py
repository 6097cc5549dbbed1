"""A table as tensors, which a program probes by gathers. Needs numpy."""

from __future__ import annotations

from math import comb, factorial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy

    from .table import Table


def tensors(table: Table) -> dict[str, numpy.ndarray[Any, Any]]:
    """The arrays of a table by name; README.md lists them."""
    import numpy

    cells, layers = range(table.cells), table._layers()
    inverse = numpy.argsort(numpy.array([list(images) for images in table.game._symmetries()]), axis=1)
    maps = [table._map(size) for size in range(table.cells + 1)]
    most = max(max(layer[2:4]) for layer in layers)
    numbers = numpy.full((table.cells + 1, table.cells + 1, most + 1, most + 1), -1)
    scores, starts, first = [], [], 0
    for number, (*pieces, rows, columns) in enumerate(layers):
        numbers[tuple(pieces)] = number
        # A layer that has ended has no entries, and one score.
        scores.append(table._entries(number) if rows else _ended(table, number))
        starts.append((first, columns if rows else 0, min(rows, 1)))
        first += len(scores[-1][0])
    orders = [factorial(size) if table.game.above == "ages" else 1 for size in range(table.cells + 1)]
    values, plies, draws = (numpy.concatenate([numpy.asarray(layer[field]) for layer in scores]) for field in range(3))
    return {
        "inverse": inverse,
        "choose": numpy.array([[comb(n, k) for k in range(table.cells + 1)] for n in cells]),
        "map_start": numpy.cumsum([0] + [len(rows) for rows, _ in maps])[:-1],
        "row": numpy.concatenate([numpy.asarray(rows) for rows, _ in maps]).astype(numpy.int64),
        "symmetry": numpy.concatenate([numpy.asarray(symmetries) for _, symmetries in maps]).astype(numpy.int64),
        "layer": numbers,
        "start": numpy.array([start for start, _, _ in starts]),
        "columns": numpy.array([columns for _, columns, _ in starts]),
        "scale": numpy.array([scale for _, _, scale in starts]),
        "orders": numpy.array(orders),
        "values": values,
        "plies": plies,
        "draws": draws,
    }


def _ended(table: Table, layer: int) -> tuple[memoryview, ...]:
    """The one score of all positions of a layer that has ended; no scores if it has no positions."""
    for movers, waiters in table.game._arrangements(layer, 1 << 16):
        if len(movers):
            return table._probe(movers[:1].tobytes(), waiters[:1].tobytes())[:3]
    return memoryview(b"").cast("b"), memoryview(b"").cast("h"), memoryview(b"").cast("b")
