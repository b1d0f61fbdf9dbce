"""Records of games as tables of Arrow."""

import collections
import os

import pytest

pyarrow = pytest.importorskip("pyarrow")

import pyarrow.parquet  # noqa: E402

import lusoria  # noqa: E402
from test_commands import DICE  # noqa: E402


def replayed(game, row):
    """The position that the moves of a row lead to; their numbers of legal moves are counted anew."""
    position = game.position(row["start"])
    for move, legal in zip(row["moves"], row["legal"]):
        assert len(position.legal_moves) == legal
        position.push(move)
    return position


@pytest.mark.parametrize("name", ["breakthrough:5x5", "othello", "gonnect"])
def test_rows_are_games_that_can_be_replayed(name):
    game = lusoria.load(name)
    table = lusoria.records(game, 20, seed=3, batch=7).read_all()
    assert table["game"].to_pylist() == list(range(20))
    for row in table.to_pylist():
        assert row["length"] == len(row["moves"]) == len(row["legal"]) > 0
        end = replayed(game, row)
        outcome = end.outcome()
        assert outcome.winners == row["winners"] and end.payoffs() == row["payoffs"]
        assert row["ending"] in outcome.text


def test_games_of_chance_are_recorded():
    table = lusoria.records(lusoria.loads(DICE), 10, seed=1).read_all()
    assert all(len(moves) == 10 for moves in table["moves"].to_pylist())
    assert table["payoffs"].to_pylist() == [[0.5, 0.5]] * 10 and table["winners"].to_pylist() == [[]] * 10


def test_games_that_did_not_end_have_no_result():
    table = lusoria.records("chess", 5, max_turns=4).read_all()
    assert table["winners"].to_pylist() == table["payoffs"].to_pylist() == table["ending"].to_pylist() == [None] * 5
    assert table["length"].to_pylist() == [4] * 5


def test_batches_and_threads_change_nothing():
    tables = [
        lusoria.records("othello", 30, seed=9, batch=batch, threads=threads).read_all()
        for batch, threads in [(30, 1), (4, 2), (1, 1)]
    ]
    assert tables[0].equals(tables[1].combine_chunks()) and tables[0].equals(tables[2].combine_chunks())


def test_batches_are_played_when_they_are_read():
    told = []
    reader = lusoria.records("breakthrough", 1 << 40, batch=5, progress=told.append)
    assert sum(told) == 0
    assert [reader.read_next_batch()["game"].to_pylist() for _ in range(2)] == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]
    assert sum(told) == 10


def test_parquet_has_the_games_that_are_counted(tmp_path):
    path = tmp_path / "games.parquet"
    result = lusoria.simulate("breakthrough", 300, seed=5, parquet=path)
    assert result == lusoria.simulate("breakthrough", 300, seed=5)
    table = pyarrow.parquet.read_table(path)
    wins = collections.Counter(winners[0] for winners in table["winners"].to_pylist())
    assert wins == {player: share.games for player, share in result.wins.items()}
    assert sum(table["length"].to_pylist()) == round(result.turns.mean * 300)
    endings = collections.Counter(table["ending"].to_pylist())
    assert endings == {one.outcome: one.games for one in result.endings if one.games}
    assert not [name for name in os.listdir(tmp_path) if name != "games.parquet"]
