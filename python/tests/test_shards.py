"""Simulations that are played in shards."""

import pickle

import pytest

import lusoria


@pytest.mark.parametrize("name", ["breakthrough", "chess", "gonnect"])
def test_shards_come_to_what_one_run_does(name):
    parts = [lusoria.shard(name, 50, (one, 4), seed=7) for one in (3, 1, 4, 2)]
    assert lusoria.merge(parts) == lusoria.simulate(name, 50, seed=7)


def test_parts_that_do_not_fit_are_refused():
    one, two = (lusoria.shard("breakthrough", 20, (at, 2), seed=7) for at in (1, 2))
    other = lusoria.shard("breakthrough", 20, (2, 2), seed=8)
    for parts, why in [
        ([one], "not all games are there"),
        ([one, one, two], "another part"),
        ([one, other], "another seed"),
        (["{}", one], "no file of"),
        ([], "no part"),
    ]:
        with pytest.raises(ValueError, match=why):
            lusoria.merge(parts)
    with pytest.raises(ValueError):
        lusoria.shard("breakthrough", 20, (3, 2))


def test_progress_is_that_of_the_shard():
    told = []
    lusoria.shard("breakthrough", 100, (2, 4), progress=told.append)
    assert sum(told) == 25


def test_games_are_pickled():
    game = lusoria.load("breakthrough", size=6)
    copy = pickle.loads(pickle.dumps(game))
    assert copy.name == game.name and len(copy.cells) == 36
    assert lusoria.simulate(copy, 30, seed=1) == lusoria.simulate(game, 30, seed=1)
    state = game.new_initial_state()
    for action in (6, 12):
        state.apply_action(action)
    for before in (state, state.position.state()):
        after = pickle.loads(pickle.dumps(before))
        assert str(after) == str(before) and after.legal_actions() == before.legal_actions()
        assert after.history() == before.history()
