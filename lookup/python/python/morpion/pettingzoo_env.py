"""An environment of PettingZoo for two players in any game. Needs pettingzoo and numpy.

    import morpion.pettingzoo_env
    env = pettingzoo.make("aec", "morpion/six-mens-morris-v0")
    env.reset()
    for agent in env.agent_iter(max_iter=200):
        _, reward, over, _, info = env.last()
        env.step(None if over else env.action_space(agent).sample(info["action_mask"]))
"""

from __future__ import annotations

from typing import Any

import numpy
import pettingzoo
from gymnasium import spaces

from .position import Position
from .table import known_names, open_game


class MorpionEnv(pettingzoo.AECEnv):  # type: ignore[misc]
    """X is player_0 and O is player_1. An illegal move is refused by an error. `render` returns the position as text."""

    metadata = {"name": "morpion", "render_modes": ["ansi"]}

    def __init__(self, game: str = "classic", render_mode: str | None = None) -> None:
        self.table, self.possible_agents = open_game(game), ["player_0", "player_1"]
        self.render_mode = render_mode
        self.reset()
        self.observation_space = dict.fromkeys(self.agents, spaces.Box(-1, 36, self.seen.shape, numpy.int8)).get
        self.action_space = {agent: spaces.Discrete(len(self.table.game.actions)) for agent in self.agents}.get

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.agents, self.truncations = self.possible_agents[:], dict.fromkeys(self.possible_agents, False)
        self._next(self.table.start)

    def step(self, action: int | None) -> None:
        if action is None or self.terminations[self.agent_selection]:
            self._was_dead_step(action)
        else:
            self._next(self.position.after(self.table.game.actions[action]))

    def _next(self, position: Position) -> None:
        self.position, self.agent_selection = position, self.agents["xo".index(position.side)]
        self.terminations = dict.fromkeys(self.agents, position.is_over)
        self.rewards = {agent: {side: 1, None: 0}.get(position.winner, -1) for agent, side in zip(self.agents, "xo")}
        self._cumulative_rewards = self.rewards.copy()  # Only the last move has a reward.
        [arrays] = self.table.training_arrays([position])
        self.seen = numpy.concatenate([plane for plane in (arrays.boards, arrays.hands, arrays.ages) if plane is not None], axis=1)[0]
        mask = numpy.unpackbits(numpy.asarray(arrays.legal), bitorder="little", count=len(self.table.game.actions)).view(numpy.int8)
        self.infos = {agent: {"action_mask": mask * (agent == self.agent_selection)} for agent in self.agents}

    def observe(self, agent: str) -> Any:
        """The planes of the side to move, whoever asks."""
        return self.seen

    def render(self) -> str | None:
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Does nothing: the table may be used elsewhere."""


for _name in known_names():
    pettingzoo.register("aec", f"morpion/{_name}-v0", f"{__name__}:MorpionEnv", kwargs={"game": _name})
