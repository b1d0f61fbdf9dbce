"""States in the manner of OpenSpiel."""

import random

import pytest

import lusoria

SOME = ["breakthrough", "chess", "othello", "fanorona", "focus", "amazons", "nine_mens_morris", "dameo"]


def played(game, seed, most=400):
    """Plays at random, holds what OpenSpiel's own tests hold, and gives back the last state."""
    rng = random.Random(seed)
    state = game.new_initial_state(seed)
    for _ in range(most):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert abs(sum(probability for _, probability in outcomes) - 1) < 1e-9
            assert state.current_player() == -1
            state.apply_action(rng.choice(outcomes)[0])
            continue
        player = state.current_player()
        legal = state.legal_actions()
        assert legal and legal == sorted(set(legal)) and max(legal) < game.num_distinct_actions()
        assert state.legal_actions(player) == legal and state.legal_actions(player + 1) == []
        mask = state.legal_actions_mask()
        assert [action for action, is_legal in enumerate(mask) if is_legal] == legal
        action = rng.choice(legal)
        assert game.string_to_action(state.action_to_string(player, action)) is not None
        before, copy = str(state), state.clone()
        copy.apply_action(action)
        assert str(state) == before and state.child(action).history() == copy.history()
        state.apply_action(action)
        assert str(state) == str(copy)
    return state


@pytest.mark.parametrize("name", SOME)
def test_random_games_hold_the_laws(name):
    game = lusoria.load(name)
    state = played(game, 3)
    assert len(state.returns()) == game.num_players()
    if state.is_terminal():
        assert state.current_player() == -4 and state.legal_actions() == []
        assert all(game.min_utility() <= one <= game.max_utility() for one in state.returns())


@pytest.mark.parametrize("name", SOME)
def test_paths_of_choices_are_the_moves(name):
    game = lusoria.load(name)
    state = game.new_initial_state()
    position = state.position
    wanted = []
    for move in position.legal_moves:
        behind = position.copy()
        behind.push(move)
        wanted.append(behind.text)

    found = []

    def walk(state):
        for action in state.legal_actions():
            behind = state.child(action)
            if behind.position.text != position.text or behind.is_terminal():
                found.append(behind.position.text)
            else:
                walk(behind)

    if len(wanted) < 300:  # Amazons has thousands
        walk(state)
        assert sorted(found) == sorted(wanted)


def test_chance_draws_by_its_weights():
    game = lusoria.loads(
        """
        game "Weighted" {
          players White, Black
          board square 4 by 1
          piece stone
          setup { }
          move {
            either by chance 3 { let far = 1 } or 1 { let far = 2 }
            pick c from empty
            place stone on c
          }
          end { draw if count(occupied) >= 2 }
        }
        """
    )
    state = game.new_initial_state()
    assert state.is_chance_node() and sorted(p for _, p in state.chance_outcomes()) == [0.25, 0.75]
    played(game, 1)


def test_illegal_actions_change_nothing():
    state = lusoria.load("breakthrough").new_initial_state()
    before = str(state)
    for action in (40, 9999):
        with pytest.raises(ValueError):
            state.apply_action(action)
    assert str(state) == before and state.history() == []


def test_a_game_that_is_over_has_returns():
    state = lusoria.load("breakthrough:5x5").new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    assert sorted(state.returns()) == [-1.0, 1.0] and state.position.is_game_over()


def test_open_spiel_takes_the_same_course():
    pyspiel = pytest.importorskip("pyspiel")
    # Othello there is not mirrored: its cells have other numbers, so counts of moves are compared.
    there = pyspiel.load_game("othello").new_initial_state()
    here = lusoria.load("othello").new_initial_state()
    assert len(there.legal_actions()) == len(here.legal_actions())
