"""Perfect play for morpion (tic-tac-toe) and its family."""

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Literal, Optional, Union, final

_Value = Literal["win", "draw", "loss"]
_Draw = Literal["cycle", "end"]
_Side = Literal["x", "o"]

# Text like "X../.O./..X o", or cells as notebooks have them: rows or one list, 0 empty, 1 for X, 2 for O.
_Position = Union[str, Sequence[int], Sequence[Sequence[int]], Sequence[str]]

class MorpionError(ValueError):
    """What is wrong."""

    kind: str
    """A short name, the same in every language: "character", "counts", "magic", …"""

class PositionError(MorpionError):
    """No position of the game, or no legal move."""

class TableError(MorpionError):
    """No table, or a damaged one."""

@final
class Score:
    """What a position is worth to the side to move."""

    @property
    def value(self) -> _Value: ...
    @property
    def plies(self) -> Optional[int]:
        """Half-moves to the end; None for a draw and from a table without distances."""
    @property
    def draw(self) -> Optional[_Draw]: ...
    def __hash__(self) -> int: ...

@final
class Move:
    """A move and what it is worth to the side that makes it, counted from the position before."""

    @property
    def move(self) -> str: ...
    @property
    def value(self) -> _Value: ...
    @property
    def plies(self) -> Optional[int]: ...
    @property
    def draw(self) -> Optional[_Draw]: ...
    def __hash__(self) -> int: ...

@final
class Table:
    """An open table; any number of threads may use it.

    `side` names the side to move where the position does not and the pieces do not tell.
    Errors: PositionError for what is no position, TableError for a damaged table.
    """

    def __new__(cls, source: Union[str, PathLike[str], bytes], *, mmap: bool = False) -> Table:
        """Opens a built-in table by its name, a file by its path, or the bytes of one.

        With `mmap` the file is mapped, and nobody may change it while the table is in use.
        Errors: OSError, TableError.
        """
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def cells(self) -> int: ...
    @property
    def encoding(self) -> Literal["plies", "plies16", "wdl"]: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def symmetries(self) -> int: ...
    @property
    def entries(self) -> int: ...
    @property
    def start(self) -> str:
        """The position the game begins with."""
    def check_sums(self) -> None:
        """Checks the sums of all bytes; TableError where one is wrong."""
    def probe(self, position: _Position, side: Optional[_Side] = None) -> Score: ...
    def value(self, position: _Position, side: Optional[_Side] = None) -> _Value: ...
    def plies(self, position: _Position, side: Optional[_Side] = None) -> Optional[int]: ...
    def probe_many(self, positions: Iterable[_Position]) -> list[Score]:
        """Many positions at once, faster than one after the other; raises at the first that is none.

        At most 10,000,000; more are a MorpionError of the kind "size".
        """
    def moves(self, position: _Position, side: Optional[_Side] = None) -> list[Move]:
        """All moves, the best first; none where the game is over."""
    def best(self, position: _Position, side: Optional[_Side] = None) -> list[str]:
        """Every perfect move, in the order of cells."""
    def over(self, position: _Position, side: Optional[_Side] = None) -> Optional[Literal["line", "full", "stuck"]]: ...
    def after(self, position: _Position, move: str, side: Optional[_Side] = None) -> str:
        """The position after a legal move."""

def builtin_names() -> list[str]:
    """The names of the tables inside this module."""
