"""Solves and judges games in this process, by all cores. Ctrl-C stops the work."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from . import _core
from .errors import TableError
from .game import Game
from .table import Table, open_game

Rules: TypeAlias = "str | os.PathLike[str]"
"""The text of a rule file, its path as a Path, or the name of a standard game."""

Report: TypeAlias = Callable[[int, int], object]
"""Receives the units of work that are done, and the number of all, some twenty times a second."""


def _text(rules: Rules) -> str:
    if isinstance(rules, os.PathLike):
        return Path(rules).read_text(encoding="utf-8")
    return _core.standard_rules(rules) or rules


def _available() -> int:
    """Bytes of memory that are free, or a number without meaning where the system does not say it."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 1 << 62


def read_game(rules: Rules) -> Game:
    """The game that rules describe: positions and moves without values, of any size. Raises ValueError with all faults of the rules.

    >>> morpion.read_game("nine-mens-morris").start.legal_moves[:3]
    ['a1', 'd1', 'g1']
    """
    return Game(_core.game_of_rules(_text(rules)))


def solve(rules: Rules, *, memory: int | None = None, on_progress: Report | None = None) -> Table:
    """Solves the game of a rule file and returns its table, which is the same that `morpion build` writes. Raises ValueError with all faults
    of the rules, and MemoryError if solving takes more than `memory` bytes [default: what is free].

    >>> rules = '''
    ... name = "mine"
    ... [board]
    ... rows = 3
    ... columns = 4
    ... [lines]
    ... length = 3
    ... '''
    >>> table = morpion.solve(rules)
    >>> table.probe(table.start)
    Score(value='win', plies=7, draw=None)
    """
    return Table.from_bytes(_core.solve(_text(rules), _available() if memory is None else memory, on_progress))


def judge(game: Table | Rules, *, games: int = 200, on_progress: Report | None = None) -> dict[str, Any]:
    """Facts by which to judge a game, with the keys of `morpion judge --json`: who wins at which level, how long games are, how rare good
    moves are. The game is a table, or rules, which are solved if no table of that name is found.

    >>> morpion.judge("tapatan", games=20)["verdict"][:25]
    'X wins with perfect play,'
    """
    if isinstance(game, Table):
        table = game
    else:
        try:
            table = open_game(game) if isinstance(game, str) and "\\n" not in game else solve(game)
        except TableError:
            table = solve(game)
    return json.loads(table._appraisal(games, on_progress))  # type: ignore[no-any-return]
