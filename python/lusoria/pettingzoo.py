"""PettingZoo: any game as an environment of agents who act in turn, with action masks.

An action is a choice of the choice tree: a cell, a direction, a kind, a number, a branch. A move is a few of them,
so that the space of actions is small and fixed for any game. `Game.action_to_string` names them.
"""

from __future__ import annotations

import random
from typing import Any, Dict, List, Optional, Union

import gymnasium
import numpy
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from . import _lusoria
from ._lusoria import Game, State

__all__ = ["Env", "env"]

_CHANCE = -1


def env(game: Union[Game, str], *, max_turns: int = 1000, render_mode: Optional[str] = None) -> AECEnv:
    """An environment of a game, in the wrappers that tell wrong uses.

    >>> import lusoria.pettingzoo
    >>> env = lusoria.pettingzoo.env("breakthrough")
    >>> env.reset(seed=1)
    >>> observation, reward, termination, truncation, info = env.last()
    >>> int(observation["action_mask"].sum())    # the men that can move
    8
    >>> env.step(8)                           # the man on a2
    >>> env.step(16)                          # goes to a3
    >>> env.agent_selection
    'Black'
    """
    inner: Any = Env(game, max_turns=max_turns, render_mode=render_mode)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(inner))


class Env(AECEnv):
    """The environment without wrappers. An illegal action raises `ValueError`, and nothing has happened."""

    def __init__(self, game: Union[Game, str], *, max_turns: int = 1000, render_mode: Optional[str] = None) -> None:
        super().__init__()
        self.game = _lusoria.load(game, None, {}) if isinstance(game, str) else game
        name = self.game.name.lower().replace(" ", "_")
        self.metadata = {"name": f"{name}_v0", "render_modes": ["ansi", "svg", "human"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.max_turns = max_turns
        self.possible_agents: List[str] = list(self.game.players)
        self._planes, self._ranks, self._files = self.game.observation_shape
        self._counters = len(self.game.counters)
        actions = self.game.num_distinct_actions()
        shape = (self._planes + self._counters, self._ranks, self._files)
        self._observation = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(-numpy.inf, numpy.inf, shape, numpy.float32),
                "action_mask": gymnasium.spaces.Box(0, 1, (actions,), numpy.int8),
            }
        )
        self.action_spaces = {agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._observation for agent in self.possible_agents}
        self._random = random.Random(0)
        self._state: Optional[State] = None

    def observation_space(self, agent: str) -> gymnasium.spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space:
        return self.action_spaces[agent]

    @property
    def state_of_game(self) -> State:
        """The game itself."""
        if self._state is None:
            raise RuntimeError("reset() begins a game")
        return self._state

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        if seed is not None:
            self._random = random.Random(seed)
        self._state = self.game.new_initial_state(self._random.getrandbits(63))
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._settle()

    def _settle(self) -> None:
        """Makes the choices of chance, and finds who is next."""
        state = self.state_of_game
        while state.current_player() == _CHANCE:
            actions, weights = zip(*state.chance_outcomes())
            state.apply_action(self._random.choices(actions, weights)[0])
        if state.is_terminal():
            self.terminations = {agent: True for agent in self.agents}
            self.rewards = dict(zip(self.possible_agents, state.returns()))
        else:
            if state.turns >= self.max_turns:
                self.truncations = {agent: True for agent in self.agents}
            self.agent_selection = self.possible_agents[state.current_player()]

    def observe(self, agent: str) -> Dict[str, Any]:
        state, player = self.state_of_game, self.possible_agents.index(agent)
        planes = numpy.zeros((self._planes, self._ranks, self._files), numpy.uint8)
        counters = numpy.zeros(self._counters, numpy.float32)
        state.observe_into(player, planes, counters)
        spread = numpy.broadcast_to(counters[:, None, None], (self._counters, self._ranks, self._files))
        mask = numpy.array(state.legal_actions_mask(player), numpy.int8)
        return {
            "observation": numpy.concatenate([planes.astype(numpy.float32), spread]),
            "action_mask": mask,
        }

    def step(self, action: Optional[int]) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            return self._was_dead_step(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.state_of_game.apply_action(int(action))  # type: ignore[arg-type]
        self._settle()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()
        return None

    def render(self) -> Optional[str]:
        position = self.state_of_game.position
        if self.render_mode == "svg":
            return position.svg()
        if self.render_mode == "ansi":
            return str(position)
        print(position)
        return None

    def close(self) -> None:
        pass
