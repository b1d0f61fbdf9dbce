#!/usr/bin/env python3
"""Plays Lusoria's players against the engine of Fairy-Stockfish, the same time for each move, on one thread each.

    apt-get install fairy-stockfish
    cargo build --release
    python3 benches/match_fairy_stockfish.py chess xiangqi breakthrough --games 20 --time 0.2

Both speak UCI. Seats alternate; each pair of games begins with the same two random moves. Lusoria's rules tell when a game is over.
"""

import argparse
import json
import random
import subprocess
import sys

from uci import Engine, plain

# Our game, and Fairy-Stockfish's variant.
GAMES = {"chess": "chess", "xiangqi": "xiangqi", "breakthrough": "breakthrough"}


def asked(program, command, game, moves):
    """What a command of Lusoria tells of the position behind the moves."""
    line = [program, command, game, "--json"] + [word for move in moves for word in ("--move", move)]
    return json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)


def opening(args, game, seed):
    draw, moves = random.Random(seed), []
    for _ in range(2):
        moves.append(plain(draw.choice(asked(args.program, "moves", game, moves)["moves"])["move"]))
    return moves


def play(game, args, number):
    """The points of our player, and the moves."""
    moves, our_seat = opening(args, game, number // 2), number % 2
    ours = Engine([args.program, "engine", game, "--search", args.search], {"Seed": number})
    theirs = Engine([args.engine], {"UCI_Variant": GAMES[game], "Threads": 1})
    seats = [ours, theirs] if our_seat == 0 else [theirs, ours]
    points = None
    while points is None and len(moves) < args.plies:
        engine = seats[len(moves) % 2]
        engine.place(moves)
        move, _ = engine.think(args.time)
        if move != "(none)":
            moves.append(move)
        shown = asked(args.program, "show", game, moves)
        if shown["winners"] is not None:
            first = asked(args.program, "show", game, [])["to_move"]
            points = 0.5 if not shown["winners"] else float((shown["winners"] == [first]) == (our_seat == 0))
        elif move == "(none)":
            sys.exit(f"{game}: an engine does not move behind {moves}")
    for engine in seats:
        engine.say("quit")
    return 0.5 if points is None else points, moves


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--games", dest="count", type=int, default=20)
    parser.add_argument("--time", type=float, default=0.2, help="seconds for each move")
    parser.add_argument("--plies", type=int, default=300, help="a longer game counts as a draw")
    parser.add_argument("--search", choices=["mcts", "alphabeta"], default="alphabeta")
    parser.add_argument("--program", default="target/release/lusoria")
    parser.add_argument("--engine", default="/usr/games/fairy-stockfish")
    args = parser.parse_args()
    print("| game | won | drawn | lost |\n| --- | --- | --- | --- |")
    for game in args.games:
        found = []
        for number in range(args.count):
            points, moves = play(game, args, number)
            found.append(points)
            print(f"{game} {number}: {points} in {len(moves)} moves", file=sys.stderr)
        print(f"| {game} |", " | ".join(str(found.count(points)) for points in (1.0, 0.5, 0.0)), "|", flush=True)


if __name__ == "__main__":
    main()
