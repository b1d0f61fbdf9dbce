"""Search by a value function of Python."""

import pathlib

import pytest

numpy = pytest.importorskip("numpy")

import lusoria  # noqa: E402


def even(leaves):
    return numpy.zeros(len(leaves))


def test_wins_are_found_without_any_knowledge():
    position = lusoria.load("breakthrough").position("8/W7/8/3B4/8/8/6B1/8 White")
    found = lusoria.search(position, even, playouts=300)
    assert found.best == "a7-a8" and found.moves[0].value == 1.0 and found.values[0] > 0.5
    assert found.playouts == 300 and found.calls <= found.leaves <= 300
    assert {one.move for one in found.moves} == {str(move) for move in position.legal_moves}


def test_leaves_come_in_batches():
    sizes = []

    def seen(leaves):
        sizes.append(len(leaves))
        assert leaves.observation.shape[0] == leaves.legal_action_mask.shape[0] == len(leaves.positions) == len(leaves)
        assert leaves.legal_action_mask.any(axis=1).all() and leaves.observation.any(axis=(1, 2, 3)).all()
        return numpy.zeros(len(leaves))

    found = lusoria.search(lusoria.load("othello").start(), seen, playouts=400, batch=16)
    assert sizes[0] == 1 and max(sizes) == 16 and sum(sizes) == found.leaves and len(sizes) == found.calls
    assert found.leaves > 6 * found.calls


def test_observations_are_those_of_states():
    game = lusoria.load("othello")

    def compared(leaves):
        for at, position in enumerate(leaves.positions):
            planes = numpy.zeros(game.observation_shape, numpy.uint8)
            counters = numpy.zeros(len(game.counters), numpy.float32)
            state = position.state()
            state.observe_into(state.current_player(), planes, counters)
            assert (planes == leaves.observation[at]).all() and (counters == leaves.counters[at]).all()
            assert state.current_player() == leaves.current_player[at]
            assert state.legal_actions_mask() == leaves.legal_action_mask[at].astype(int).tolist()
        return numpy.zeros(len(leaves))

    assert lusoria.search(game.start(), compared, playouts=100, batch=8).leaves == 100


def test_values_and_policies_guide_it():
    game = lusoria.load("othello")
    wanted = game.string_to_action("f5")

    def of_policy(leaves):
        policy = numpy.full(leaves.legal_action_mask.shape, 1e-3)
        policy[:, wanted] = 1.0
        return numpy.zeros(len(leaves)), policy

    found = lusoria.search(game.start(), of_policy, playouts=100)
    assert found.best == "f5" and found.visits[wanted] == found.moves[0].visits > 50

    def of_value(leaves):
        # White, who is second, is glad of a black disc on f5.
        lost = [("Black", "disc") in position.men("f5") for position in leaves.positions]
        return numpy.array([[-1.0, 1.0] if one else [0.0, 0.0] for one in lost])

    assert lusoria.search(game.start(), of_value, playouts=200).moves[-1].move == "f5"


def test_moves_of_several_choices_are_told_whole():
    position = lusoria.load("breakthrough").start()
    found = lusoria.search(position, even, playouts=500)
    assert len(found.moves) == 22 and len(found.visits) == 8
    # The first playout is that of the root itself.
    assert sum(found.visits.values()) == 499
    assert sum(one.visits for one in found.moves) <= 499


def test_chance_is_averaged():
    # White takes a sure draw, or a die of which one side wins and two lose.
    game = lusoria.loads(
        """
        game "Dare" {
          players White, Black
          board square 3 by 1
          piece stone
          setup { }
          move {
            pick c from empty
            place stone on c
            if c = a1 {
              either by chance 1 { place 2 stone in hand } or 2 { place 1 stone in hand }
            }
          }
          end { win if hand(own) = 2   lose if hand(own) = 1   draw if count(occupied) >= 1 }
        }
        """
    )
    found = lusoria.search(game.start(), even, playouts=600, seed=3)
    assert found.best.startswith(("b1", "c1")) and found.values[0] == pytest.approx(0, abs=0.05)
    assert 0 < found.visits[game.string_to_action("a1")] < 100
    assert found == lusoria.search(game.start(), even, playouts=600, seed=3)
    assert found != lusoria.search(game.start(), even, playouts=600, seed=4)


def test_a_search_goes_on_from_the_middle_of_a_move():
    state = lusoria.load("breakthrough").new_initial_state()
    state.apply_action(8)
    found = lusoria.search(state, even, playouts=100)
    assert sorted(found.visits) == state.legal_actions()
    assert sorted(one.move for one in found.moves) == ["a2-a3", "a2-b3"]


def test_a_search_of_one_choice_at_a_time_is_the_same_for_any_batch():
    # Batches of one are the plain search; larger ones look at other leaves, but visit as many.
    position = lusoria.load("breakthrough:5x5").start()
    for batch in (1, 4, 64):
        assert lusoria.search(position, even, playouts=150, batch=batch).playouts == 150


def test_wrong_answers_are_told():
    position = lusoria.load("focus:for_four").start()
    for answer in (
        lambda leaves: numpy.zeros(len(leaves)),
        lambda leaves: numpy.zeros((len(leaves), 3)),
        lambda leaves: numpy.full((len(leaves), 4), numpy.nan),
        lambda leaves: (numpy.zeros((len(leaves), 4)), numpy.zeros((len(leaves), 2))),
    ):
        with pytest.raises(ValueError):
            lusoria.search(position, answer, playouts=10)


def test_a_game_that_is_over_has_no_moves():
    state = lusoria.load("breakthrough:5x5").new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    found = lusoria.search(state, even, playouts=5)
    assert found.best is None and found.moves == [] and found.calls == 0 and sorted(found.values) == [-1.0, 1.0]


def test_rollouts_are_those_of_each_position():
    game = lusoria.load("breakthrough")
    positions = [game.start(), game.position("8/W7/8/3B4/8/8/6B1/8 White")]
    both = lusoria.rollouts(positions, 60, seed=4)
    assert both[0] == positions[0].rollouts(60, seed=4) and both[1][0] > both[0][0]
    assert lusoria.rollouts([]) == []
    with pytest.raises(ValueError):
        lusoria.rollouts([positions[0], lusoria.load("othello").start()])


def test_the_example_beats_greedy(monkeypatch):
    monkeypatch.syspath_prepend(str(pathlib.Path(__file__).parent.parent / "examples"))
    import search_breakthrough

    monkeypatch.setattr("sys.argv", ["search_breakthrough.py", "--games", "6", "--playouts", "400"])
    assert search_breakthrough.main() > 0.5
