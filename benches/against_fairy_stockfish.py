#!/usr/bin/env python3
"""Counts move sequences with Fairy-Stockfish (by its Python binding) and with Lusoria: do they agree?

    pip install pyffish
    cargo build --release
    python3 benches/against_fairy_stockfish.py

Speed is not compared: the binding lists the moves of one position a call, from the start of the game.
"""
import os
import subprocess
import sys

import pyffish

HERE = os.path.dirname(os.path.abspath(__file__))
LUSORIA = os.path.join(HERE, "..", "target", "release", "lusoria")
RULES = os.path.join(HERE, "..", "tests", "games", "beyond")
# Lusoria's game, Fairy-Stockfish's variant, depth.
GAMES = [
    ("breakthrough", "breakthrough", 4),
    ("othello", "flipello", 6),
    ("othello:reversi", "flipersi", 7),
    (os.path.join(RULES, "minishogi.rules"), "minishogi", 4),
    (os.path.join(HERE, "..", "examples", "shogi.rules"), "shogi", 3),
]


def perft(variant, fen, moves, depth):
    legal = pyffish.legal_moves(variant, fen, moves)
    if depth == 1:
        return len(legal)
    return sum(perft(variant, fen, moves + [move], depth - 1) for move in legal)


print("| game | depth | Fairy-Stockfish | Lusoria |")
print("| --- | --- | --- | --- |")
agree = True
for game, variant, depth in GAMES:
    theirs = perft(variant, pyffish.start_fen(variant), [], depth)
    ours = int(subprocess.check_output([LUSORIA, "perft", game, str(depth)]).split()[-1])
    agree = agree and theirs == ours
    name = os.path.basename(game).removesuffix(".rules")
    print(f"| {name} | {depth} | {theirs} | {ours} |")
sys.exit(0 if agree else 1)
