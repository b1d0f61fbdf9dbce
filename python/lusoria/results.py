"""Results of commands as dataclasses, and as Arrow tables where `pyarrow` is installed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Tuple

__all__ = [
    "Analysis",
    "Ending",
    "Finding",
    "FirstMove",
    "Interval",
    "Length",
    "Level",
    "Line",
    "MatchResult",
    "Measure",
    "Opening",
    "Pairing",
    "Played",
    "Report",
    "Share",
    "Simulation",
    "Unused",
]

#: The bounds of a 95 % interval.
Interval = Tuple[float, float]


def _arrow(columns: Mapping[str, List[Any]]) -> Any:
    import pyarrow

    return pyarrow.table(dict(columns))


@dataclass(frozen=True)
class Share:
    """Some of all games: how many, what share of them, and the 95 % interval of the share by Wilson."""

    games: int
    share: float
    interval: Interval


@dataclass(frozen=True)
class Length:
    """Turns or plies of games."""

    mean: float
    min: int
    max: int


@dataclass(frozen=True)
class Ending:
    """A line of the game's `end`, and how many games it ended."""

    place: str
    outcome: str
    games: int


@dataclass(frozen=True)
class Simulation:
    """What random games came to."""

    game: str
    seed: int
    games: int
    #: By player.
    wins: Dict[str, Share]
    draws: Share
    #: Games that reached the bound of turns.
    unfinished: Share
    turns: Length
    plies: Length
    #: Legal plies a ply; None where no ply was counted.
    mean_branching: Optional[float]
    #: The mean is from samples.
    branching_estimated: bool
    #: 5, 25, 50, 75 and 95 hundredths of the games have at most so many turns.
    percentiles: Dict[int, int]
    #: From, to, games.
    histogram: List[Tuple[int, int, int]]
    endings: List[Ending]

    def to_arrow(self) -> Any:
        """A table with a row for each result: each player's wins, draws, unfinished games."""
        rows = [(f"{player} wins", share) for player, share in self.wins.items()]
        rows += [("draw", self.draws), ("unfinished", self.unfinished)]
        return _arrow(
            {
                "game": [self.game for _ in rows],
                "result": [name for name, _ in rows],
                "games": [share.games for _, share in rows],
                "share": [share.share for _, share in rows],
                "low": [share.interval[0] for _, share in rows],
                "high": [share.interval[1] for _, share in rows],
            }
        )


@dataclass(frozen=True)
class Line:
    """What is thought of a move."""

    move: str
    #: The moves that look best, this one first.
    moves: List[str]
    #: The mean payoff of the player who makes it, from 0 to 1.
    value: float
    #: His payoff, if it is proven.
    proven: Optional[float]
    playouts: int


@dataclass(frozen=True)
class Analysis:
    """What is thought of a position, the best moves first."""

    lines: List[Line]
    #: The payoff of the player to choose, if it is proven: 1 a win, 0 a loss.
    proven: Optional[float]
    playouts: int
    nodes: int

    @property
    def best(self) -> Optional[str]:
        """The move that looks best; `None` if there is none."""
        return self.lines[0].move if self.lines else None

    def to_arrow(self) -> Any:
        """A table with a row for each move."""
        lines = self.lines
        return _arrow(
            {
                "move": [line.move for line in lines],
                "value": [line.value for line in lines],
                "proven": [line.proven for line in lines],
                "playouts": [line.playouts for line in lines],
                "line": [" ".join(line.moves) for line in lines],
            }
        )


@dataclass(frozen=True)
class Played:
    """A game of a match."""

    #: From 0; games 2n and 2n + 1 have one opening.
    game: int
    #: The players by seat.
    players: Tuple[str, ...]
    moves: List[str]
    #: Names of the winners; `None` if the game was given up.
    winners: Optional[List[str]]
    #: Points of the first player of the match.
    points: float


