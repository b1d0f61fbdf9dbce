"""Steps a second of `VectorEnv` and of Pgx, in turn, with random legal actions, masks and observations.

    pip install ./python[vector] pgx "jax[cpu]"
    python python/benchmarks/against_pgx.py

Lusoria's step is a choice: a move of Chess is two of them, one of Othello or Go one. Turns a second are told too. With a flat
space of actions a move of Chess is one step too.

On a machine that others use, compare steps of a second of processor time: all threads' times are added.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Callable, Tuple

import lusoria

CONNECT_FOUR = Path(__file__).parents[2] / "tests/games/beyond/connect_four.rules"

#: The game here, there, and how many choices a move has here.
PAIRS = [
    (lusoria.load("othello"), "othello", 1),
    (lusoria.load(str(CONNECT_FOUR)), "connect_four", 1),
    (lusoria.load("gonnect", size=9), "go_9x9", 1),
    (lusoria.load("chess"), "chess", 2),
    (lusoria.load("chess").flat(), "chess", 1),
]


def measured(step: Callable[[], object], n: int, seconds: float) -> Tuple[float, float]:
    """Steps a second, and a second of processor time."""
    begun, worked, steps = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - begun < seconds:
        step()
        steps += n
    return steps / (time.perf_counter() - begun), steps / (time.process_time() - worked)


def here(game: lusoria.Game, n: int, seconds: float, threads: int) -> Tuple[float, float]:
    env = lusoria.VectorEnv(game, n, threads=threads)
    env.reset(seed=1)
    for _ in range(20):
        env.step(env.random_actions())
    return measured(lambda: env.step(env.random_actions()), n, seconds)


def there(name: str, n: int, seconds: float) -> Tuple[float, float]:
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make(name)
    begin = jax.jit(jax.vmap(env.init))
    step = jax.vmap(env.step)

    @jax.jit
    def advance(state, key):
        key, own, fresh = jax.random.split(key, 3)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        state = step(state, jax.random.categorical(own, logits, axis=1))
        over = state.terminated | state.truncated
        new = jax.vmap(env.init)(jax.random.split(fresh, n))
        pick = lambda a, b: jnp.where(over.reshape((n,) + (1,) * (a.ndim - 1)), a, b)  # noqa: E731
        return jax.tree_util.tree_map(pick, new, state), key

    key = jax.random.PRNGKey(1)
    state = begin(jax.random.split(key, n))
    for _ in range(3):
        state, key = advance(state, key)
    jax.block_until_ready(state)

    def step() -> None:
        nonlocal state, key
        state, key = advance(state, key)
        jax.block_until_ready(state.observation)

    return measured(step, n, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=5.0)
    options = parser.parse_args()
    processors = os.cpu_count() or 1
    print(f"{options.games} games together, {processors} processors; steps a second")
    for own, other, choices in PAIRS:
        alone, _ = here(own, options.games, options.seconds, 1)
        together, of_processor = here(own, options.games, options.seconds, processors)
        pgx, pgx_of_processor = there(other, options.games, options.seconds)
        print(
            f"{own.name + (' (flat)' if own.is_flat else ''):14} {together:12,.0f} ({together / alone:.2f} times one thread; "
            f"{of_processor:,.0f} a second of processor time)   Pgx {other:10} {pgx:12,.0f} ({pgx_of_processor:,.0f})   "
            f"turns: {together / choices / pgx:.1f} times, by processor time {of_processor / choices / pgx_of_processor:.1f}"
        )


if __name__ == "__main__":
    main()
