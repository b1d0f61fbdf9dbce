"""Many games in lock step."""

import pytest

numpy = pytest.importorskip("numpy")

import lusoria  # noqa: E402

SOME = ["breakthrough", "othello", "chess", "focus", "gonnect", "nine_mens_morris"]


def same_walks(env, steps):
    """Walks of an environment and of states, with the same actions."""
    env.reset(seed=3)
    states = [env.game.state(env.position(lane)) for lane in range(env.num_envs)]
    for _ in range(steps):
        for lane, state in enumerate(states):
            assert state.legal_actions_mask() == env.legal_action_mask[lane].astype(int).tolist()
            assert state.current_player() == env.current_player[lane]
            planes = numpy.zeros(env.game.observation_shape, numpy.uint8)
            counters = numpy.zeros(len(env.game.counters), numpy.float32)
            state.observe_into(state.current_player(), planes, counters)
            assert (planes == env.observation[lane]).all() and (counters == env.counters[lane]).all()
        actions = env.random_actions().copy()
        env.step(actions)
        for lane, state in enumerate(states):
            state.apply_action(int(actions[lane]))
            assert state.is_terminal() == env.terminated[lane]
            assert state.returns() == env.rewards[lane].tolist()
            if env.terminated[lane] or env.truncated[lane]:
                assert env.terminated[lane] or state.turns == 20
                states[lane] = env.game.state(env.position(lane))
    for lane, state in enumerate(states):
        assert str(env.position(lane)) == str(state.position)


@pytest.mark.parametrize("name", SOME)
def test_lanes_go_as_states_do(name):
    same_walks(lusoria.VectorEnv(name, 4, max_turns=20), 60)


@pytest.mark.parametrize("name", ["breakthrough", "chess"])
def test_lanes_of_flat_actions_go_as_states_do(name):
    same_walks(lusoria.VectorEnv(lusoria.load(name).flat(), 2, max_turns=20), 60)


@pytest.mark.parametrize("name", lusoria.shipped())
def test_lanes_of_all_games_go_as_states_do(name):
    game = lusoria.load(name)
    if not game.has_chance:
        same_walks(lusoria.VectorEnv(game, 2, max_turns=20), 25)


def test_moves_of_the_same_choices_are_told_apart_as_in_states():
    game = lusoria.loads(
        """game "Alike" {
             players White north, Black south
             board square 3 by 3
             piece man { move forward: ^ to empty }
             setup { place man on rank 1   mirror }
             move { either { pick m from own   remove m } or { pick m from own   flip m } }
             end { win if no own   draw if turns >= 12 }
           }"""
    )
    assert game.is_planned
    same_walks(lusoria.VectorEnv(game, 4, max_turns=20), 60)


@pytest.mark.parametrize("name, lanes, steps", [("breakthrough", 40, 100), ("othello", 5000, 10)])
def test_results_do_not_depend_on_threads(name, lanes, steps):
    def course(threads):
        env = lusoria.VectorEnv(name, lanes, threads=threads)
        env.reset(seed=5)
        seen = []
        for _ in range(steps):
            seen.append(env.random_actions().copy())
            env.step(env.random_actions())
        return numpy.stack(seen), env.observation.copy()

    for one, other in zip(course(1), course(3)):
        assert (one == other).all()


def test_cells_are_drawn_uniformly():
    """Where the bits of a board stand in the order of its cells, and where they do not."""
    for board in ("square 4 by 4", "hexagon side 3"):
        game = lusoria.loads(
            f"""game "Fill" {{
                 players White, Black
                 board {board}
                 piece stone
                 move {{ pick c from empty   place stone on c }}
                 end {{ draw if no empty }}
               }}"""
        )
        lanes = 4000
        env = lusoria.VectorEnv(game, lanes)
        env.reset(seed=2)
        env.step(env.random_actions())
        drawn = env.random_actions()
        assert env.legal_action_mask[range(lanes), drawn].all()
        cells = int(env.legal_action_mask[0].sum()) + 1
        counts = numpy.bincount(drawn, minlength=cells)
        assert len(counts) == cells
        expected = lanes / cells
        # Degrees of freedom, and four standard deviations of them.
        assert ((counts - expected) ** 2 / expected).sum() < cells - 1 + 4 * (2 * (cells - 1)) ** 0.5


def test_arrays_are_not_copied():
    env = lusoria.VectorEnv("othello", 8)
    observation, info = env.reset(seed=1)
    before = observation.copy()
    again, _, _, _, info = env.step(env.random_actions())
    assert again is observation is env.observation and info["action_mask"] is env.legal_action_mask
    assert (before != observation).any()


def test_men_stand_where_the_planes_say():
    env = lusoria.VectorEnv("chess", 1)
    env.reset(seed=1)
    planes = {name: env.observation[0, place] for place, name in enumerate(env.game.planes)}
    assert planes["own king"][0, 4] == 1 and planes["own king"].sum() == 1
    assert planes["other pawn"][6].tolist() == [1] * 8 and planes["other pawn"].sum() == 8


def test_illegal_actions_are_told():
    env = lusoria.VectorEnv("breakthrough", 3)
    with pytest.raises(RuntimeError):
        env.step([8, 8, 8])
    env.reset(seed=1)
    for actions in ([8, 63, 8], [8, 8], [8, -1, 8]):
        with pytest.raises(ValueError):
            env.step(actions)


def test_games_without_turns_are_refused():
    with pytest.raises(ValueError, match="one turn at least"):
        lusoria.VectorEnv("othello", 2, max_turns=0)


def test_gymnasium_takes_it():
    gymnasium = pytest.importorskip("gymnasium")
    env = lusoria.VectorEnv("othello", 4)
    assert isinstance(env, gymnasium.vector.VectorEnv)
    observation, _ = env.reset(seed=1)
    assert observation in env.observation_space
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
    wrapped.reset(seed=1)
    ended = 0
    for _ in range(200):
        _, reward, terminated, truncated, _ = wrapped.step(env.random_actions())
        assert reward.shape == terminated.shape == truncated.shape == (4,)
        ended += int(terminated.sum())
    assert ended > 0
