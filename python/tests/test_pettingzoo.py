"""PettingZoo's own test, for every shipped game."""

import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test  # noqa: E402

import lusoria  # noqa: E402
import lusoria.pettingzoo  # noqa: E402


@pytest.mark.parametrize("name", lusoria.shipped())
@pytest.mark.filterwarnings("ignore")
def test_the_api_test_passes(name):
    api_test(lusoria.pettingzoo.env(name, max_turns=30), num_cycles=60, verbose_progress=False)


def test_masks_are_of_who_is_next():
    env = lusoria.pettingzoo.env("breakthrough")
    env.reset(seed=1)
    assert env.observe("White")["action_mask"].sum() == 8
    assert env.observe("Black")["action_mask"].sum() == 0


def test_a_game_ends_with_rewards():
    env = lusoria.pettingzoo.env("breakthrough:5x5")
    env.reset(seed=2)
    total = {agent: 0.0 for agent in env.possible_agents}
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        total[agent] += reward
        mask = observation["action_mask"]
        env.step(None if termination or truncation else int(mask.argmax()))
    assert sorted(total.values()) == [-1.0, 1.0]


def test_games_are_cut_at_the_bound_of_turns():
    env = lusoria.pettingzoo.env("chess", max_turns=3)
    env.reset(seed=2)
    turns = 0
    for _ in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        assert not termination
        env.step(None if truncation else int(observation["action_mask"].argmax()))
        turns += not truncation
    assert turns == 6  # a move is two choices
