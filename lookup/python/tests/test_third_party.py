"""The examples, run in the environments that they are for, OpenSpiel and PettingZoo, and what other solvers find."""

import functools
import random

import morpion
import pytest
from helpers import REPOSITORY, example, optional

@pytest.fixture(autouse=True)
def shipped_tables(monkeypatch):
    monkeypatch.setenv("MORPION_TABLES", str(REPOSITORY / "tables"))


def test_openspiel_has_the_same_rules_and_values():
    pyspiel = optional("pyspiel")
    table, seen = morpion.open_game("classic"), {}

    def worth(state, position):
        """The value of a state for X, computed by OpenSpiel alone and compared with the table on the way."""
        text = str(position)
        if text in seen:
            return seen[text]
        assert state.is_terminal() == position.is_over and table.game.position(str(state)) == position
        if state.is_terminal():
            value = state.returns()[0]
            assert {1: "x", 0: None, -1: "o"}[value] == position.winner
        else:
            actions = table.game.actions
            assert [actions[action] for action in state.legal_actions()] == position.legal_moves
            children = (worth(state.child(action), position.after(actions[action])) for action in state.legal_actions())
            value = (max, min)[state.current_player()](list(children))
        mover = value if position.side == "x" else -value
        assert {1: "win", 0: "draw", -1: "loss"}[mover] == table.value(position), text
        seen[text] = value
        return value

    assert worth(pyspiel.load_game("tic_tac_toe").new_initial_state(), table.game.start) == 0
    assert len(seen) == 5478


@pytest.mark.parametrize("name, table", [("tic_tac_toe", "classic"), ("mnk(m=4,n=4,k=4)", "classic4")])
def test_the_openspiel_bot_never_loses(name, table):
    pyspiel = optional("pyspiel")
    game, bot = pyspiel.load_game(name), example("openspiel_bot").PerfectBot(morpion.open_game(table), random=random.Random(1).random)
    won = 0
    for seed in range(100):
        for player in (0, 1):
            random_bot = pyspiel.make_uniform_random_bot(1 - player, seed)
            bots = [bot, random_bot] if player == 0 else [random_bot, bot]
            # OpenSpiel's own loop.
            returned = pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)[player]
            assert returned >= 0
            won += returned == 1
    assert won > 100
    search = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(5, 1), 2.0, 300, 10, True, 1, False)
    assert pyspiel.evaluate_bots(game.new_initial_state(), [search, bot], 1)[1] >= 0


