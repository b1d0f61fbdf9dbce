"""Search with a value function: how far men have come decides, and the search plays against the player `greedy`.

    pip install './python[vector]'
    python python/examples/search_breakthrough.py --games 20
"""

import argparse

import numpy

import lusoria

GAME = "breakthrough:5x5"


def advance(leaves):
    """From -1 to 1: whose men are more, and further on, seen by who chooses."""
    own, other = (leaves.observation[:, plane].sum(axis=2, dtype=float) for plane in (0, 1))
    # White goes up the ranks, Black down.
    ranks = numpy.arange(own.shape[1])
    up = numpy.where(leaves.current_player[:, None] == 0, ranks, ranks[::-1])
    weight = 1.0 + up**2 / len(ranks)
    score = (own * weight - other * weight[:, ::-1]).sum(axis=1)
    return numpy.tanh(score / 4)


def searching(playouts):
    def searcher(position):
        return lusoria.search(position, advance, playouts=playouts, batch=16).best

    return searcher


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--playouts", type=int, default=1000)
    args = parser.parse_args()
    result = lusoria.match(GAME, searching(args.playouts), "greedy", games=args.games, seed=1)
    low, high = result.score_interval
    print(f"{result.wins} won, {result.losses} lost: {result.score:.1%} (95 %: {low:.1%} to {high:.1%})")
    return result.score


if __name__ == "__main__":
    main()
