"""Rules of board games as data: play, count, search and learn any game that is written.

>>> import lusoria
>>> game = lusoria.load("breakthrough")
>>> position = game.start()
>>> len(position.legal_moves)
22
>>> position.push("a2-a3")
>>> position.turn
'Black'
>>> position.pop()
Move("a2-a3")
>>> lusoria.perft(position, 3)
11132
"""

from __future__ import annotations

from typing import Any, Optional

from . import _lusoria
from ._lusoria import Game, Move, Outcome, Player, Position, State, shipped
from .commands import analyse, match, merge, perft, report, rollouts, shard, simulate
from .errors import (
    ChanceError,
    FaultError,
    LusoriaError,
    NotAMoveError,
    NotationError,
    RulesError,
    UnknownGameError,
)
from .results import (
    Analysis,
    Ending,
    Finding,
    FirstMove,
    Interval,
    Length,
    Level,
    Line,
    MatchResult,
    Measure,
    Opening,
    Pairing,
    Played,
    Report,
    Share,
    Simulation,
    Unused,
)

__version__: str = _lusoria.__version__

__all__ = [
    "Analysis",
    "ChanceError",
    "Ending",
    "FaultError",
    "Finding",
    "FirstMove",
    "Game",
    "Interval",
    "Length",
    "Level",
    "Line",
    "LusoriaError",
    "MatchResult",
    "Measure",
    "Move",
    "NotAMoveError",
    "NotationError",
    "Opening",
    "Outcome",
    "Pairing",
    "Played",
    "Player",
    "Position",
    "Report",
    "RulesError",
    "Share",
    "Simulation",
    "State",
    "UnknownGameError",
    "Unused",
    "VectorEnv",
    "analyse",
    "load",
    "loads",
    "match",
    "merge",
    "perft",
    "records",
    "report",
    "rollouts",
    "search",
    "shard",
    "shipped",
    "simulate",
]


def load(name: str, variant: Optional[str] = None, **params: Any) -> Game:
    """A game by its name or by the path of its file, with a variant and values of params.

    >>> import lusoria
    >>> lusoria.load("fanorona:telo").name
    'Fanorona Telo'
    >>> len(lusoria.load("breakthrough", size=5).cells)
    25

    Raises `UnknownGameError` for a name that stands for nothing, and `RulesError` with all mistakes of a file.
    """
    return _lusoria.load(str(name), variant, params)


def loads(text: str, variant: Optional[str] = None, *, file: str = "game.rules", **params: Any) -> Game:
    """A game from its text; what it extends is looked for among the shipped games.

    >>> import lusoria
    >>> tiny = lusoria.loads('''
    ...     game "Tiny" {
    ...       players White, Black
    ...       board square 3 by 3
    ...       piece stone
    ...       move { pick c from empty   place stone on c }
    ...       end { win if some segments(own, straight, 3)   draw if no empty }
    ...     }''')
    >>> lusoria.perft(tiny.start(), 5)
    15120
    """
    return _lusoria.loads(text, file, variant, params)


#: What needs NumPy or Arrow, which are asked for only by those who use it.
_LATER = {"VectorEnv": "vector", "records": "arrow", "search": "tree"}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(f".{_LATER[name]}", __name__), name)
    raise AttributeError(f"module 'lusoria' has no attribute {name!r}")
