"""Arrays for training: boards, values, distances, and a bit for each legal and each perfect move."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from random import Random
from typing import TYPE_CHECKING, Any, final

from . import words
from ._core import Walk
from .answers import Scores
from .arguments import iterable
from .errors import TableError
from .game import Game

if TYPE_CHECKING:
    from .table import Table


@final
@dataclass(frozen=True, repr=False)
class TrainingArrays:
    """Training data for a network, as arrays with a row for each position, from the point of view of the side to move.
    numpy.asarray(arrays.boards) copies nothing. Boards, hands and ages together determine the values.

    >>> [arrays] = morpion.Table.builtin("classic").training_arrays(["XX./OO./..."])
    >>> arrays.boards.tolist(), arrays.values.tolist(), arrays.best.tolist()
    ([[1, 1, 0, -1, -1, 0, 0, 0, 0]], [1], [[4, 0]])
    """

    boards: memoryview
    """Positions × cells: 1 for a piece of the side to move, -1 for a piece of the other side, 0 for none; 8-bit integers."""
    hands: memoryview | None
    """Positions × 2: pieces in hand of the side to move and of the other side; 8-bit integers. None in a game without."""
    ages: memoryview | None
    """Positions × cells: 1 for the oldest piece of its side, 2 for the next one, 0 for none; 8-bit integers. None if pieces do not age."""
    values: memoryview
    """1 for a win, 0 for a draw, -1 for a loss; 8-bit integers."""
    plies: memoryview
    """Half-moves to the end, -1 for a draw and in a table without distances; 16-bit integers."""
    draws: memoryview
    """1 for a draw that ends, 2 for a draw by cycle, 0 if the value is not a draw; 8-bit integers."""
    legal: memoryview
    """Positions × bytes: bit a % 8 of byte a // 8 is 1 if action a of Game.actions is legal. numpy.unpackbits(legal, axis=1,
    bitorder="little") has a column for each action."""
    best: memoryview
    """The same for perfect moves."""

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"TrainingArrays({len(self)} positions)"


DRAWN = 1 << 16
"""Numbers of arrangements that are drawn at once."""


def _of_layer(game: Game, layer: int, size: int, wanted: int, random: Random) -> list[tuple[int, int]]:
    """Draws positions of different orbits in a layer of `size` arrangements: up to `wanted`, or all orbits of a layer with few."""
    drawn: dict[tuple[int, int], None] = {}
    numbers = random.sample(range(size), size) if size <= DRAWN else None
    while len(drawn) < wanted:
        chunk = array("Q", numbers or (random.randrange(size) for _ in range(min(DRAWN, 2 * wanted))))
        movers, waiters = game._numbered(layer, chunk.tobytes())
        first_movers, first_waiters, _ = game._orbits(movers.tobytes(), waiters.tobytes())
        before = len(drawn)
        drawn.update(dict.fromkeys(zip(first_movers, first_waiters)))
        # A layer that hardly has orbits left has given enough.
        if numbers or len(drawn) - before < len(chunk) // 64:
            break
    return list(drawn)[:wanted]


def sample(game: Game, n: int, seed: int) -> list[tuple[int, int]]:
    """Draws up to `n` positions of different orbits, as many from each layer as far as its orbits last, in random order."""
    random, drawn, left = Random(seed), [], n
    sizes = sorted((size, layer) for layer, size in enumerate(game._layer_counts()))
    for index, (size, layer) in enumerate(sizes):
        found = _of_layer(game, layer, size, left // (len(sizes) - index), random)
        left -= len(found)
        drawn += found
    random.shuffle(drawn)
    return drawn


def _chunks(table: Table, positions: Iterable[Any] | None, rows: int) -> Iterator[tuple[memoryview, memoryview]]:
    """The words of up to `rows` positions at a time."""
    if positions is None:
        walk = Walk(table.game)
        while len((found := walk.words(rows))[0]):
            yield found[0], found[1]
        return
    listed = iter(iterable("positions", positions))
    for first in count(0, rows):
        chunk = words.of_positions(table.game, islice(listed, rows), first)
        if not len(chunk[0]):
            return
        yield chunk


def arrays(table: Table, movers: memoryview, waiters: memoryview) -> TrainingArrays:
    """The arrays of positions of the game."""
    both = movers.tobytes(), waiters.tobytes()
    scores = Scores(*table._probe(*both))
    if any(scores.error):
        raise TableError("damaged: the table has no value for a position of its game", "damaged")
    legal, best, _ = table._moves(table.game, *both)
    planes = table.game._decoded(*both)
    return TrainingArrays(*planes, scores.value, scores.plies, scores.draw, legal, best)


def training_arrays(table: Table, positions: Iterable[Any] | None, rows: int, n: int | None, seed: int) -> Iterator[TrainingArrays]:
    if n is None:
        return (arrays(table, *chunk) for chunk in _chunks(table, positions, rows))
    if positions is not None:
        raise TypeError("positions and n are given: use one of them")
    drawn = sample(table.game, n, seed)
    return (arrays(table, *words.arrays(drawn[first : first + rows])) for first in range(0, len(drawn), rows))
