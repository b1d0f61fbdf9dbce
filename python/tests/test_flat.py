"""Spaces in which a move is one action."""

import pickle
import random

import pytest

import lusoria

FLAT = [
    "breakthrough",
    "charisma",
    "chess",
    "gonnect",
    "kitaran",
    "lines_of_action",
    "morabaraba",
    "nine_mens_morris",
    "othello",
    "pente",
    "pilare",
    "renju",
    "xiangqi",
]


@pytest.mark.parametrize("name", FLAT)
def test_each_move_is_one_action(name):
    plain = lusoria.load(name)
    game = plain.flat()
    assert game.is_flat and not plain.is_flat and game.num_distinct_actions() >= plain.num_distinct_actions()
    state, rng = game.new_initial_state(1), random.Random(1)
    for _ in range(60):
        if state.is_terminal():
            break
        moves, legal = state.position.legal_moves, state.legal_actions()
        assert len(legal) == len(moves) and legal == sorted(set(legal)) and legal[-1] < game.num_distinct_actions()
        wanted = set()
        for move in moves:
            behind = state.position
            behind.push(move)
            wanted.add(behind.text)
        assert {state.child(action).position.text for action in legal} == wanted
        state.apply_action(rng.choice(legal))


@pytest.mark.parametrize("name", ["amazons", "fanorona", "ordo"])
def test_games_of_other_moves_have_none(name):
    with pytest.raises(ValueError, match="forms"):
        lusoria.load(name).flat()


def test_names_are_those_of_choices():
    game = lusoria.load("chess").flat()
    for name in ("e2-e4", "a7-a8-queen"):
        assert game.action_to_string(game.string_to_action(name)) == name
    state = game.state(lusoria.load("chess").position("7k/P7/8/8/8/8/8/K7 w - - 0 1"))
    names = [state.action_to_string(action) for action in state.legal_actions()]
    assert {"a7-a8-queen", "a7-a8-rook", "a1-b1"} <= set(names) and len(names) == 7


def test_dice_and_moves_are_apart():
    game = lusoria.loads(
        """
        game "Steps" {
          players White, Black
          board square 6 by 2
          piece man
          setup { place White man on a1   place Black man on a2 }
          move {
            pick n from 1..2 by chance
            pick p from own
            pick c from empty
            move p to c
          }
          end { draw if count(empty) < 10 }
        }
        """
    ).flat()
    state = game.new_initial_state()
    assert state.is_chance_node() and [likely for _, likely in state.chance_outcomes()] == [0.5, 0.5]
    state.apply_action(state.legal_actions()[0])
    assert [state.action_to_string(action) for action in state.legal_actions()][:2] == ["a1-b1", "a1-c1"]
    assert len(state.legal_actions()) == 10


def test_it_goes_wherever_games_go():
    numpy = pytest.importorskip("numpy")
    game = lusoria.load("breakthrough").flat()
    env = lusoria.VectorEnv(game, 3)
    env.reset(seed=1)
    assert env.legal_action_mask.shape == (3, game.num_distinct_actions()) and env.legal_action_mask.sum() == 66
    for _ in range(30):
        env.step(env.random_actions())
    assert env.turns.max() <= 30
    copy = pickle.loads(pickle.dumps(game))
    state = copy.new_initial_state()
    assert copy.is_flat and state.game.is_flat and len(state.legal_actions()) == 22
    found = lusoria.search(state, lambda leaves: numpy.zeros(len(leaves)), playouts=60)
    assert sorted(found.visits) == state.legal_actions() and len(found.moves) == 22


@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_takes_it():
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    import lusoria.pettingzoo

    env = lusoria.pettingzoo.env(lusoria.load("breakthrough").flat(), max_turns=20)
    api_test(env, num_cycles=30, verbose_progress=False)
