"""A bot for OpenSpiel that plays from a table, in its games tic_tac_toe and mnk. Needs open_spiel, and this repository's packages.

Run, it plays against a random bot.
"""

import random

import pyspiel

import morpion


class PerfectBot(pyspiel.Bot):
    """Plays perfectly, or at a `level` of `Table.choose`: with a share of errors, or with its own random numbers.

    The actions of these games are cells, as those of `table.game.actions`.
    """

    def __init__(self, table: morpion.Table, **level):
        pyspiel.Bot.__init__(self)
        self.table, self.level = table, level
        self.numbers = {move: number for number, move in enumerate(table.game.actions)}

    def restart_at(self, state):
        pass

    def step(self, state):
        # OpenSpiel writes the rows of a position, which are also the text of a position here.
        return self.numbers[self.table.choose(str(state), **self.level)]


def play(game, bots):
    """Plays a game and returns the result for each bot."""
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    return state.returns()


if __name__ == "__main__":
    for name, table in (("tic_tac_toe", "classic"), ("mnk(m=4,n=4,k=4)", "classic4")):
        game, returns = pyspiel.load_game(name), []
        for seed in range(20):
            opponent = pyspiel.make_uniform_random_bot(seed % 2, random.randrange(1 << 30))
            perfect = PerfectBot(morpion.open_game(table))
            bots = [opponent, perfect] if seed % 2 == 0 else [perfect, opponent]
            returns.append(play(game, bots)[1 - seed % 2])
        print(f"{name}: {returns.count(1)} won, {returns.count(0)} drawn, {returns.count(-1)} lost")