@dataclass(frozen=True)
class MatchResult:
    """What a match came to, for its first player."""

    game: str
    players: Tuple[str, str]
    wins: int
    draws: int
    losses: int
    #: Games that were given up; they count as draws.
    unfinished: int
    #: Share of points, with its 95 % interval.
    score: float
    score_interval: Interval
    #: Difference in Elo; `None` is without bound.
    elo: Optional[float]
    elo_interval: Tuple[Optional[float], Optional[float]]
    played: List[Played]

    def to_arrow(self) -> Any:
        """A table with a row for each game."""
        played = self.played
        return _arrow(
            {
                "game": [one.game for one in played],
                "players": [list(one.players) for one in played],
                "moves": [one.moves for one in played],
                "winners": [one.winners for one in played],
                "points": [one.points for one in played],
            }
        )


@dataclass(frozen=True)
class Finding:
    """What a report says of a game in words."""

    #: `good`, `note` or `warning`.
    kind: str
    title: str
    text: str


@dataclass(frozen=True)
class Level:
    """Games between equal players."""

    name: str
    games: int
    #: By player.
    wins: Dict[str, Share]
    draws: Share
    unfinished: Share
    mean_turns: float


@dataclass(frozen=True)
class Pairing:
    """Games of two unlike players, each seat as often."""

    stronger: str
    weaker: str
    games: int
    #: Share of points of the stronger one, with its 95 % interval; `None` without games.
    points: Optional[float]
    interval: Interval
    #: Difference in Elo; `None` is without bound, or without games.
    elo: Optional[float]
    elo_interval: Tuple[Optional[float], Optional[float]]
    #: How likely so great a difference is by chance, held against how many pairings there are.
    p: float
    #: `stronger_wins`, `stronger_loses`, `alike` or `open`: there are too few games to tell.
    verdict: str
    #: The stronger one thinks twice as long.
    doubling: bool


@dataclass(frozen=True)
class Measure:
    """A number that tells of a game: `docs/measures.md` defines them."""

    key: str
    name: str
    #: What it is, in words.
    meaning: str
    #: `share`, from 0 to 1, or `number`.
    unit: str
    #: `None`: the games do not tell.
    value: Optional[float]
    interval: Optional[Interval]


@dataclass(frozen=True)
class Opening:
    """A first move in games of players that search, and what came of it for its player."""

    move: str
    games: int
    points: float
    interval: Interval
    #: How likely it is by chance to do so much better or worse than the others.
    p: float


@dataclass(frozen=True)
class FirstMove:
    """A first move as a long search sees it."""

    #: The moves that look best, this one first.
    moves: List[str]
    #: Of its player, from 0 to 1.
    value: float
    proven: bool
    playouts: int


@dataclass(frozen=True)
class Unused:
    """A rule that no game used."""

    what: str
    rule: str
    place: str
    line: int


@dataclass(frozen=True)
class Report:
    """What `lusoria report` tells of a game."""

    game: str
    players: List[str]
    seed: int
    max_turns: int
    #: Less was played than was asked for.
    partial: bool
    findings: List[Finding]
    #: From the weakest players to the strongest.
    levels: List[Level]
    pairings: List[Pairing]
    #: The players of the games that are measured, and how many games these are.
    measured: str
    samples: int
    #: By key.
    measures: Dict[str, Measure]
    #: From, to, games.
    histogram: List[Tuple[int, int, int]]
    #: By turn, from 1: how many legal moves there were, in the mean.
    branching: List[float]
    #: By cell: how often in a game men come to stand there, and are captured there.
    reached: Dict[str, float]
    captured: Dict[str, float]
    openings: List[Opening]
    book: List[FirstMove]
    unused: List[Unused]
    #: The page: one text of HTML that needs no other file.
    page: str

    def to_arrow(self) -> Any:
        """A table with a row for each measure."""
        measures = list(self.measures.values())
        return _arrow(
            {
                "game": [self.game for _ in measures],
                "measure": [one.key for one in measures],
                "value": [one.value for one in measures],
                "low": [one.interval and one.interval[0] for one in measures],
                "high": [one.interval and one.interval[1] for one in measures],
            }
        )
