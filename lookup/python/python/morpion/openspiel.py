"""Games of OpenSpiel and replays of Kaggle's Game Arena: their actions as moves, graded by a table.

In a game of N cells, the action c < N is the cell c, and N + N·a + b moves the piece on a to b. A take is an action of its own, the cell
of the piece, after the move that makes the line. Tic-tac-toe, m,n,k games and nine men's morris number their cells as here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ._core import Errors
from .answers import Side
from .errors import MorpionError, PositionError
from .game import Game
from .judge import counts
from .table import Table, open_game

NAMES = {"tic_tac_toe": "classic", "nine_mens_morris": "nine-mens-morris"}
"""Games of OpenSpiel, and the names of their tables."""


class State:
    """A game in progress that takes the actions of OpenSpiel.

    >>> state = morpion.openspiel.State(morpion.open_game("classic").game)
    >>> state.apply(4), state.apply(0), state.legal_actions()
    ('b2', 'a1', [1, 2, 3, 5, 6, 7, 8])
    """

    def __init__(self, game: Game) -> None:
        self.position = game.start
        self._begun: tuple[int, ...] = ()
        self._cells = {name: cell for cell, name in enumerate(game._board()[0])}
        self._turns = self._listed()

    def _listed(self) -> dict[tuple[int, ...], str]:
        return {self._actions(move): move for move in self.position.legal_moves}

    def _actions(self, move: str) -> tuple[int, ...]:
        step, *takes = move.split("x")
        number, (*source, target) = len(self._cells), (self._cells[cell] for cell in step.split("-"))
        first = number + number * source[0] + target if source else target
        return first, *(self._cells[cell] for cell in takes)

    def legal_actions(self) -> list[int]:
        """The actions that are legal now: of a whole turn, or the cells of the pieces that may be taken."""
        count = len(self._begun)
        return sorted({turn[count] for turn in self._turns if turn[:count] == self._begun})

    def apply(self, action: int) -> str | None:
        """Makes an action. Returns the move if it completes one. Raises PositionError of the kind "move" if it is not legal."""
        if action not in self.legal_actions():
            raise PositionError(f"action {action} is not legal in {self.position}: legal are {self.legal_actions()}", "move")
        self._begun += (action,)
        if (move := self._turns.get(self._begun)) is not None:
            self.position, self._begun = self.position.after(move), ()
            self._turns = self._listed()
        return move


class Grade(NamedTuple):
    """Mistakes of a player of a replay; from morpion.grade(replay).

    >>> morpion.grade([4, 0], morpion.open_game("classic"))["x"].moves
    1
    """

    moves: int
    """Whole moves that were made."""
    illegal: int
    """Actions that were submitted and are not legal."""
    errors: int
    """Moves that gave value away."""
    lost: int
    """The value given away: 1 from a win to a draw and from a draw to a loss, 2 from a win to a loss."""
    plies: int
    """Half-moves by which a win was made later or a loss sooner, in moves that kept the value."""


def _name(replay: Any) -> str | None:
    if isinstance(replay, Mapping):
        name = replay.get("configuration", {}).get("openSpielGameName")
    else:
        name = replay.get_game().get_type().short_name if hasattr(replay, "get_game") else None
    return None if name is None else str(name)


def _submitted(replay: Any) -> list[int]:
    """The actions of a replay in order, illegal ones included."""
    if not isinstance(replay, Mapping):
        return list(replay.history() if hasattr(replay, "history") else replay)
    if "steps" not in replay:
        raise MorpionError("not a replay: a dictionary without the key 'steps'", "record")
    given = (agent.get("info", {}).get("actionSubmitted") for step in replay["steps"] for agent in step)
    return [action for action in given if action is not None]


def grade(replay: Any, table: Table | None = None) -> dict[Side, Grade]:
    """Grades both players of a replay: the JSON of Kaggle's Game Arena as a dictionary, a state of OpenSpiel, or a list of actions.

    The table is that of the replay's game, found as by open_game, or `table`, which may be opened over HTTP. An illegal action is counted
    for the side to move, and changes nothing.

    >>> morpion.grade([4, 4, 1], morpion.open_game("classic"))["o"]
    Grade(moves=1, illegal=1, errors=1, lost=1, plies=0)
    """
    if table is None:
        if (name := NAMES.get(_name(replay) or "")) is None:
            raise MorpionError(f"no table is known for the game {_name(replay)!r}: pass the table as the second argument", "name")
        table = open_game(name)
    state = State(table.game)
    errors: dict[Side, Errors] = {"x": Errors(), "o": Errors()}
    illegal: dict[Side, int] = {"x": 0, "o": 0}
    for action in _submitted(replay):
        before = state.position
        try:
            move = state.apply(action)
        except PositionError:
            illegal[before.side] += 1
            continue
        if move is not None:
            errors[before.side].add(table, table.game._at(before, None), move)
    found = {side: counts(errors[side]) for side in errors}
    return {side: Grade(each.moves, illegal[side], each.errors, each.lost, each.plies) for side, each in found.items()}
