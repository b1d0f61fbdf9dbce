"""Commands as functions."""

import dataclasses
import signal
import threading
import time

import pytest

import lusoria


def test_perft_counts():
    # Sources of these numbers stand beside the perft tests of the library.
    chess = lusoria.load("chess").start()
    assert [lusoria.perft(chess, depth) for depth in range(4)] == [1, 20, 400, 8902]
    assert [lusoria.perft(lusoria.load("othello").start(), depth) for depth in (4, 5)] == [244, 1396]


def test_perft_goes_by_whole_turns():
    game = lusoria.load("lines_of_action")
    assert lusoria.perft(game.start(), 2) == lusoria.perft(game.without_plan().start(), 2)


def test_a_seed_decides_a_simulation():
    one = lusoria.simulate("breakthrough", 300, seed=5, threads=1)
    other = lusoria.simulate("breakthrough", 300, seed=5, threads=2)
    assert one == other and one != lusoria.simulate("breakthrough", 300, seed=6)
    assert sum(share.games for share in one.wins.values()) == one.games == 300
    assert sum(games for _, _, games in one.histogram) == 300
    assert sum(ending.games for ending in one.endings) == 300


def test_progress_is_told():
    told = []
    lusoria.simulate("breakthrough", 200, progress=told.append)
    assert sum(told) == 200

    class Bar:
        n = 0

        def update(self, more):
            self.n += more

    bar = Bar()
    lusoria.match("breakthrough:5x5", "random", "random", games=4, progress=bar)
    assert bar.n == 4


def test_what_a_progress_raises_stops_the_work():
    def stop(_):
        raise KeyError("enough")

    with pytest.raises(KeyError):
        lusoria.simulate("breakthrough", 1 << 40, progress=stop)


@pytest.fixture
def ctrl_c():
    """Python's own answer to SIGINT, which whoever starts the tests may have switched off."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize(
    "work",
    [
        lambda: lusoria.simulate("breakthrough", 1 << 40),
        lambda: lusoria.analyse(lusoria.load("chess").start(), 600),
        lambda: lusoria.perft(lusoria.load("chess").start(), 30),
        lambda: lusoria.report("breakthrough:5x5", seconds=600, playouts=[8]),
    ],
)
def test_ctrl_c_stops_the_work(work):
    begun = time.monotonic()
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()
    assert time.monotonic() - begun < 60


def test_other_threads_go_on_meanwhile():
    counted = []
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    lusoria.analyse(lusoria.load("breakthrough").start(), 0.3, threads=1)
    stop.set()
    thread.join()
    assert len(counted) > 10


def test_analysis_finds_a_win():
    position = lusoria.load("breakthrough").position("8/W7/8/3B4/8/8/6B1/8 White")
    found = lusoria.analyse(position, playouts=1000, threads=1)
    assert found.best == "a7-a8" and found.proven == 1.0 and found.lines[0].move == "a7-a8"


def test_dice_are_thrown_in_matches():
    game = lusoria.loads(DICE)
    assert game.has_chance and game.start().chooser is None
    result = lusoria.match(game, "random", "random", games=4, seed=1, opening=0)
    assert result.draws == 4 and all(len(one.moves) == 10 for one in result.played)
    assert len({tuple(one.moves) for one in result.played}) > 1


def test_greedy_beats_random():
    result = lusoria.match("breakthrough:5x5", "greedy", "random", games=20, seed=3)
    assert result.wins + result.draws + result.losses == 20 and result.wins > result.losses
    assert 0 <= result.score_interval[0] <= result.score <= result.score_interval[1] <= 1
    again = lusoria.match("breakthrough:5x5", "greedy", "random", games=20, seed=3)
    assert again == result
    assert {one.players for one in result.played} == {("greedy", "random"), ("random", "greedy")}


def test_rollouts_are_means():
    payoffs = lusoria.load("breakthrough").start().rollouts(50, seed=2)
    assert len(payoffs) == 2 and abs(sum(payoffs) - 1) < 1e-9


def test_a_report_is_decided_by_its_seed(tmp_path):
    told = []
    path = tmp_path / "report.html"
    one = lusoria.report("breakthrough:5x5", 4, playouts=[4, 8], seed=3, out=path, progress=told.append)
    other = lusoria.report(lusoria.load("breakthrough", "5x5"), 4, playouts=[4, 8], seed=3, threads=1)
    assert path.read_text(encoding="utf-8") == one.page and one.page != other.page
    assert one == dataclasses.replace(other, page=one.page)
    assert one != lusoria.report("breakthrough:5x5", 4, playouts=[4, 8], seed=4)
    assert not one.partial and {level.games for level in one.levels[1:]} == {4}
    # The level of random players tells of games of their own, beside the 4 that all players have.
    assert sum(told) == sum(level.games for level in one.levels) + 4 + sum(match.games for match in one.pairings)
    for level in one.levels:
        assert sum(share.games for share in level.wins.values()) + level.draws.games + level.unfinished.games == level.games
    assert len(one.reached) == 25 and sum(games for _, _, games in one.histogram) == one.samples
    assert all(key == measure.key for key, measure in one.measures.items())
    random = lusoria.simulate("breakthrough:5x5", one.levels[0].games, seed=3)
    assert one.levels[0].wins == random.wins


def test_a_report_ends_in_time():
    begun = time.monotonic()
    told = lusoria.report("breakthrough:5x5", seconds=0.5, playouts=[8])
    assert time.monotonic() - begun < 60 and told.levels[0].games > 0
    for wrong in ({"playouts": []}, {"playouts": [0]}, {"seconds": -1.0}):
        with pytest.raises(ValueError):
            lusoria.report("breakthrough:5x5", 1, **wrong)


def test_results_are_arrow_tables():
    pytest.importorskip("pyarrow")
    simulated = lusoria.simulate("breakthrough", 50).to_arrow()
    assert simulated.column_names[:3] == ["game", "result", "games"]
    assert sum(simulated["games"].to_pylist()) == 50
    matched = lusoria.match("breakthrough:5x5", "random", "random", games=2).to_arrow()
    assert matched.num_rows == 2
    reported = lusoria.report("breakthrough:5x5", 2, playouts=[4]).to_arrow()
    assert reported.num_rows > 10 and reported.column_names[1:3] == ["measure", "value"]
    analysed = lusoria.analyse(lusoria.load("breakthrough").start(), playouts=200).to_arrow()
    assert analysed.num_rows == 22


DICE = """
game "Dice" {
  players White, Black
  board square 9 by 1
  piece stone
  setup { }
  move { pick n from 1..3 by chance   pick c from empty   place stone on c }
  end { draw if count(occupied) >= 5 }
}
"""
