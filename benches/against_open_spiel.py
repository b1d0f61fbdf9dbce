#!/usr/bin/env python3
"""Plays Lusoria's players against OpenSpiel's tree search, the same time for each move, on one thread each.

    pip install open_spiel
    cargo build --release
    python3 benches/against_open_spiel.py breakthrough othello --games 100 --time 1.0
    python3 benches/against_open_spiel.py breakthrough --search alphabeta --games 20 --time 0.2

OpenSpiel's player is its C++ MCTS with random rollouts and its solver. Seats alternate. Each position
is held to have the same moves by both programs; where rules differ the game is given up and told.
"""

import argparse
import json
import math
import subprocess
import sys

import pyspiel


def flipped(cell):
    return cell[0] + str(9 - int(cell[1]))


def breakthrough(state, action):
    text = state.action_to_string(action).rstrip("*")
    return [flipped(text[:2]) + flipped(text[2:])]


def othello(state, action):
    return [state.action_to_string(action)]


def lines_of_action(state, action):
    text = state.action_to_string(action)
    return [text[:2] + text[3:5]]


def amazons_cell(text):
    row, column = text[text.index("(") + 1 : text.index(")")].split(",")
    return "abcdefghij"[int(column) - 1] + str(11 - int(row))


def amazons(state, action):
    return [amazons_cell(state.action_to_string(action))]


# Their name, ours, how a move of theirs is written as cells, and how many of their moves are one of ours.
GAMES = {
    "breakthrough": ("breakthrough", breakthrough, 1),
    "othello": ("othello", othello, 1),
    "lines_of_action": ("lines_of_action", lines_of_action, 1),
    "amazons": ("amazons", amazons, 3),
}


def cells_of(text):
    """The cells of one of our moves, in order: `a2-a3`, `e5xf6`, `d1-d7 g7`."""
    return "".join(character for character in text if character.isalnum() and character != "x")


def ours(game, args, moves):
    command = [args.program, "analyse", game, "--json", "--threads", "1", "--time", f"{args.time}s", "--lines", "1"]
    command += ["--search", args.search]
    for move in moves:
        command += ["--move", move]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return told["lines"][0]["moves"][0], told["playouts"] or told["nodes"]


def listed(game, program, moves):
    command = [program, "show", game, "--json"]
    for move in moves:
        command += ["--move", move]
    position = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["position"]
    command = [program, "moves", game, "--position", position]
    return position, subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")[:-1]


def paths(state, written, steps, done=()):
    """Their ways to write whole moves: the cells, and the actions."""
    if len(done) == steps or state.is_terminal():
        yield "", done
        return
    for action in state.legal_actions():
        (cells,) = written(state, action)
        behind = state.child(action) if steps > 1 else None
        if behind is None:
            yield cells, (action,)
        else:
            for rest, actions in paths(behind, written, steps, done + (action,)):
                yield cells + rest, actions


def play(name, args, number):
    theirs, written, steps = GAMES[name]
    game = pyspiel.load_game(theirs)
    state = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, number)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 10**9, 4000, True, number, False,
                          pyspiel.ChildSelectionPolicy.UCT, args.time / (steps if steps > 1 else 1))
    our_seat = number % 2
    moves, rates = [], []
    while not state.is_terminal():
        seat = state.current_player()
        if name == "othello" and state.action_to_string(state.legal_actions()[0]) == "pass":
            state.apply_action(state.legal_actions()[0])
            moves.append("pass")
            continue
        if seat == our_seat:
            text, playouts = ours(name, args, moves)
            rates.append(playouts / args.time)
            found = [actions for cells, actions in paths(state, written, steps) if cells == cells_of(text)]
            if len(found) != 1:
                sys.exit(f"{name}: `{text}` is not a move there: {state}")
            actions = found[0]
        else:
            behind, actions, cells = state.clone(), [], ""
            for _ in range(steps):
                action = bot.step(behind)
                (more,) = written(behind, action)
                cells += more
                actions.append(action)
                behind.apply_action(action)
                if behind.is_terminal():
                    break
            position, texts = listed(name, args.program, moves)
            fitting = [text for text in texts if cells_of(text) == cells]
            if len(fitting) != 1:
                sys.exit(f"{name}: {cells} is not a move of {position}: {texts}")
            text = fitting[0]
        for action in actions:
            state.apply_action(action)
        moves.append(text)
    returns = state.returns()
    return (returns[our_seat] + 1) / 2, sum(rates) / max(1, len(rates)), len(moves)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--games", dest="count", type=int, default=100)
    parser.add_argument("--time", type=float, default=1.0)
    parser.add_argument("--search", choices=["mcts", "alphabeta"], default="mcts")
    parser.add_argument("--program", default="target/release/lusoria")
    args = parser.parse_args()
    print("| game | games | score | from | to | playouts or positions a second |\n| --- | --- | --- | --- | --- | --- |")
    for name in args.games:
        points, rate = [], []
        for number in range(args.count):
            point, playouts, length = play(name, args, number)
            points.append(point)
            rate.append(playouts)
            print(f"{name} {number}: {point} in {length} moves, {playouts:.0f} playouts/s", file=sys.stderr)
        mean = sum(points) / len(points)
        half = 1.96 * math.sqrt(max(mean * (1 - mean), 0.01) / len(points))
        print(f"| {name} | {len(points)} | {mean:.3f} | {max(0, mean - half):.3f} | {min(1, mean + half):.3f} "
              f"| {sum(rate) / len(rate):.0f} |", flush=True)


if __name__ == "__main__":
    main()
