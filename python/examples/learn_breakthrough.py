"""A small network learns Breakthrough 5x5 by self-play, with NumPy alone.

The network values positions for the player who has just moved. Both sides choose the move whose position it values
most, or any move now and then. When a game is over, the network is told who won it, for each of its positions.

    python examples/learn_breakthrough.py --minutes 5
"""

from __future__ import annotations

import argparse
import time

import numpy

import lusoria

GAME = lusoria.load("breakthrough", size=5)
PLANES, RANKS, FILES = GAME.observation_shape


def features(states: list, player: int) -> numpy.ndarray:
    """What a player sees of positions, turned so that he goes up the board: men of both, and a constant."""
    seen = numpy.zeros((len(states), PLANES, RANKS, FILES), numpy.uint8)
    counters = numpy.zeros(len(GAME.counters), numpy.float32)
    for row, state in zip(seen, states):
        state.observe_into(player, row, counters)
    men = seen[:, :2]
    return (men[:, :, ::-1] if player == 1 else men).reshape(len(states), -1).astype(numpy.float32)


class Network:
    """Two hidden layers; the answer is the probability of a win. Adam by Kingma and Ba (2015)."""

    def __init__(self, inputs: int, hidden: int, seed: int) -> None:
        rng = numpy.random.default_rng(seed)
        sizes = [inputs, hidden, hidden, 1]
        self.weights = [rng.normal(0, (2 / a) ** 0.5, (a, b)) for a, b in zip(sizes, sizes[1:])]
        self.biases = [numpy.zeros(b) for b in sizes[1:]]
        self.moments = [[numpy.zeros_like(one), numpy.zeros_like(one)] for one in self.weights + self.biases]
        self.steps = 0

    def forward(self, inputs: numpy.ndarray) -> list:
        layers = [inputs]
        for weights, biases in zip(self.weights[:-1], self.biases[:-1]):
            layers.append(numpy.maximum(layers[-1] @ weights + biases, 0))
        layers.append(1 / (1 + numpy.exp(-(layers[-1] @ self.weights[-1] + self.biases[-1]))))
        return layers

    def value(self, inputs: numpy.ndarray) -> numpy.ndarray:
        return self.forward(inputs)[-1][:, 0]

    def learn(self, inputs: numpy.ndarray, wanted: numpy.ndarray, rate: float = 1e-3) -> None:
        layers = self.forward(inputs)
        error = (layers[-1] - wanted[:, None]) / len(inputs)
        gradients = []
        for at in range(len(self.weights) - 1, -1, -1):
            gradients.append((layers[at].T @ error, error.sum(axis=0)))
            error = (error @ self.weights[at].T) * (layers[at] > 0)
        gradients.reverse()
        self.steps += 1
        slopes = [slope for slope, _ in gradients] + [slope for _, slope in gradients]
        for one, slope, moment in zip(self.weights + self.biases, slopes, self.moments):
            moment[0] += 0.1 * (slope - moment[0])
            moment[1] += 0.001 * (slope**2 - moment[1])
            size = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
            one -= size * moment[0] / (moment[1] ** 0.5 + 1e-8)


def moves(state: lusoria.State) -> list:
    """The states behind all moves: a move of Breakthrough is two choices, a man and where he goes."""
    return [begun.child(to) for begun in map(state.child, state.legal_actions()) for to in begun.legal_actions()]


def best(network: Network, state: lusoria.State) -> lusoria.State:
    behind = moves(state)
    return behind[int(network.value(features(behind, state.current_player())).argmax())]


def self_play(network: Network, rng: numpy.random.Generator, games: int, chance: float) -> tuple:
    """What was seen in some games, and who won behind it. All games take their turns together."""
    running = [GAME.new_initial_state() for _ in range(games)]
    paths: list = [[] for _ in running]
    seen, won = [], []
    while running:
        player = running[0].current_player()
        choices = [moves(state) for state in running]
        inputs = features([one for behind in choices for one in behind], player)
        values, at = network.value(inputs), 0
        after, after_paths = [], []
        for behind, path in zip(choices, paths):
            own = values[at : at + len(behind)]
            chosen = int(rng.integers(len(behind))) if rng.random() < chance else int(own.argmax())
            path.append((inputs[at + chosen], player))
            at += len(behind)
            state = behind[chosen]
            if state.is_terminal():
                winner = int(numpy.argmax(state.returns()))
                seen += [one for one, _ in path]
                won += [float(player == winner) for _, player in path]
            else:
                after.append(state)
                after_paths.append(path)
        running, paths = after, after_paths
    return numpy.stack(seen), numpy.array(won)


def player_of(network: Network):
    """The network as a player of `lusoria.match`: positions behind all moves are valued in one batch."""

    def choose(position: lusoria.Position) -> lusoria.Move:
        state_of = {}
        player = GAME.players.index(position.chooser)
        legal = position.legal_moves
        for move in legal:
            behind = position.copy()
            behind.push(move)
            outcome = behind.outcome()
            if outcome is not None and outcome.winner == position.chooser:
                return move
            state_of[str(move)] = behind.men
        seen = numpy.zeros((len(legal), 2, RANKS, FILES), numpy.float32)
        for row, move in zip(seen, legal):
            men = state_of[str(move)]
            for place, cell in enumerate(GAME.cells):
                for owner, _ in men(cell):
                    row[int(owner != position.chooser), place // FILES, place % FILES] = 1
        if player == 1:
            seen = seen[:, :, ::-1]
        return legal[int(network.value(seen.reshape(len(legal), -1)).argmax())]

    choose.__name__ = "network"
    return choose


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--games", type=int, default=64, help="games that are played together")
    parser.add_argument("--memory", type=int, default=40_000, help="positions of the last games that it learns from")
    parser.add_argument("--updates", type=int, default=48, help="steps of learning after each round of games")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = numpy.random.default_rng(options.seed)
    network = Network(2 * RANKS * FILES, 64, options.seed)
    begun, games, told = time.monotonic(), 0, 0.0
    # What was seen in the last games, and in their mirror images.
    memory = (numpy.zeros((0, 2 * RANKS * FILES), numpy.float32), numpy.zeros(0))
    while (passed := time.monotonic() - begun) < 60 * options.minutes:
        chance = max(0.05, 0.3 * (1 - passed / (60 * options.minutes)))
        seen, won = self_play(network, rng, options.games, chance)
        mirrored = seen.reshape(-1, 2, RANKS, FILES)[..., ::-1].reshape(len(seen), -1)
        inputs = numpy.concatenate([memory[0], seen, mirrored])[-options.memory :]
        wanted = numpy.concatenate([memory[1], won, won])[-options.memory :]
        memory = (inputs, wanted)
        for _ in range(options.updates):
            some = rng.integers(len(inputs), size=256)
            network.learn(inputs[some], wanted[some])
        games += options.games
        if passed - told > 15:
            told = passed
            result = lusoria.match(GAME, player_of(network), "greedy", games=40, seed=games)
            print(f"{passed:5.0f} s  {games:6} games  {100 * result.score:5.1f} % against greedy", flush=True)
    result = lusoria.match(GAME, player_of(network), "greedy", games=200, seed=12345)
    low, high = result.score_interval
    print(f"{games} games of self-play: {100 * result.score:.1f} % against greedy (95 %: {100 * low:.1f} to {100 * high:.1f})")


if __name__ == "__main__":
    main()
