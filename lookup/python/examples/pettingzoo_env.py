"""An environment of PettingZoo for two players in any game of this package. Needs pettingzoo, numpy, and this repository's package.

Run, a perfect player plays against random moves.
"""

import gymnasium
import morpion
import numpy
import pettingzoo


class MorpionEnv(pettingzoo.AECEnv):
    """X is player_0 and O is player_1. An illegal move is refused by an error."""

    metadata = {"name": "morpion", "is_parallelizable": False}

    def __init__(self, game="classic", plies=200):
        self.table, self.plies, self.possible_agents = morpion.open_game(game), plies, ["player_0", "player_1"]
        self.reset()
        spaces, seen = gymnasium.spaces, self.observe("player_0")
        space = {"observation": spaces.Box(-1, 36, seen["observation"].shape, numpy.int8)}
        space["action_mask"] = spaces.Box(0, 1, seen["action_mask"].shape, numpy.int8)
        self.observation_spaces = {agent: spaces.Dict(space) for agent in self.agents}
        self.action_spaces = {agent: spaces.Discrete(len(self.table.game.actions)) for agent in self.agents}

    def reset(self, seed=None, options=None):
        self.position, self.ply, self.agents = self.table.start, 0, self.possible_agents[:]
        self.rewards, self._cumulative_rewards = dict.fromkeys(self.agents, 0), dict.fromkeys(self.agents, 0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos, self.agent_selection = {agent: {} for agent in self.agents}, self._agent(self.position.side)

    def step(self, action):
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            return self._was_dead_step(action)
        self._cumulative_rewards[self.agent_selection] = 0
        self.position, self.ply = self.position.after(self.table.game.actions[action]), self.ply + 1
        winner = self.position.winner and self._agent(self.position.winner)
        self.rewards = {agent: 0 if winner is None else 1 if agent == winner else -1 for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, self.position.is_over)
        self.truncations = dict.fromkeys(self.agents, self.ply >= self.plies and not self.position.is_over)
        self.agent_selection = self._agent(self.position.side)
        self._accumulate_rewards()

    def observe(self, agent):
        """The planes of the side to move, whoever asks; only the agent to move has moves."""
        planes = self.table.planes(*self.table.words([self.position]), in_hand=False)
        legal = {*self.position.legal_moves} if agent == self.agent_selection else {}
        mask = numpy.array([move in legal for move in self.table.game.actions], numpy.int8)
        return {"observation": numpy.concatenate([numpy.asarray(plane)[0] for plane in planes if plane is not None]), "action_mask": mask}

    def _agent(self, side):
        return self.possible_agents[side == "o"]

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]


if __name__ == "__main__":
    env = MorpionEnv("six-mens-morris")
    env.reset()
    for agent in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        if over or cut:
            action = None
        elif agent == "player_0":
            action = env.table.game.actions.index(env.table.choose(env.position))
        else:
            action = env.action_space(agent).sample(seen["action_mask"])
        if over:
            print(f"{agent}: {reward}")
        env.step(action)
