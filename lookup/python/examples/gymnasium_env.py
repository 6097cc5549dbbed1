"""An environment of Gymnasium for one player against the table. Needs gymnasium, numpy, and this repository's package.

Run, it plays random legal moves.
"""

import gymnasium
import morpion
import numpy


class MorpionEnv(gymnasium.Env):
    """The table moves perfectly, or at a `level` of `Table.choose`, and begins every second game. An illegal move loses."""

    def __init__(self, game="classic", **level):
        self.table, self.level = morpion.open_game(game), level
        self.position = self.table.start
        self.action_space = gymnasium.spaces.Discrete(len(self.table.game.actions))
        self.observation_space = gymnasium.spaces.Box(-1, 36, self._observation().shape, numpy.int8)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.position = self.table.start
        if self.np_random.random() < 0.5:
            self._answer()
        return self._observation(), self._info()

    def step(self, action):
        move = self.table.game.actions[action]
        if move not in self.position.legal_moves:
            return self._observation(), -1.0, True, False, self._info()
        own, self.position = self.position.side, self.position.after(move)
        if not self.position.is_over:
            self._answer()
        winner = self.position.winner
        reward = 0.0 if winner is None else 1.0 if winner == own else -1.0
        return self._observation(), reward, self.position.is_over, False, self._info()

    def _answer(self):
        move = self.table.choose(self.position, random=self.np_random.random, **self.level)
        self.position = self.position.after(move)

    def _observation(self):
        planes = self.table.planes(*self.table.words([self.position]), in_hand=False)
        return numpy.concatenate([numpy.asarray(plane)[0] for plane in planes if plane is not None])

    def _info(self):
        legal = {*self.position.legal_moves}
        return {"action_mask": numpy.array([move in legal for move in self.table.game.actions], numpy.int8)}


if __name__ == "__main__":
    env, returns = MorpionEnv("tapatan", errors=0.5), []
    for seed in range(100):
        _, info = env.reset(seed=seed)
        env.action_space.seed(seed)
        for _ in range(200):
            _, reward, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
            if over:
                break
        returns.append(reward)
    print(f"{returns.count(1)} won, {returns.count(0)} drawn, {returns.count(-1)} lost")
