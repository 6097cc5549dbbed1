"""An environment of Gymnasium for one player against the table. Needs gymnasium, numpy, and this repository's package.

    env = MorpionEnv("tapatan", errors=0.5)
    seen, info = env.reset(seed=1)
    seen, reward, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
"""

import gymnasium
import morpion
import numpy


class MorpionEnv(gymnasium.Env):
    """The table moves perfectly, or at a `level` of `Table.choose`, and begins every second game. An illegal move loses."""

    def __init__(self, game="classic", **level):
        self.table, self.level = morpion.open_game(game), level
        self.action_space = gymnasium.spaces.Discrete(len(self.table.game.actions))
        self.observation_space = gymnasium.spaces.Box(-1, 36, self.reset()[0].shape, numpy.int8)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self._next(self.table.start, answered=self.np_random.random() < 0.5)

    def step(self, action):
        own, move = self.position.side, self.table.game.actions[action]
        if move not in self.position.legal_moves:
            seen, info = self._next(self.position, answered=False)
            return seen, -1.0, True, False, info
        seen, info = self._next(self.position.after(move), answered=True)
        return seen, {own: 1.0, None: 0.0}.get(self.position.winner, -1.0), self.position.is_over, False, info

    def _next(self, position, answered):
        """The observation and the mask of legal actions in a position, or after the table's move in it."""
        reply = self.table.choose(position, random=self.np_random.random, **self.level) if answered else None
        self.position = position.after(reply) if reply else position
        [arrays] = self.table.training_arrays([self.position])
        planes = [plane for plane in (arrays.boards, arrays.hands, arrays.ages) if plane is not None]
        mask = numpy.unpackbits(arrays.legal, bitorder="little", count=self.action_space.n).view(numpy.int8)
        return numpy.concatenate(planes, axis=1)[0], {"action_mask": mask}
