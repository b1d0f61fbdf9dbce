"""Ray: random games on a cluster. Shards are tasks; one whose worker dies is played again, and the result is that of one run."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Union

import ray

from . import _lusoria
from ._lusoria import Game
from .commands import Progress, _game, _teller, merge
from .results import Simulation

__all__ = ["simulate"]

#: Shards for each processor of the cluster, unless their number is said: the last ones to end keep few processors waiting.
_SHARDS_A_PROCESSOR = 8


def _part(rules: str, games: int, shard: int, shards: int, seed: int, max_turns: int, setup: Optional[int]) -> str:
    game = _lusoria.with_rules(rules)
    return _lusoria.part(game, games, (shard, shards), seed, max_turns, 1, setup, None)


def simulate(
    game: Union[Game, str],
    games: int = 1000,
    *,
    seed: int = 0,
    max_turns: int = 2000,
    setup: Optional[int] = None,
    shards: Optional[int] = None,
    max_retries: int = -1,
    options: Optional[Dict[str, Any]] = None,
    progress: Optional[Progress] = None,
) -> Simulation:
    """What `lusoria.simulate` gives, from games that the workers of a Ray cluster play.

    `ray.init` says which cluster; without it, Ray starts one on this machine. Each shard is a task for one processor, that is
    tried again as often as `max_retries` says, -1 without end. `options` are more of them for `ray.remote`.

    ```python
    import ray, lusoria.ray
    ray.init(address="auto")
    result = lusoria.ray.simulate("pente", games=10**10, seed=7)
    ```
    """
    game = _game(game)
    if not ray.is_initialized():
        ray.init()
    if shards is None:
        shards = _SHARDS_A_PROCESSOR * max(1, int(ray.cluster_resources().get("CPU", 1)))
    shards = max(1, min(shards, games))
    rules = ray.put(_lusoria.rules(game))
    task = ray.remote(**{"num_cpus": 1, "max_retries": max_retries, **(options or {})})(_part)
    waiting: List[Any] = [
        task.remote(rules, games, shard, shards, seed, max_turns, setup) for shard in range(1, shards + 1)
    ]
    shard_of = {one: shard for shard, one in enumerate(waiting)}
    tell = _teller(progress)
    parts: List[str] = []
    try:
        while waiting:
            ended, waiting = ray.wait(waiting)
            for one in ended:
                parts.append(ray.get(one))
                if tell is not None:
                    shard = shard_of[one]
                    tell(games * (shard + 1) // shards - games * shard // shards)
    except BaseException:
        for one in waiting:
            ray.cancel(one, force=True)
        raise
    return merge(parts)
