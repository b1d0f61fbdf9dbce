"""OpenSpiel's own tests of games, for games of several kinds."""

import pickle

import pytest

pyspiel = pytest.importorskip("pyspiel")

import numpy  # noqa: E402
from open_spiel.python.algorithms import expected_game_score, minimax  # noqa: E402
from open_spiel.python.algorithms.get_all_states import get_all_states  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402
from open_spiel.python.policy import UniformRandomPolicy  # noqa: E402

import lusoria  # noqa: E402
import lusoria.openspiel  # noqa: E402
from documented import block  # noqa: E402

# Moves are one cell, two, or three; chains, stacks, passes, a swap.
SOME = ["breakthrough", "chess", "othello", "fanorona", "focus", "amazons", "nine_mens_morris", "gonnect"]

TICTACTOE = """
game "Tic-tac-toe" {
  players White, Black
  board square 3 by 3
  piece stone
  move { pick c from empty   place stone on c }
  end { win if some segments(own, straight, 3)   draw if no empty }
}
"""

# A die decides: of three equally likely numbers one wins, one loses, and one is a draw.
DICE = """
game "Dice" {
  players White, Black
  board square 3 by 1
  piece stone
  setup { }
  move { pick n from 1..3 by chance   pick c from empty   if n = 3 { place 2 stone in hand }   place stone on c }
  end { win if hand(own) >= 2   draw if count(occupied) >= 1 }
}
"""


@pytest.mark.parametrize("name", SOME)
def test_the_random_simulations_of_openspiel_pass(name):
    game = pyspiel.load_game("lusoria", {"game": name, "max_choices": 24})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("text", [TICTACTOE, DICE])
def test_small_games_pass_to_their_end(text):
    game = lusoria.openspiel.load(lusoria.loads(text))
    pyspiel.random_sim_test(game, num_sims=10, serialize=True, verbose=False)


def test_games_for_four_pass():
    game = lusoria.openspiel.load("focus:for_four", max_choices=24)
    assert game.num_players() == 4
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_the_tree_is_that_of_tic_tac_toe():
    here, there = lusoria.openspiel.load(lusoria.loads(TICTACTOE)), pyspiel.load_game("tic_tac_toe")
    ours, theirs = get_all_states(here, to_string=str), get_all_states(there, to_string=str)
    assert len(ours) == len(theirs) == 5478
    ended = sorted(tuple(state.returns()) for state in theirs.values() if state.is_terminal())
    assert sorted(tuple(state.returns()) for state in ours.values() if state.is_terminal()) == ended
    value, _ = minimax.alpha_beta_search(here)
    assert value == minimax.alpha_beta_search(there)[0] == 0.0


def test_values_of_random_play_are_those_of_tic_tac_toe():
    here, there = lusoria.openspiel.load(lusoria.loads(TICTACTOE)), pyspiel.load_game("tic_tac_toe")
    scores = []
    for game in (here, there):
        state, policy = game.new_initial_state(), UniformRandomPolicy(game)
        for action in (4, 0, 8):  # the middle and two corners, by the same numbers in both
            state.apply_action(action)
        scores.append(expected_game_score.policy_value(state, [policy, policy]))
    numpy.testing.assert_allclose(*scores)


def test_chance_has_its_outcomes():
    game = lusoria.openspiel.load(lusoria.loads(DICE))
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    state = game.new_initial_state()
    assert state.is_chance_node() and len(state.chance_outcomes()) == 3
    assert sum(likely for _, likely in state.chance_outcomes()) == pytest.approx(1)
    state.apply_action(state.chance_outcomes()[0][0])
    assert state.current_player() == 0
    policy = UniformRandomPolicy(game)
    values = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    numpy.testing.assert_allclose(values, [1 / 3, -1 / 3])


def test_observations_are_those_of_states():
    game = lusoria.openspiel.load("othello")
    state = game.new_initial_state()
    observation = make_observation(game)
    observation.set_from(state, 0)
    assert observation.dict["planes"].shape == game.rules.observation_shape
    assert observation.dict["planes"][0].sum() == 2 and observation.tensor.dtype == numpy.float32
    before = observation.tensor.copy()
    state.apply_action(state.legal_actions()[0])
    observation.set_from(state, 0)
    assert (before != observation.tensor).any()


def test_states_are_pickled_and_cloned():
    game = pyspiel.load_game("lusoria(game=breakthrough:5x5)")
    state = game.new_initial_state()
    for _ in range(6):
        state.apply_action(state.legal_actions()[-1])
    for other in (state.clone(), pickle.loads(pickle.dumps(state))):
        assert str(other) == str(state) and other.history() == state.history()
        assert other.legal_actions() == state.legal_actions()
        other.apply_action(other.legal_actions()[0])
        assert str(other) != str(state)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


def test_games_are_cut_as_draws():
    game = lusoria.openspiel.load("chess", max_choices=7)
    state = game.new_initial_state()
    for _ in range(7):
        assert not state.is_terminal()
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal() and state.returns() == [0.0, 0.0] and state.current_player() == pyspiel.PlayerId.TERMINAL


def test_search_of_openspiel_plays_it():
    from open_spiel.python.algorithms import mcts
    from open_spiel.python.bots import uniform_random

    game = lusoria.openspiel.load(lusoria.loads(TICTACTOE))
    rng = numpy.random.RandomState(1)
    bots = [mcts.MCTSBot(game, 2, 200, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)]
    bots.append(uniform_random.UniformRandomBot(1, rng))
    points = 0.0
    for _ in range(3):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(bots[state.current_player()].step(state))
        points += state.returns()[0]
    assert points >= 2


def test_the_example_of_the_documentation_runs():
    names = {"lusoria": lusoria}
    exec(block("python.md", "import pyspiel"), names)
    assert names["game"].rules.name == "Othello" and len(names["other"].rules.cells) == 25


def test_flat_games_pass():
    game = lusoria.openspiel.load(lusoria.load("breakthrough", size=5).flat())
    assert len(game.new_initial_state().legal_actions()) == 13
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
