"""Many games in lock step, on all processors."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional, Tuple, Union

import numpy

from . import _lusoria
from ._lusoria import Game, Position

__all__ = ["VectorEnv"]

try:
    from gymnasium.vector import VectorEnv as _Base
except ImportError:
    _Base = object  # type: ignore[assignment,misc]


class VectorEnv(_Base):  # type: ignore[misc,valid-type]
    """`n` games of one kind that are stepped together, by the interface of `gymnasium.vector.VectorEnv`.

    An action is a choice of the choice tree, as in `lusoria.pettingzoo`. Games that are over begin anew in the same
    step; rewards, `terminated` and `truncated` tell of the game that ended, observations of the one that begins.

    The arrays have the names that Pgx gives them. They are the environment's own: each step writes into the same
    memory, and nothing is copied. Copy what you keep.

    >>> import numpy, lusoria
    >>> env = lusoria.VectorEnv("othello", 16)
    >>> observation, info = env.reset(seed=7)
    >>> observation.shape, env.legal_action_mask.shape[0]
    ((16, 3, 8, 8), 16)
    >>> for _ in range(100):
    ...     observation, reward, terminated, truncated, info = env.step(env.random_actions())
    >>> bool(env.legal_action_mask.any(axis=1).all())
    True
    """

    #: Planes of the board by owner and kind, seen by who chooses: `(n, planes, ranks, files)`, bytes.
    observation: numpy.ndarray
    #: Who chooses, men in hand, remembered values: `(n, counters)`.
    counters: numpy.ndarray
    #: `(n, actions)`.
    legal_action_mask: numpy.ndarray
    #: By player, 1 for a win, -1 for a loss: `(n, players)`.
    rewards: numpy.ndarray
    terminated: numpy.ndarray
    truncated: numpy.ndarray
    #: Who chooses next.
    current_player: numpy.ndarray
    #: Turns of the present games.
    turns: numpy.ndarray

    def __init__(
        self, game: Union[Game, str], n: int, *, max_turns: int = 1000, threads: Optional[int] = None
    ) -> None:
        if n < 1:
            raise ValueError("there must be one game at least")
        if max_turns < 1:
            raise ValueError("a game must have one turn at least: `max_turns` is too small")
        self.game = _lusoria.load(game, None, {}) if isinstance(game, str) else game
        self.num_envs = n
        planes, ranks, files = self.game.observation_shape
        actions, players = self.game.num_distinct_actions(), self.game.num_players()
        self.observation = numpy.zeros((n, planes, ranks, files), numpy.uint8)
        self.counters = numpy.zeros((n, len(self.game.counters)), numpy.float32)
        self.legal_action_mask = numpy.zeros((n, actions), numpy.bool_)
        self.rewards = numpy.zeros((n, players), numpy.float32)
        self.terminated = numpy.zeros(n, numpy.bool_)
        self.truncated = numpy.zeros(n, numpy.bool_)
        self.current_player = numpy.zeros(n, numpy.int32)
        self.turns = numpy.zeros(n, numpy.int32)
        self._reward = numpy.zeros(n, numpy.float32)
        self._actions = numpy.zeros(n, numpy.int64)
        self._core = _lusoria.VectorCore(self.game, n, max_turns, threads or os.cpu_count() or 1)
        self._core.set_arrays(
            self.observation,
            self.counters,
            self.legal_action_mask.view(numpy.uint8),
            self.rewards,
            self._reward,
            self.terminated,
            self.truncated,
            self.current_player,
            self.turns,
        )
        self._begun = False
        if _Base is not object:
            self._set_spaces(actions, (planes, ranks, files))

    def _set_spaces(self, actions: int, shape: Tuple[int, int, int]) -> None:
        from gymnasium import spaces
        from gymnasium.vector import AutoresetMode
        from gymnasium.vector.utils import batch_space

        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = spaces.Box(0, 255, shape, numpy.uint8)
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def _infos(self) -> Dict[str, Any]:
        return {
            "action_mask": self.legal_action_mask,
            "counters": self.counters,
            "current_player": self.current_player,
            "rewards": self.rewards,
            "turns": self.turns,
        }

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[numpy.ndarray, Dict[str, Any]]:
        """Begins all games. The same seed and actions give the same games, on any number of threads."""
        self._core.reset(int.from_bytes(os.urandom(8), "little") if seed is None else seed)
        self._begun = True
        return self.observation, self._infos()

    def step(
        self, actions: Any
    ) -> Tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray, numpy.ndarray, Dict[str, Any]]:
        """Makes a choice in each game. The reward is that of the player who made it: see `rewards` for all.

        Raises `ValueError` if an action is not legal; games of other lanes may have gone on then, so reset.
        """
        if not self._begun:
            raise RuntimeError("reset() begins the games")
        self._core.step(numpy.ascontiguousarray(actions, numpy.int64))
        return self.observation, self._reward, self.terminated, self.truncated, self._infos()

    def random_actions(self) -> numpy.ndarray:
        """An action for each game that begins a move drawn uniformly from the legal ones."""
        self._core.draw(self._actions)
        return self._actions

    def position(self, lane: int) -> Position:
        """The position of one of the games, without the choices of a move that is not complete."""
        return self._core.position(lane)

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing is to be closed."""
