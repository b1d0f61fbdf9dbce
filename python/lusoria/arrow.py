"""Records of games as tables of Arrow, made batch by batch, so that any number of games takes as much memory as one batch."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterator, Optional, Tuple, Union

from . import _lusoria
from ._lusoria import Game
from .commands import Progress, _game, _simulation, _teller
from .results import Simulation

__all__ = ["records"]

#: Games of a batch, unless it is said.
_BATCH = 10_000

Path = Union[str, "os.PathLike[str]"]


def _schema() -> Any:
    import pyarrow as pa

    return pa.schema(
        [
            pa.field("game", pa.uint64(), nullable=False),
            pa.field("start", pa.string(), nullable=False),
            pa.field("moves", pa.list_(pa.string()), nullable=False),
            pa.field("legal", pa.list_(pa.uint32()), nullable=False),
            pa.field("length", pa.int32(), nullable=False),
            pa.field("winners", pa.list_(pa.string())),
            pa.field("payoffs", pa.list_(pa.float64())),
            pa.field("ending", pa.dictionary(pa.int32(), pa.string())),
        ]
    )


def _batch(columns: Dict[str, bytes], endings: Any) -> Any:
    """The columns as Arrow has them; their bytes are not copied."""
    import pyarrow as pa
    import pyarrow.compute

    games = len(columns["game"]) // 8

    def numbers(name: str, kind: Any) -> Any:
        size = len(columns[name]) * 8 // kind.bit_width
        return pa.Array.from_buffers(kind, size, [None, pa.py_buffer(columns[name])])

    def texts(name: str) -> Any:
        offsets = columns[f"{name} offsets"]
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(columns[name])]
        return pa.Array.from_buffers(pa.string(), len(offsets) // 4 - 1, buffers)

    def lists(items: Any, offsets: str, valid: Any = None) -> Any:
        bits = None if valid is None else valid.buffers()[1]
        buffers = [bits, pa.py_buffer(columns[offsets])]
        return pa.Array.from_buffers(pa.list_(items.type), games, buffers, children=[items])

    by = numbers("by", pa.int32())
    ended = pyarrow.compute.greater_equal(by, 0)
    endings = pa.DictionaryArray.from_arrays(pyarrow.compute.if_else(ended, by, None), endings)
    moves = lists(texts("moves"), "moves of")
    return pa.RecordBatch.from_arrays(
        [
            numbers("game", pa.uint64()),
            texts("start"),
            moves,
            lists(numbers("legal", pa.uint32()), "moves of"),
            pyarrow.compute.list_value_length(moves),
            lists(texts("winners"), "winners of", ended),
            lists(numbers("payoffs", pa.float64()), "payoffs of", ended),
            endings,
        ],
        schema=_schema(),
    )


def _played(
    game: Game,
    games: int,
    seed: int,
    max_turns: int,
    threads: Optional[int],
    setup: Optional[int],
    batch: int,
    progress: Optional[Progress],
) -> Iterator[Tuple[Any, Any]]:
    """Batches, each with what its games came to."""
    import pyarrow as pa

    endings = None
    for first in range(0, games, batch):
        some = min(batch, games - first)
        counts, columns = _lusoria.record(game, some, first, seed, max_turns, threads, setup, _teller(progress))
        if endings is None:
            endings = pa.array([one["outcome"] for one in json.loads(counts.summary())["ends"]], pa.string())
        yield counts, _batch(columns, endings)


def records(
    game: Union[Game, str],
    games: int = 1000,
    *,
    seed: int = 0,
    max_turns: int = 2000,
    threads: Optional[int] = None,
    setup: Optional[int] = None,
    batch: int = _BATCH,
    progress: Optional[Progress] = None,
) -> Any:
    """The games that `simulate` plays for a seed, move by move, as a `pyarrow.RecordBatchReader`.

    The next `batch` games are played when the next batch is read, so that memory does not grow with the number of games.

    >>> import lusoria
    >>> reader = lusoria.records("breakthrough", 100, seed=7)
    >>> reader.schema.names
    ['game', 'start', 'moves', 'legal', 'length', 'winners', 'payoffs', 'ending']
    >>> table = reader.read_all()
    >>> table.num_rows, table["moves"][0][0].as_py(), table["ending"][0].as_py()
    (100, 'g2-f3', 'win if some own in last row')
    """
    import pyarrow as pa

    if batch < 1:
        raise ValueError("a batch has one game at least")
    played = _played(_game(game), games, seed, max_turns, threads, setup, batch, progress)
    return pa.RecordBatchReader.from_batches(_schema(), (one for _, one in played))


def written(
    path: Path,
    game: Game,
    games: int,
    seed: int,
    max_turns: int,
    threads: Optional[int],
    setup: Optional[int],
    progress: Optional[Progress],
) -> Simulation:
    """Writes games to a file of Parquet, a row group for each batch; what they came to."""
    import pyarrow.parquet

    if games < 1:
        raise ValueError("there must be one game at least")
    all_counts: Any = None
    with pyarrow.parquet.ParquetWriter(path, _schema(), compression="zstd") as writer:
        for counts, one in _played(game, games, seed, max_turns, threads, setup, _BATCH, progress):
            writer.write_batch(one)
            if all_counts is None:
                all_counts = counts
            else:
                all_counts.add(counts)
    return _simulation(game.name, seed, json.loads(all_counts.summary()))
