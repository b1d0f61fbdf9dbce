"""Search by a value function: Monte Carlo tree search that asks for values of many leaves at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import numpy

from . import _lusoria
from ._lusoria import Position, State

__all__ = ["Leaves", "Searched", "SearchedMove", "ValueFunction", "search"]


class Leaves:
    """What a value function is asked about: leaves of a search, as arrays with the names of `VectorEnv`.

    The arrays are written anew for the next leaves. Copy what you keep.
    """

    #: Planes of the board, seen by who chooses: `(leaves, planes, ranks, files)`, bytes.
    observation: numpy.ndarray
    #: Who chooses, men in hand, remembered values: `(leaves, counters)`.
    counters: numpy.ndarray
    #: `(leaves, actions)`.
    legal_action_mask: numpy.ndarray
    #: The place of who chooses.
    current_player: numpy.ndarray

    def __init__(self, arrays: Tuple[numpy.ndarray, ...], size: int, tree: Any) -> None:
        self.observation, self.counters, self.legal_action_mask, self.current_player = (one[:size] for one in arrays)
        self._tree = tree

    def __len__(self) -> int:
        return len(self.current_player)

    @property
    def positions(self) -> List[Position]:
        """The positions, without the choices of a move that is not complete."""
        return self._tree.positions()


#: Values of leaves, for who chooses, `(leaves,)`, or by player, `(leaves, players)`, from -1 for a loss to 1 for a win; a policy
#: may stand behind them, `(leaves, actions)`: how likely each action is to be good. Those that are not legal do not count.
ValueFunction = Callable[[Leaves], Union[numpy.ndarray, Tuple[numpy.ndarray, numpy.ndarray]]]


@dataclass(frozen=True)
class SearchedMove:
    """What a search thinks of a move."""

    move: str
    visits: int
    #: For who makes it, from -1 to 1; `None` if it was not tried.
    value: Optional[float]


@dataclass(frozen=True)
class Searched:
    """What a search has found, the most visited moves first."""

    moves: List[SearchedMove]
    #: Visits of the actions that are legal at the root.
    visits: Dict[int, int]
    #: By player, the mean of all playouts.
    values: List[float]
    playouts: int
    #: Leaves that the value function was asked about, and how often it was called.
    leaves: int
    calls: int

    @property
    def best(self) -> Optional[str]:
        """The most visited move; `None` if there is none."""
        return self.moves[0].move if self.moves else None


def search(
    position: Union[Position, State],
    value: ValueFunction,
    *,
    playouts: int = 800,
    batch: int = 32,
    exploration: float = 1.5,
    seed: int = 0,
) -> Searched:
    """Searches a position with a value function of Python, by PUCT (Silver et al. 2017).

    `value` is called with `Leaves`, at most `batch` of them, and gives back values, or values and policies. Without policies all
    moves are as likely. Leaves of one batch are spread by virtual losses. The seed decides chance alone.

    >>> import lusoria, numpy
    >>> def men(leaves):             # more men are better
    ...     count = leaves.observation.sum(axis=(2, 3), dtype=float)
    ...     return (count[:, 0] - count[:, 1]) / 16
    >>> position = lusoria.load("breakthrough").position("8/W7/8/3B4/8/8/6B1/8 White")
    >>> found = lusoria.search(position, men, playouts=200)
    >>> found.best, found.moves[0].value
    ('a7-a8', 1.0)
    """
    if playouts < 1 or batch < 1:
        raise ValueError("there must be one playout at least, and one leaf of a batch")
    state = position if isinstance(position, State) else position.state()
    game = state.game
    planes, ranks, files = game.observation_shape
    players, actions = game.num_players(), state.num_distinct_actions()
    arrays = (
        numpy.zeros((batch, planes, ranks, files), numpy.uint8),
        numpy.zeros((batch, len(game.counters)), numpy.float32),
        numpy.zeros((batch, actions), numpy.bool_),
        numpy.zeros(batch, numpy.int32),
    )
    tree = _lusoria.Tree(state, exploration, seed)
    done = leaves = calls = 0
    while done < playouts:
        size, over = tree.gather(playouts - done, *arrays)
        done += size + over
        if size == 0:
            continue
        asked = Leaves(arrays, size, tree)
        answer = value(asked)
        values, policies = answer if isinstance(answer, tuple) else (answer, None)
        tree.answer(_by_player(values, asked, players), _policies(policies, size, actions))
        leaves += size
        calls += 1
    lines = sorted(tree.lines(), key=lambda line: -line[1])
    return Searched(
        moves=[SearchedMove(*line) for line in lines],
        visits=dict(tree.visits()),
        values=tree.values(),
        playouts=done,
        leaves=leaves,
        calls=calls,
    )


def _by_player(values: Any, leaves: Leaves, players: int) -> numpy.ndarray:
    values = numpy.asarray(values, numpy.float64)
    size = len(leaves)
    if values.shape == (size, players) and (players > 1 or values.ndim == 2):
        return numpy.ascontiguousarray(values)
    if values.shape != (size,) or players > 2:
        wanted = f"({size}, {players})" if players > 2 else f"({size},) or ({size}, {players})"
        raise ValueError(f"values have the shape {wanted}, not {values.shape}")
    # What one of two gains the other loses.
    spread = numpy.repeat(-values[:, None], players, axis=1)
    spread[numpy.arange(size), leaves.current_player] = values
    return spread


def _policies(policies: Any, size: int, actions: int) -> Optional[numpy.ndarray]:
    if policies is None:
        return None
    policies = numpy.ascontiguousarray(policies, numpy.float64)
    if policies.shape != (size, actions):
        raise ValueError(f"policies have the shape ({size}, {actions}), not {policies.shape}")
    return policies
