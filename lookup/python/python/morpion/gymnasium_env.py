"""Environments of Gymnasium: one player against the table, in one game or in many at once. Needs gymnasium and numpy.

    import morpion.gymnasium_env
    env = gymnasium.make("morpion/swap-v0", errors=0.5)
    seen, info = env.reset(seed=1)
    seen, reward, over, _, info = env.step(env.action_space.sample(info["action_mask"]))

Importing this module registers an environment for each table in this package and in the usual folders. `gymnasium.make_vec` makes many
games at once, in arrays.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .table import Table, known_names, open_game
from .words import arrays


class _Games:
    """Some games against the table, which begins every second one. An illegal move loses.

    Observations are rows of `planes` beside each other: the board, then pieces in hand or ages."""

    def __init__(self, game: str, errors: float, count: int) -> None:
        self.table: Table = open_game(game)
        self.errors, self.count = errors, count
        self.start = [numpy.frombuffer(words, numpy.uint64) for words in arrays([self.table.game._words(self.table.start)])]
        self.words = [numpy.repeat(words, count) for words in self.start]
        self.actions = spaces.Discrete(len(self.table.game.actions))
        self.observations = spaces.Box(-1, 36, self.seen()[0].shape, numpy.int8)

    def begin(self, which: Any, random: numpy.random.Generator) -> None:
        """Begins these games, and makes the table's first move in half of them."""
        for words, start in zip(self.words, self.start):
            words[which] = start
        replies = numpy.where(which & (random.random(self.count) < 0.5), random.random(self.count), numpy.nan)
        self.turn(numpy.full(self.count, -1), replies)

    def turn(self, actions: Any, replies: Any) -> tuple[Any, Any]:
        """Makes the actions and, where `replies` is a number, the table's reply. Returns rewards, and whether the games are over."""
        numbers = numpy.ascontiguousarray(actions, numpy.int64).tobytes()
        movers, waiters, rewards, over, legal = self.table._turns(self.table.game, *self.given(), numbers, self.errors, replies.tobytes())
        self.words = [numpy.array(side, numpy.uint64) for side in (movers, waiters)]
        self.legal = numpy.unpackbits(numpy.asarray(legal), axis=1, bitorder="little", count=int(self.actions.n)).view(numpy.int8)
        return numpy.asarray(rewards), numpy.asarray(over).view(numpy.bool_)

    def seen(self) -> Any:
        planes = self.table.game._decoded(*self.given())
        return numpy.concatenate([numpy.asarray(plane) for plane in planes if plane is not None], axis=1)

    def given(self) -> tuple[bytes, bytes]:
        """The words of the positions, as the table takes them."""
        movers, waiters = self.words
        return movers.tobytes(), waiters.tobytes()


class MorpionEnv(gymnasium.Env):
    """A game against the table, which moves perfectly or errs with the probability `errors`. `render` returns the position as text."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(self, game: str = "classic", errors: float = 0.0, render_mode: str | None = None) -> None:
        self._games, self.render_mode = _Games(game, errors, 1), render_mode
        self.table, self.action_space, self.observation_space = self._games.table, self._games.actions, self._games.observations

    @property
    def position(self) -> str:
        """The text of the position, with the side to move if its pieces say it, else X."""
        return self.table.game._texts(*self._games.given(), None)[0]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._games.begin(numpy.array([True]), self.np_random)
        return self._answer()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        rewards, over = self._games.turn([action], self.np_random.random(1))
        seen, info = self._answer()
        return seen, float(rewards[0]), bool(over[0]), False, info

    def _answer(self) -> tuple[Any, dict[str, Any]]:
        return self._games.seen()[0], {"action_mask": self._games.legal[0]}

    def render(self) -> str | None:
        return self.position if self.render_mode == "ansi" else None


class MorpionVectorEnv(VectorEnv):
    """Many games against the table at once. A game that is over begins again in the next step, whose action is then ignored."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, game: str = "classic", num_envs: int = 1, errors: float = 0.0) -> None:
        self.num_envs, self._games = num_envs, _Games(game, errors, num_envs)
        self.table = self._games.table
        self.single_action_space, self.single_observation_space = self._games.actions, self._games.observations
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._over = numpy.ones(num_envs, numpy.bool_)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._over[:] = False
        self._games.begin(~self._over, self.np_random)
        return self._games.seen(), {"action_mask": self._games.legal}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        begun, random = self._over, self.np_random
        for words, start in zip(self._games.words, self._games.start):
            words[begun] = start
        # In a new game there is no action yet, and in half of these games the table moves.
        replies = numpy.where(begun & (random.random(self.num_envs) < 0.5), numpy.nan, random.random(self.num_envs))
        rewards, self._over = self._games.turn(numpy.where(begun, -1, actions), replies)
        return self._games.seen(), rewards.astype(numpy.float64), self._over, numpy.zeros_like(begun), {"action_mask": self._games.legal}


for _name in known_names():
    gymnasium.register(
        f"morpion/{_name}-v0",
        entry_point=f"{__name__}:MorpionEnv",
        vector_entry_point=f"{__name__}:MorpionVectorEnv",
        kwargs={"game": _name},
    )
