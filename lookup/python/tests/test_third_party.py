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


def test_openspiel_and_morpion_have_the_same_mill_game():
    """Random games: the same legal actions, the same positions and the same end, until OpenSpiel's limit of turns."""
    pyspiel = optional("pyspiel")
    game, rules = pyspiel.load_game("nine_mens_morris"), morpion.read_game("nine-mens-morris")
    ends, random_moves = set(), random.Random(1)
    for _ in range(60):
        theirs, ours = game.new_initial_state(), morpion.openspiel.State(rules)
        while not theirs.is_terminal():
            assert theirs.legal_actions() == ours.legal_actions(), theirs
            action = random_moves.choice(ours.legal_actions())
            theirs.apply_action(action)
            move = ours.apply(action)
            assert move is None or [".XO"[cell] for cell in ours.position.cells] == points(theirs)
        over = ours.position.is_over
        assert over or theirs.move_number() > 100
        ends.add(over and ours.position.winner)
        assert not over or theirs.returns()[0] == {"x": 1, None: 0, "o": -1}[ours.position.winner]
    assert {"x", "o"} <= ends


def points(state):
    """The points of OpenSpiel's picture of nine men's morris, row by row."""
    rows = str(state).split("\n")[:13:2]
    return [{"W": "X", "B": "O"}.get(mark, mark) for row in rows for mark in row if mark in ".WB"]


@pytest.mark.parametrize("name", ["classic", "tapatan", "disappearing", "six-mens-morris", "quixo3"])
def test_environments_pass_the_checks_of_their_libraries(name):
    gymnasium, pettingzoo = optional("gymnasium"), optional("pettingzoo")
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import api_test, seed_test

    import morpion.gymnasium_env

    check_env(gymnasium.make(f"morpion/{name}-v0", render_mode="ansi").unwrapped)
    import morpion.pettingzoo_env

    def two():
        return pettingzoo.make("aec", f"morpion/{name}-v0")

    api_test(two(), num_cycles=300)
    seed_test(two, num_cycles=20)


def test_a_perfect_player_never_loses_in_gymnasium():
    gymnasium = optional("gymnasium")
    import morpion.gymnasium_env

    env, returns = gymnasium.make("morpion/tapatan-v0", errors=0.3).unwrapped, []
    for seed in range(60):
        seen, _ = env.reset(seed=seed)
        over, plies = False, 0
        while not over and plies < 100:
            # The observation is the position of the side to move, whichever letter it has.
            position = env.table.game.from_masks(*(sum(1 << cell for cell in range(9) if seen[cell] == own) for own in (1, -1)))
            seen, reward, over, _, info = env.step(env.table.game.actions.index(env.table.choose(position)))
            plies += 1
        returns.append(reward)
    assert min(returns) >= -1 and returns.count(1) > 30
    _, reward, over, _, info = env.step(0)
    assert (reward, over, info["action_mask"].any()) == (-1, True, False), "the game is over, so that no move is legal"


@pytest.mark.parametrize("name", ["classic", "six-mens-morris", "disappearing", "quixo3"])
def test_many_games_at_once_are_those_of_the_table(name):
    gymnasium, numpy = optional("gymnasium"), optional("numpy")
    from morpion.gymnasium_env import MorpionVectorEnv

    envs = gymnasium.make_vec(f"morpion/{name}-v0", num_envs=64, vectorization_mode="vector_entry_point", errors=0.5)
    assert isinstance(envs.unwrapped, MorpionVectorEnv)
    table, numbers = envs.unwrapped.table, numpy.random.default_rng(1)
    actions, games, ended = table.game.actions, envs.unwrapped._games, []
    seen, info = envs.reset(seed=5)
    over = numpy.zeros(64, bool)
    for step in range(60):
        before = list(zip(*(side.tolist() for side in games.words)))
        chosen = [int(numbers.choice(numpy.flatnonzero(row))) if row.any() else 0 for row in info["action_mask"]]
        seen, rewards, done, truncated, info = envs.step(chosen)
        after = list(zip(*(side.tolist() for side in games.words)))
        for game in range(64):
            position = table.game.start if over[game] else table.game.from_masks(*before[game])
            between = [position, *map(position.after, position.legal_moves)] if over[game] else [position.after(actions[chosen[game]])]
            follow = {(at.mover, at.waiter) for at in between}
            if not over[game] and not between[0].is_over:
                follow = {(at.mover, at.waiter) for at in map(between[0].after, between[0].legal_moves)}
            assert after[game] in follow
            now = table.game.from_masks(*after[game])
            assert info["action_mask"][game].sum() == len(now.legal_moves) and done[game] == now.is_over
            moved_last = after[game] == (between[0].mover, between[0].waiter)
            result = 0 if not now.is_over else {"win": 1, "draw": 0, "loss": -1}[table.value(now)] * (-1 if moved_last else 1)
            assert rewards[game] == result
            ended += [rewards[game]] * bool(done[game])
        over = done
    assert len(ended) > 100 and len({*ended}) > 1


def test_a_perfect_player_never_loses_in_pettingzoo():
    optional("pettingzoo")
    from morpion.pettingzoo_env import MorpionEnv

    env, won = MorpionEnv("classic", render_mode="ansi"), 0
    for game in range(40):
        env.reset()
        assert env.render() == ".../.../... x"
        [env.action_space(agent).seed(game) for agent in env.agents]
        own = env.agents[game % 2]
        for agent in env.agent_iter(max_iter=200):
            _, reward, over, _, info = env.last()
            if over:
                assert agent != own or reward >= 0
                won += agent == own and reward == 1
                env.step(None)
            elif agent == own:
                env.step(env.table.game.actions.index(env.table.choose(env.position, random=random.Random(game).random)))
            else:
                env.step(env.action_space(agent).sample(info["action_mask"]))
    assert won > 20


def test_a_replay_is_graded():
    pyspiel = optional("pyspiel")
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    for action in (0, 1, 4, 8, 3, 5, 6):  # O answers a corner by a side; X plays on perfectly.
        state.apply_action(action)
    grades = morpion.grade(state)
    assert grades["o"].errors >= 1 and grades["x"].errors == 0 and grades["x"].moves + grades["o"].moves == 7
    assert morpion.grade(state.history(), morpion.open_game("classic")) == grades
    # The form of replays of the Game Arena: what each agent submitted in each step. Here O submits a cell that is taken.
    step = [[{"info": {}}, {"info": {}}]]
    for at, action in enumerate((0, 0, 1)):
        agents = [{"info": {}}, {"info": {}}]
        agents[min(at, 1)]["info"]["actionSubmitted"] = action
        step.append(agents)
    grades = morpion.grade({"configuration": {"openSpielGameName": "tic_tac_toe"}, "steps": step})
    assert grades["o"].illegal == 1 and grades["o"].moves == grades["x"].moves == 1
    with pytest.raises(morpion.MorpionError, match="chess"):
        morpion.grade({"configuration": {"openSpielGameName": "chess"}, "steps": []})
