"""Counts of imported variants, held to those of Fairy-Stockfish: docs/import.md has the result.

    pip install pyffish
    lusoria import variants.ini --out variants
    python benches/import_counts.py variants.ini variants --depth 3 --program target/release/lusoria

For each rules file it counts the sequences of moves from the first position, here by `lusoria perft`, there by listing the
engine's legal moves. A count that takes longer than `--seconds` is told as not made.
"""

import argparse
import pathlib
import subprocess
import time

import pyffish


class Late(Exception):
    """A count takes too long."""


def there(variant: str, fen: str, moves: list, depth: int, end: float) -> int:
    if time.monotonic() > end:
        raise Late
    legal = pyffish.legal_moves(variant, fen, moves)
    if depth == 1:
        return len(legal)
    return sum(there(variant, fen, moves + [move], depth - 1, end) for move in legal)


def here(program: str, file: pathlib.Path, depth: int, seconds: float) -> str:
    asked = [program, "perft", str(file), str(depth), "--past-draws"]
    try:
        told = subprocess.run(asked, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return "late"
    return told.stdout.strip() if told.returncode == 0 else told.stderr.strip().splitlines()[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ini")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--program", default="lusoria")
    options = parser.parse_args()
    pyffish.load_variant_config(open(options.ini).read())
    same, other, late = [], [], []
    for file in sorted(options.folder.glob("*.rules")):
        name = file.stem
        own = here(options.program, file, options.depth, options.seconds)
        try:
            start = pyffish.start_fen(name)
            count = str(there(name, start, [], options.depth, time.monotonic() + options.seconds))
        except Late:
            count = "late"
        if "late" in (own, count):
            late.append(name)
        else:
            (same if own == count else other).append(name)
        print(f"{name:24} {own:>12} {count:>12}", flush=True)
    print(f"depth {options.depth}: {len(same)} alike, {len(other)} not: {', '.join(other)}; late: {', '.join(late)}")


if __name__ == "__main__":
    main()
