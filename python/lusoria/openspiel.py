"""OpenSpiel: any game as a Python game of `pyspiel`, for the algorithms that OpenSpiel has.

An action is a choice of the choice tree, as in `lusoria.State`. Importing this module registers the game `lusoria`, whose
param `game` names a game or a file:

>>> import pyspiel
>>> import lusoria.openspiel
>>> game = pyspiel.load_game("lusoria(game=breakthrough)")
>>> state = game.new_initial_state()
>>> [state.action_to_string(action) for action in state.legal_actions()][:3]
['a2', 'b2', 'c2']
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple, Union

import numpy
import pyspiel

from . import _lusoria

__all__ = ["Game", "Observer", "State", "load", "register"]

#: Choices of a game, unless it is said: then it is a draw.
_MOST_CHOICES = 10_000


def _type(short_name: str, long_name: str, game: Optional[_lusoria.Game], params: Dict[str, Any]) -> pyspiel.GameType:
    players = None if game is None else game.num_players()
    modes = pyspiel.GameType.ChanceMode
    is_random = game is None or game.has_chance
    utilities = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=short_name,
        long_name=long_name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if is_random else modes.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utilities.ZERO_SUM if players == 2 else utilities.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players or 64,
        min_num_players=players or 1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=params,
    )


def _specification(name: Optional[str]) -> Dict[str, Any]:
    settings: Dict[str, Any] = {"max_choices": _MOST_CHOICES, "seed": 0}
    return settings if name is None else {"game": name, **settings}


class Game(pyspiel.Game):  # type: ignore[misc]
    """A game of Lusoria as one of `pyspiel`. It is made by `pyspiel.load_game`, `load`, or what `register` gives."""

    #: The rules.
    rules: _lusoria.Game

    def __init__(
        self,
        params: Optional[Dict[str, Any]] = None,
        *,
        rules: Optional[_lusoria.Game] = None,
        short_name: str = "lusoria",
    ) -> None:
        params = dict(params or {})
        own = rules is None
        if rules is None:
            rules = _lusoria.load(str(params.setdefault("game", "breakthrough")), None, {})
        self.rules = rules
        #: Choices of a game, at most: one that goes on then is a draw.
        self.max_choices = int(params.setdefault("max_choices", _MOST_CHOICES))
        #: It decides a set-up that is drawn.
        self.seed = int(params.setdefault("seed", 0))
        players = rules.num_players()
        actions = rules.num_distinct_actions()
        info = pyspiel.GameInfo(
            num_distinct_actions=actions,
            max_chance_outcomes=actions if rules.has_chance else 0,
            num_players=players,
            min_utility=rules.min_utility(),
            max_utility=rules.max_utility(),
            utility_sum=0.0 if players == 2 else None,
            max_game_length=self.max_choices,
        )
        specification = _specification(str(params["game"]) if own else None)
        super().__init__(_type(short_name, rules.name, rules, specification), info, params)

    def new_initial_state(self) -> State:
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Optional[Dict[str, Any]] = None) -> Observer:
        return Observer(self.rules, params)


class State(pyspiel.State):  # type: ignore[misc]
    """A game between two choices."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.state = game.rules.new_initial_state(game.seed)
        self._left = game.max_choices
        self._names = game.rules.action_to_string

    @property
    def position(self) -> _lusoria.Position:
        return self.state.position

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.state.current_player()

    def _legal_actions(self, player: int) -> List[int]:
        return self.state.legal_actions(player)

    def chance_outcomes(self) -> List[Tuple[int, float]]:
        return self.state.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        # What chance chooses is no part of the length of a game.
        self._left -= not self.state.is_chance_node()
        self.state.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self._names(action)

    def is_terminal(self) -> bool:
        return self.state.is_terminal() or (self._left <= 0 and not self.state.is_chance_node())

    def returns(self) -> List[float]:
        return self.state.returns()

    def __str__(self) -> str:
        return str(self.state)


class Observer:
    """What a player sees: the planes and counters of `lusoria.State.observe_into`, as one tensor."""

    def __init__(self, rules: _lusoria.Game, params: Optional[Dict[str, Any]] = None) -> None:
        if params:
            raise ValueError(f"observations have no params: {params}")
        shape, counters = rules.observation_shape, len(rules.counters)
        size = int(numpy.prod(shape))
        self._planes = numpy.zeros(shape, numpy.uint8)
        self.tensor = numpy.zeros(size + counters, numpy.float32)
        self.dict = {"planes": self.tensor[:size].reshape(shape), "counters": self.tensor[size:]}

    def set_from(self, state: State, player: int) -> None:
        state.state.observe_into(player, self._planes, self.dict["counters"])
        self.dict["planes"][:] = self._planes

    def string_from(self, state: State, player: int) -> str:
        return str(state)


def load(game: Union[_lusoria.Game, str], *, max_choices: int = _MOST_CHOICES, seed: int = 0) -> Game:
    """A game of `pyspiel`, by its name or of `lusoria.load`.

    It is registered: `pyspiel.load_game(str(game))` gives it again, in processes that registered it too.

    >>> import lusoria.openspiel
    >>> game = lusoria.openspiel.load(lusoria.load("breakthrough", size=5))
    >>> game.num_players(), game.get_type().short_name
    (2, 'lusoria_breakthrough')
    """
    params = {"max_choices": max_choices, "seed": seed}
    if isinstance(game, str):
        return pyspiel.load_game("lusoria", {"game": game, **params})
    return pyspiel.load_game(register(game), params)


def register(game: _lusoria.Game, short_name: Optional[str] = None) -> str:
    """Registers a game, and gives back the name by which `pyspiel.load_game` knows it then. A later game takes its name over."""
    if short_name is None:
        short_name = "lusoria_" + "".join(one if one.isalnum() else "_" for one in game.name.lower())

    class Registered(Game):
        def __init__(self, params: Optional[Dict[str, Any]] = None) -> None:
            super().__init__(params, rules=game, short_name=short_name)

    pyspiel.register_game(_type(short_name, game.name, game, _specification(None)), Registered)
    return short_name


pyspiel.register_game(_type("lusoria", "Lusoria", None, _specification("breakthrough")), Game)
