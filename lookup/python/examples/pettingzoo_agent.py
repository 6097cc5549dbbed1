"""An agent for PettingZoo's tictactoe_v3 that plays from a table. Needs pettingzoo[classic], and this repository's package.

Run, it plays against random moves.
"""

import numpy
from pettingzoo.classic import tictactoe_v3

import morpion


class PerfectAgent:
    """Plays perfectly, or at a `level` of `Table.choose`: with a share of errors, or with its own random numbers."""

    def __init__(self, **level):
        self.table, self.level = morpion.open_game("classic"), level

    def act(self, observation):
        """The action for an observation, whose first plane has the agent's own marks and whose second has the others."""
        # Its actions are cells, like the first of `table.game.actions`.
        own, other = (numpy.flatnonzero(observation["observation"][:, :, plane]) for plane in (0, 1))
        position = self.table.game.from_masks(*(sum(1 << int(cell) for cell in cells) for cells in (own, other)))
        return self.table.game.actions.index(self.table.choose(position, **self.level))


def play(agents, seed=None):
    """Plays a game of agents by the names of their players. Returns the rewards."""
    env = tictactoe_v3.env()
    env.reset(seed=seed)
    for name in env.agent_iter():
        observation, _, over, cut, _ = env.last()
        if over or cut:
            rewards = dict(env.rewards)
            break
        env.step(agents[name](observation))
    env.close()
    return rewards


if __name__ == "__main__":
    numbers, perfect, rewards = numpy.random.default_rng(), PerfectAgent(), []
    for game in range(20):
        names = [f"player_{1 + game % 2}", f"player_{2 - game % 2}"]
        random_moves = lambda observation: int(numbers.choice(numpy.flatnonzero(observation["action_mask"])))
        rewards.append(play({names[0]: perfect.act, names[1]: random_moves})[names[0]])
    print(f"{rewards.count(1)} won, {rewards.count(0)} drawn, {rewards.count(-1)} lost")
