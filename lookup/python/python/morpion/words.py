"""Words of many positions: what a game needs above the cells, and the arrays that contain it."""

from array import array
from collections.abc import Iterable
from itertools import islice
from typing import Any, TypeAlias

from .arguments import iterable, shown
from .errors import MorpionError, in_batch
from .game import Game
from .position import Words

BATCH = 10_000_000
"""Limit of the positions of an iterable."""

Buffer: TypeAlias = Any
"""A one-dimensional buffer of 64-bit integers, such as a numpy array or an array.array("Q")."""


def listed(game: Game, positions: Iterable[Any], first: int = 0) -> Iterable[Words | MorpionError]:
    """Yields the words of the positions of an iterable, or their errors if they are not positions of the game."""
    positions = iter(iterable("positions", positions))
    for index, given in enumerate(islice(positions, BATCH), first):
        try:
            yield game._words(given)
        except MorpionError as error:
            yield in_batch(error, index)
    for _ in positions:
        raise MorpionError(f"more than {BATCH} positions: divide the batch", "size")


def of_positions(game: Game, positions: Iterable[Any], first: int = 0) -> tuple[memoryview, memoryview]:
    """The words of positions, of which the first one has the index `first` in errors."""
    read = []
    for words in listed(game, positions, first):
        if isinstance(words, MorpionError):
            raise words
        read.append(words)
    return arrays(read)


def arrays(read: list[Words]) -> tuple[memoryview, memoryview]:
    """The words of the movers and those of the waiters."""
    movers, waiters = [mover for mover, _ in read], [waiter for _, waiter in read]
    return memoryview(array("Q", movers)), memoryview(array("Q", waiters))


def both(game: Game, movers: Buffer, waiters: Buffer, in_hand: bool) -> tuple[bytes, bytes]:
    """The bytes of the words of both sides. Refuses sets of cells where words have more."""
    found = _bytes(movers, "movers"), _bytes(waiters, "waiters")
    counts = [len(words) // 8 for words in found]
    if counts[0] != counts[1]:
        raise MorpionError(f"{counts[0]} movers and {counts[1]} waiters: pass arrays of the same length", "size")
    if game.above == "hands" and in_hand and counts[0] and not _any_above(found):
        raise MorpionError(
            f"no word has pieces in hand, and a set of cells is not a word of {game.name}: add hand << 36, or take Table.words(positions). "
            "Pass in_hand=False if really nothing is in hand",
            "words",
        )
    return found


def _any_above(words: tuple[bytes, bytes]) -> bool:
    return any(word >> 36 for side in words for word in memoryview(side).cast("Q"))


def _bytes(given: Buffer, name: str) -> bytes:
    """Copies a buffer, because another thread may write to it."""
    expected = "use a one-dimensional buffer of 64-bit integers"
    try:
        view = memoryview(given)
    except TypeError:
        raise TypeError(f"{name} is {shown(given)}: {expected}") from None
    if view.ndim != 1:
        raise TypeError(f"{name} has {view.ndim} dimensions: {expected}")
    native = "<" if memoryview(array("H", [1])).tobytes()[0] else ">"
    if view.itemsize != 8 or view.format.lstrip("@=" + native) not in tuple("qQlLnN"):
        raise TypeError(f"{name} has items of format '{view.format}': {expected}")
    return view.tobytes()