def test_a_policy_of_openspiel_is_judged():
    pyspiel = optional("pyspiel")
    game, table = pyspiel.load_game("tic_tac_toe"), morpion.open_game("classic")

    @functools.cache
    def state_of(position):
        state = game.new_initial_state()
        xs, os = ([cell for cell, mark in enumerate(position.cells) if mark == own] for own in (1, 2))
        for turn in range(len(xs) + len(os)):
            state.apply_action((xs, os)[turn % 2][turn // 2])
        return state

    def search(simulations):
        bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(2, 1), 2.0, simulations, 10, False, 1, False)
        return lambda position: table.game.actions[bot.step(state_of(position))]

    def reached_in_order(position):
        # Not every order of moves plays on past a line.
        try:
            return not state_of(position).is_terminal() and not position.is_over
        except RuntimeError:
            return False

    sample = [position for position in table.game.positions() if reached_in_order(position)][::9]
    few, many = table.judge(search(5), sample), table.judge(search(500), sample)
    assert few.positions == many.positions == len(sample) > 300
    assert few.rate > 0.1 > many.rate, (few, many)


def test_the_pettingzoo_agent_never_loses():
    optional("pettingzoo")
    numpy, agent = optional("numpy"), example("pettingzoo_agent")
    numbers, perfect, won = numpy.random.default_rng(1), agent.PerfectAgent(random=random.Random(1).random), 0

    def guess(observation):
        return int(numbers.choice(numpy.flatnonzero(observation["action_mask"])))

    for game in range(60):
        own, other = (f"player_{1 + (game + i) % 2}" for i in (0, 1))
        rewards = agent.play({own: perfect.act, other: guess}, seed=game)
        assert rewards[own] >= 0, rewards
        won += rewards[own] == 1
    assert won > 40
    assert agent.play({"player_1": perfect.act, "player_2": perfect.act}) == {"player_1": 0, "player_2": 0}


@pytest.mark.parametrize("name, of_a_line", [("classic", -100), ("misere", 100)])
def test_easyai_finds_the_same_values(name, of_a_line):
    optional("easyAI")
    from easyAI import Negamax
    from easyAI.AI import TranspositionTable
    from easyAI.AI.solving import solve_with_depth_first_search
    from easyAI.games.TicTacToe import TicTacToe

    class Game(TicTacToe):
        """Its own game, of which a position can be set up and remembered, and a line can lose."""

        def __init__(self, position):
            super().__init__([None, None])
            self.board, self.current_player = list(position.cells), 1 if position.side == "x" else 2

        def ttentry(self):
            return (*self.board, self.current_player)

        def scoring(self):
            return of_a_line if self.lose() else 0

    table, known, searched = morpion.open_game(name), TranspositionTable(), 0
    for position in table.game.positions():
        game, score = Game(position), table.probe(position)
        assert game.is_over() == position.is_over, position
        value = solve_with_depth_first_search(game, 100, tt=known)
        assert {1: "win", 0: "draw", -1: "loss"}[value] == score.value, position
        if position.is_over or sum(cell != 0 for cell in position.cells) < 2:
            continue
        search, searched = Negamax(9), searched + 1
        chosen = table.game.actions[search(game) - 1]
        # Its score is greater by a thousandth for every move that the end comes before the ninth.
        plies = None if search.alpha == 0 else 9 - round(1000 * (abs(search.alpha) / 100 - 1))
        assert plies == score.plies and chosen in table.best(position), position
    assert searched > 4000


@pytest.mark.parametrize("name", ["classic", "tapatan", "disappearing", "six-mens-morris", "quixo3"])
def test_environments_pass_the_checks_of_their_libraries(name):
    optional("gymnasium"), optional("pettingzoo")
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import api_test, seed_test

    check_env(example("gymnasium_env").MorpionEnv(name), skip_render_check=True)
    two = example("pettingzoo_env").MorpionEnv
    api_test(two(name), num_cycles=300)
    seed_test(lambda: two(name), num_cycles=20)


def test_a_perfect_player_never_loses_in_gymnasium():
    optional("gymnasium")
    env, returns = example("gymnasium_env").MorpionEnv("tapatan", errors=0.3), []
    for seed in range(60):
        env.reset(seed=seed)
        over, plies = False, 0
        while not over and plies < 100:
            action = env.table.game.actions.index(env.table.choose(env.position))
            seen, reward, over, _, _ = env.step(action)
            plies += 1
        returns.append(reward)
    assert min(returns) >= -1 and returns.count(1) > 30
    _, reward, over, _, info = env.step(0)
    assert (reward, over, info["action_mask"].any()) == (-1, True, False), "the game is over, so that no move is legal"


def test_a_perfect_player_never_loses_in_pettingzoo():
    optional("pettingzoo")
    env, won = example("pettingzoo_env").MorpionEnv("tapatan"), 0
    for game in range(40):
        env.reset()
        [env.action_space(agent).seed(game) for agent in env.agents]
        own = env.agents[game % 2]
        for agent in env.agent_iter(max_iter=200):
            _, reward, over, _, info = env.last()
            if over:
                assert agent != own or reward >= 0
                won += agent == own and reward == 1
                env.step(None)
            elif agent == own:
                env.step(env.table.game.actions.index(env.table.choose(env.position)))
            else:
                env.step(env.action_space(agent).sample(info["action_mask"]))
    assert won > 30
