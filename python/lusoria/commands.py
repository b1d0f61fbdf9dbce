"""The commands of the command line as functions.

They work without the interpreter's lock, on all processors, and stop at Ctrl-C. `progress` is a callable that is
told how much more is done, or an object with the method `update`, such as `tqdm.tqdm(total=1000)`.
"""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from . import _lusoria
from ._lusoria import Game, Move, Player, Position
from .results import (
    Analysis,
    Ending,
    Finding,
    FirstMove,
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

__all__ = ["analyse", "match", "merge", "perft", "report", "rollouts", "shard", "simulate"]

#: What is told how much more is done.
Progress = Union[Callable[[int], Any], Any]
#: Who chooses moves: as the command line names players, or a function.
Chooser = Union[str, Callable[[Position], Union[str, Move, None]]]

_MASK = (1 << 64) - 1


def _teller(progress: Optional[Progress]) -> Optional[Callable[[int], Any]]:
    return getattr(progress, "update", progress)


def _game(game: Union[Game, str]) -> Game:
    return _lusoria.load(game, None, {}) if isinstance(game, str) else game


def _share(told: Dict[str, Any], games: str = "games") -> Share:
    low, high = told["interval"]
    return Share(told[games], told["share"], (low, high))


def simulate(
    game: Union[Game, str],
    games: int = 1000,
    *,
    seed: int = 0,
    max_turns: int = 2000,
    threads: Optional[int] = None,
    setup: Optional[int] = None,
    progress: Optional[Progress] = None,
    parquet: Optional[Union[str, "os.PathLike[str]"]] = None,
) -> Simulation:
    """Plays a game many times at random and counts the results. The same seed gives the same result.

    `parquet` is a file that the games are written to, with the columns of `lusoria.records`: slower, as moves are written down.

    >>> import lusoria
    >>> result = lusoria.simulate("breakthrough", 100, seed=7)
    >>> result.games, result.draws.games
    (100, 0)
    >>> sum(share.games for share in result.wins.values())
    100
    """
    game = _game(game)
    if parquet is not None:
        from .arrow import written

        return written(parquet, game, games, seed, max_turns, threads, setup, progress)
    told = _lusoria.simulate(game, games, seed, max_turns, threads, setup, _teller(progress))
    return _simulation(game.name, seed, json.loads(told))


def _simulation(name: str, seed: int, told: Dict[str, Any]) -> Simulation:
    lengths = told["lengths"]
    return Simulation(
        game=name,
        seed=seed,
        games=told["games"],
        wins={one["player"]: _share(one, "wins") for one in told["players"]},
        draws=_share(told["draws"]),
        unfinished=_share(told["unfinished"]),
        turns=Length(**told["turns"]),
        plies=Length(**told["plies"]),
        mean_branching=told["mean_branching"],
        branching_estimated=told["branching_estimated"],
        percentiles={
            5: lengths["p5"],
            25: lengths["p25"],
            50: lengths["median"],
            75: lengths["p75"],
            95: lengths["p95"],
        },
        histogram=[(bar["from"], bar["to"], bar["games"]) for bar in lengths["histogram"]],
        endings=[Ending(one["place"], one["outcome"], one["games"]) for one in told["ends"]],
    )


def shard(
    game: Union[Game, str],
    games: int,
    which: Tuple[int, int],
    *,
    seed: int = 0,
    max_turns: int = 2000,
    threads: Optional[int] = None,
    setup: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> str:
    """Plays a shard of the games of `simulate`, from `(1, n)` to `(n, n)`: its counts as a text for `merge`.

    It is what `lusoria simulate --shard --out` writes, and `lusoria merge` reads it.
    """
    return _lusoria.part(_game(game), games, which, seed, max_turns, threads, setup, _teller(progress))


def merge(parts: Iterable[str]) -> Simulation:
    """What all shards of a simulation came to together: the result of one run, whatever the shards.

    >>> import lusoria
    >>> parts = [lusoria.shard("breakthrough", 100, (one, 3), seed=7) for one in (3, 1, 2)]
    >>> lusoria.merge(parts) == lusoria.simulate("breakthrough", 100, seed=7)
    True

    Raises `ValueError` for parts of other rules, seeds or options, for games that are counted twice, or are in none.
    """
    told = json.loads(_lusoria.merge(list(parts)))
    return _simulation(told["name"], told["seed"], told)


def rollouts(
    positions: Sequence[Position], games: int = 100, *, seed: int = 0, max_turns: int = 1000
) -> List[List[float]]:
    """For each position of one game, by player: the mean payoff of random games from there.

    >>> import lusoria
    >>> game = lusoria.load("breakthrough")
    >>> won = game.position("8/W7/8/3B4/8/8/6B1/8 White")
    >>> payoffs = lusoria.rollouts([game.start(), won], 200, seed=1)
    >>> len(payoffs), payoffs[1][0] > payoffs[0][0]
    (2, True)
    """
    return _lusoria.rollouts(list(positions), games, seed, max_turns)


def perft(position: Position, depth: int) -> int:
    """How many sequences of so many whole turns there are.

    >>> import lusoria
    >>> [lusoria.perft(lusoria.load("othello").start(), depth) for depth in (1, 2, 3, 4)]
    [4, 12, 56, 244]
    """
    return _lusoria.perft(position, depth)


def analyse(
    position: Position,
    seconds: Optional[float] = None,
    *,
    playouts: Optional[int] = None,
    threads: Optional[int] = None,
    seed: int = 0,
    memory: int = 1 << 30,
    progress: Optional[Progress] = None,
) -> Analysis:
    """Searches a position by Monte Carlo tree search, and proves wins and losses.

    Without a time or a number of playouts it searches a second.

    >>> import lusoria
    >>> position = lusoria.load("breakthrough").position("8/W7/8/3B4/8/8/6B1/8 White")
    >>> found = lusoria.analyse(position, playouts=2000, threads=1)
    >>> found.best, found.proven
    ('a7-a8', 1.0)
    """
    if seconds is None and playouts is None:
        seconds = 1.0
    told = _lusoria.analyse(position, seconds, playouts, threads, seed, memory, _teller(progress))
    lines = [Line(**line) for line in told["lines"]]
    return Analysis(lines, told["proven"], told["playouts"], told["nodes"])


def _called(chooser: Chooser) -> str:
    return chooser if isinstance(chooser, str) else getattr(chooser, "__name__", type(chooser).__name__)


def _play(
    position: Position, choosers: Tuple[Chooser, Chooser], number: int, seed: int, max_turns: int
) -> Tuple[List[str], Position]:
    players = []
    for seat, chooser in enumerate(choosers):
        if isinstance(chooser, str):
            mixed = ((2 * number + seat + 1) * 0xD134_2543_DE82_EF95) & _MASK
            players.append(Player(chooser, seed=seed ^ mixed))
        else:
            players.append(chooser)
    seats = position.game.players
    moves: List[str] = []
    turns = 0
    while not position.is_game_over() and turns < max_turns:
        if position.chooser is None:
            position.push_random(seed ^ ((number * 0x9E37_79B9_7F4A_7C15 + len(moves)) & _MASK))
            moves.append(str(position.peek()))
            continue
        chosen = players[seats.index(position.chooser)](position)
        if chosen is None:
            break
        position.push(chosen)
        played = position.peek()
        turns += int(played.ends_turn)
        moves.append(str(played))
    return moves, position


def match(
    game: Union[Game, str],
    first: Chooser,
    second: Chooser,
    games: int = 100,
    *,
    seed: int = 0,
    opening: int = 2,
    max_turns: int = 1000,
    progress: Optional[Progress] = None,
) -> MatchResult:
    """Plays games between two players, in pairs with one random opening and exchanged seats.

    A player is `random`, `greedy`, `mcts:1s`, `alphabeta:depth=4`, or a function that is given a position and gives back a
    move, its text, or `None` to give up. Games are played one after the other, so that functions need no locks.

    >>> import lusoria
    >>> def first_move(position):
    ...     return position.legal_moves[0]
    >>> result = lusoria.match("breakthrough:5x5", "greedy", first_move, games=4)
    >>> result.wins + result.draws + result.losses, len(result.played)
    (4, 4)
    """
    game = _game(game)
    if len(game.players) != 2:
        raise ValueError(f"{game.name} is not a game for two players")
    tell = _teller(progress)
    played: List[Played] = []
    pairs: List[float] = []
    for pair in range((games + 1) // 2):
        begun = game.start(seed ^ pair)
        start = begun.copy()
        start.push_random(seed ^ ((pair * 0x9E37_79B9_7F4A_7C15) & _MASK), opening)
        if start.is_game_over():
            start = begun
        points = []
        for exchanged in (False, True):
            choosers = (second, first) if exchanged else (first, second)
            number = 2 * pair + int(exchanged)
            moves, end = _play(start.copy(), choosers, number, seed, max_turns)
            outcome, payoffs = end.outcome(), end.payoffs()
            points.append(0.5 if payoffs is None else payoffs[int(exchanged)])
            winners = None if outcome is None else list(outcome.winners)
            played.append(Played(number, tuple(map(_called, choosers)), moves, winners, points[-1]))
            if tell is not None:
                tell(1)
        pairs.append(sum(points) / 2)
    told = json.loads(_lusoria.strength(pairs))
    return MatchResult(
        game=game.name,
        players=(_called(first), _called(second)),
        wins=sum(one.points > 0.5 for one in played),
        draws=sum(one.points == 0.5 for one in played),
        losses=sum(one.points < 0.5 for one in played),
        unfinished=sum(one.winners is None for one in played),
        score=told["score"],
        score_interval=(told["score_low"], told["score_high"]),
        elo=told["elo"],
        elo_interval=(told["elo_low"], told["elo_high"]),
        played=played,
    )


def report(
    game: Union[Game, str],
    games: Optional[int] = None,
    *,
    seconds: Optional[float] = None,
    playouts: Sequence[int] = (32, 128, 512),
    seed: int = 0,
    max_turns: int = 1000,
    threads: Optional[int] = None,
    setup: Optional[int] = None,
    out: Optional[Union[str, "os.PathLike[str]"]] = None,
    progress: Optional[Progress] = None,
) -> Report:
    """Measures a game by games of random, greedy and searching players, as `lusoria report` does.

    `games` is how many games each player plays against itself and against the next stronger one; without it, there are as many as
    there is time for, a minute unless `seconds` says it. `playouts` are those of the searching players for a move. `out` is the
    file that the page is written to. With `games` and without `seconds`, the seed decides the report.

    `progress` is told how many more games are over, random ones among them.

    >>> import lusoria
    >>> told = lusoria.report("breakthrough:5x5", 2, playouts=[4, 8])
    >>> [level.name for level in told.levels]
    ['random', 'greedy', 'mcts:4', 'mcts:8']
    >>> told.page.startswith("<!DOCTYPE html>"), "balance" in told.measures
    (True, True)
    """
    name = game if isinstance(game, str) else game.name
    game = _game(game)
    if not playouts or min(playouts) < 1:
        raise ValueError("there must be one searching player at least, with one playout at least")
    text, page = _lusoria.report(
        game, name, games, seconds, list(playouts), seed, max_turns, threads, setup, _teller(progress)
    )
    if out is not None:
        with open(out, "w", encoding="utf-8") as file:
            file.write(page)
    return _report(game, json.loads(text), page)


def _report(game: Game, told: Dict[str, Any], page: str) -> Report:
    players, cells = told["players"], game.cells
    levels = [
        Level(
            one["name"],
            one["games"],
            {player: _share(share) for player, share in zip(players, one["seats"])},
            _share(one["draws"]),
            _share(one["unfinished"]),
            one["mean_turns"],
        )
        for one in told["levels"]
    ]
    return Report(
        game=told["game"],
        players=players,
        seed=told["seed"],
        max_turns=told["max_turns"],
        partial=told["partial"],
        findings=[Finding(**one) for one in told["findings"]],
        levels=levels,
        pairings=[Pairing(**_intervals(one)) for one in told["matches"]],
        measured=told["measured"],
        samples=told["samples"],
        measures={one["key"]: Measure(**_intervals(one)) for one in told["measures"]},
        histogram=[(bar["from"], bar["to"], bar["games"]) for bar in told["lengths"]],
        branching=[one["legal"] for one in told["branching"]],
        reached=dict(zip(cells, told["reached"])),
        captured=dict(zip(cells, told["captured"])),
        openings=[
            Opening(one["text"], one["games"], one["points"], tuple(one["interval"]), one["p"])
            for one in told["openings"]
        ],
        book=[FirstMove(**one) for one in told["book"]],
        unused=[Unused(one["what"], one["text"], one["place"], one["line"]) for one in told["unused"]],
        page=page,
    )


def _intervals(told: Dict[str, Any]) -> Dict[str, Any]:
    """Pairs of numbers are tuples in dataclasses."""
    is_pair = {name for name in told if name.endswith("interval") and told[name] is not None}
    return {name: tuple(value) if name in is_pair else value for name, value in told.items()}
