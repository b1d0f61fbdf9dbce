#!/usr/bin/env python3
"""Plays Lusoria's players against OpenSpiel's tree search, the same time for each move, on one thread each.

    pip install open_spiel
    cargo build --release
    python3 benches/against_open_spiel.py breakthrough othello --games 100 --time 1.0
    python3 benches/against_open_spiel.py breakthrough --search alphabeta --games 20 --time 0.2

OpenSpiel's player is its C++ MCTS with random rollouts and its solver. Seats alternate. Both programs have
to know each move that is played. Ours thinks in `lusoria engine`, and keeps its table between the moves of a game.
Where the rules of one program end a game earlier than those of the other, that end counts.
"""

import argparse
import json
import math
import subprocess
import sys

import pyspiel
from uci import Engine, plain


def flipped(cell):
    return cell[0] + str(9 - int(cell[1]))


def breakthrough(state, action):
    text = state.action_to_string(action).rstrip("*")
    return flipped(text[:2]) + flipped(text[2:])


def othello(state, action):
    return state.action_to_string(action)


def lines_of_action(state, action):
    text = state.action_to_string(action)
    return text[:2] + text[3:5]


def amazons(state, action):
    text = state.action_to_string(action)
    row, column = text[text.index("(") + 1 : text.index(")")].split(",")
    cell = "abcdefghij"[int(column) - 1] + str(11 - int(row))
    return "_" + cell if "Shoot" in text else cell


MORRIS = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split()


def morris(state, action):
    return "".join(MORRIS[int(word)] for word in state.action_to_string(action).split() if word.isdigit())


def chess(state, action):
    return pyspiel.chess.action_to_move(action, state.board()).to_lan()


# Their name, ours, how a step of theirs is written by our engine, and how many steps may be one move of ours.
GAMES = {
    "breakthrough": ("breakthrough", "breakthrough", breakthrough, 1),
    "othello": ("othello", "othello", othello, 1),
    "lines_of_action": ("lines_of_action", "lines_of_action", lines_of_action, 1),
    "amazons": ("amazons", "amazons", amazons, 3),
    "nine_mens_morris": ("nine_mens_morris", "nine_mens_morris:forced removal", morris, 2),
    "chess": ("chess", "chess", chess, 1),
}


def steps_of(state, written, most, done=()):
    """Their ways to write whole moves: the text, and the actions."""
    if len(done) == most:
        yield "", done
        return
    for action in state.legal_actions():
        text = written(state, action)
        behind = state.child(action) if most > 1 else None
        if behind is None or behind.is_terminal() or behind.current_player() != state.current_player():
            yield text, done + (action,)
        else:
            for rest, actions in steps_of(behind, written, most, done + (action,)):
                yield text + rest, actions


def shown(game, program, moves):
    command = [program, "show", game, "--json"]
    for move in moves:
        command += ["--move", move.replace("_", " ")]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def points_by_our_rules(game, program, moves, our_seat):
    """The points of our player where the game is over by our rules; `None` where it is not."""
    winners = shown(game, program, moves)["winners"]
    if not winners:
        return None if winners is None else 0.5
    has_first_won = winners == [shown(game, program, [])["to_move"]]
    return float(has_first_won == (our_seat == 0))


def play(name, args, number):
    theirs, ours, written, steps = GAMES[name]
    game = pyspiel.load_game(theirs)
    state = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, number)
    share = args.time / 3 if name == "amazons" else args.time
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 10**9, 1000, True, number, False,
                          pyspiel.ChildSelectionPolicy.UCT, share)
    engine = Engine([args.program, "engine", ours, "--search", args.search], {"Seed": number})
    our_seat = number % 2
    moves, rates, points = [], [], None
    while not state.is_terminal():
        if not engine.place(moves):
            points = points_by_our_rules(ours, args.program, moves[:-1], our_seat)
            if points is None:
                sys.exit(f"{name}: our program does not know the last of {moves}")
            break
        seat, actions = state.current_player(), []
        if name == "othello" and state.action_to_string(state.legal_actions()[0]) == "pass":
            text, actions = "pass", [state.legal_actions()[0]]
        elif seat == our_seat:
            text, rate = engine.think(args.time)
            if text == "(none)":
                points = points_by_our_rules(ours, args.program, moves, our_seat)
                break
            rates.append(rate)
            found = [actions for one, actions in steps_of(state, written, steps) if plain(one) == plain(text)]
            if len(found) != 1:
                sys.exit(f"{name}: `{text}` is not a move there: {state}")
            actions = found[0]
        else:
            behind, text = state.clone(), ""
            while not behind.is_terminal() and behind.current_player() == seat:
                action = bot.step(behind)
                text += ("_" if name == "nine_mens_morris" and text else "") + written(behind, action)
                actions.append(action)
                behind.apply_action(action)
        for action in actions:
            state.apply_action(action)
        moves.append(text)
    engine.say("quit")
    if points is None:
        points = (state.returns()[our_seat] + 1) / 2
    return points, sum(rates) / max(1, len(rates)), len(moves)


def wilson(mean, count, deviations=1.96):
    """The interval of a share that is a mean of so many (E. B. Wilson, 1927), at 95 %."""
    square = deviations**2 / count
    middle = mean + square / 2
    half = deviations * math.sqrt(mean * (1 - mean) / count + square / 4 / count)
    return (middle - half) / (1 + square), (middle + half) / (1 + square)


def recorded(path):
    """What a file says of games: by name and number, the points, the playouts a second and the moves."""
    try:
        with open(path) as lines:
            found = [json.loads(line) for line in lines if line.endswith("\n")]
    except FileNotFoundError:
        found = []
    return {(one["game"], one["number"]): (one["points"], one["rate"], one["moves"]) for one in found}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--games", dest="count", type=int, default=100)
    parser.add_argument("--time", type=float, default=1.0)
    parser.add_argument("--search", choices=["mcts", "alphabeta"], default="mcts")
    parser.add_argument("--program", default="target/release/lusoria")
    parser.add_argument("--record", metavar="FILE", help="where the games are kept: of one search and one time")
    args = parser.parse_args()
    known = recorded(args.record) if args.record else {}
    print("| game | games | score | from | to | playouts or positions a second |\n| --- | --- | --- | --- | --- | --- |")
    for name in args.games:
        points, rate = [], []
        for number in range(args.count):
            played = known.get((name, number))
            point, playouts, length = played or play(name, args, number)
            if args.record and not played:
                keys = ("game", "number", "points", "rate", "moves")
                with open(args.record, "a") as lines:
                    lines.write(json.dumps(dict(zip(keys, (name, number, point, playouts, length)))) + "\n")
            points.append(point)
            rate.append(playouts)
            print(f"{name} {number}: {point} in {length} moves, {playouts:.0f} playouts/s", file=sys.stderr)
        mean = sum(points) / len(points)
        low, high = wilson(mean, len(points))
        print(f"| {name} | {len(points)} | {mean:.3f} | {low:.3f} | {high:.3f} | {sum(rate) / len(rate):.0f} |", flush=True)


if __name__ == "__main__":
    main()
