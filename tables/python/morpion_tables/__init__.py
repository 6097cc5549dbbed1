"""Packed tables as files, for the package morpion: morpion.open_game(name) finds them.

>>> morpion_tables.names()
['beginner4', 'classic4', 'swap5', 'teeko']
>>> morpion.Table.open(morpion_tables.path("teeko")).name
'teeko'
"""

from pathlib import Path

__all__ = ["names", "path"]
__version__ = "0.2.0"

_FOLDER = Path(__file__).parent
_ENDING = ".morpion.zst"


def names() -> list[str]:
    """The names of the games."""
    return sorted(file.name.removesuffix(_ENDING) for file in _FOLDER.glob(f"*{_ENDING}"))


def path(name: str) -> Path:
    """The file with the table of a game; ValueError where there is none."""
    if name not in names():
        raise ValueError(f"no table of {name!r}: expected one of {', '.join(names())}")
    return _FOLDER / f"{name}{_ENDING}"
