"""An environment of PettingZoo for two players in any game of this package. Needs pettingzoo, numpy, and this repository's package.

    env = MorpionEnv("six-mens-morris")
    env.reset()
    for agent in env.agent_iter(max_iter=200):
        _, reward, over, _, info = env.last()
        env.step(None if over else env.action_space(agent).sample(info["action_mask"]))
"""

import morpion
import numpy
import pettingzoo
from gymnasium import spaces


class MorpionEnv(pettingzoo.AECEnv):
    """X is player_0 and O is player_1. An illegal move is refused by an error."""

    metadata = {"name": "morpion"}

    def __init__(self, game="classic"):
        self.table, self.possible_agents = morpion.open_game(game), ["player_0", "player_1"]
        self.reset()
        self.observation_space = dict.fromkeys(self.agents, spaces.Box(-1, 36, self.seen.shape, numpy.int8)).get
        self.action_space = {agent: spaces.Discrete(len(self.table.game.actions)) for agent in self.agents}.get

    def reset(self, seed=None, options=None):
        self.agents, self.truncations = self.possible_agents[:], dict.fromkeys(self.possible_agents, False)
        self._next(self.table.start)

    def step(self, action):
        if self.terminations[self.agent_selection]:
            return self._was_dead_step(action)
        self._next(self.position.after(self.table.game.actions[action]))

    def _next(self, position):
        self.position, self.agent_selection = position, self.agents["xo".index(position.side)]
        self.terminations = dict.fromkeys(self.agents, position.is_over)
        self.rewards = {agent: {side: 1, None: 0}.get(position.winner, -1) for agent, side in zip(self.agents, "xo")}
        self._cumulative_rewards = self.rewards.copy()  # Only the last move has a reward.
        [arrays] = self.table.training_arrays([position])
        self.seen = numpy.concatenate([plane for plane in (arrays.boards, arrays.hands, arrays.ages) if plane is not None], axis=1)[0]
        mask = numpy.unpackbits(arrays.legal, bitorder="little", count=len(self.table.game.actions)).view(numpy.int8)
        self.infos = {agent: {"action_mask": mask * (agent == self.agent_selection)} for agent in self.agents}

    def observe(self, agent):
        """The planes of the side to move, whoever asks."""
        return self.seen
