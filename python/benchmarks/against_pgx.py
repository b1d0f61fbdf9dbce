"""Steps a second of `VectorEnv` and of Pgx, in turn, with random legal actions, masks and observations.

    pip install ./python[vector] pgx "jax[cpu]"
    python python/benchmarks/against_pgx.py

Lusoria's step is a choice: a move of Chess is two of them, one of Othello or Go one. Turns a second are told too. With a flat
space of actions a move of Chess is one step too.
"""

from __future__ import annotations

import argparse
import os
import time

import lusoria

#: The game here, there, and how many choices a move has here.
PAIRS = [
    (lusoria.load("othello"), "othello", 1),
    (lusoria.load("gonnect", size=9), "go_9x9", 1),
    (lusoria.load("chess"), "chess", 2),
    (lusoria.load("chess").flat(), "chess", 1),
]


def here(game: lusoria.Game, n: int, seconds: float, threads: int) -> float:
    env = lusoria.VectorEnv(game, n, threads=threads)
    env.reset(seed=1)
    for _ in range(20):
        env.step(env.random_actions())
    begun, steps = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        env.step(env.random_actions())
        steps += n
    return steps / (time.perf_counter() - begun)


def there(name: str, n: int, seconds: float) -> float:
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
    begun, steps = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        state, key = advance(state, key)
        jax.block_until_ready(state.observation)
        steps += n
    return steps / (time.perf_counter() - begun)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=5.0)
    options = parser.parse_args()
    processors = os.cpu_count() or 1
    print(f"{options.games} games together, {processors} processors; steps a second")
    for own, other, choices in PAIRS:
        alone = here(own, options.games, options.seconds, 1)
        all_of_them = here(own, options.games, options.seconds, processors)
        pgx = there(other, options.games, options.seconds)
        turns = all_of_them / choices
        print(
            f"{own.name + (' (flat)' if own.is_flat else ''):14} {all_of_them:12,.0f} ({turns:,.0f} turns; {all_of_them / alone:.2f} times one thread)   "
            f"Pgx {other:10} {pgx:12,.0f}   turns: {turns / pgx:.1f} times"
        )


if __name__ == "__main__":
    main()
