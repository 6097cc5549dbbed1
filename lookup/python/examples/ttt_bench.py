"""Labels questions of TTT-Bench, a benchmark of language models (arXiv 2506.10209): the best moves in positions of its four games.

    morpion build double.toml cube.toml squares.toml --encoding plies --out .      (in the folder ttt-bench)
    python ttt_bench.py ttt-bench/ttt-double.morpion "XX.../OO.../..... x"

Without positions, it writes ten questions that have one winning move, a JSON object a line.
"""

import json
import random
import sys

import morpion


def label(table, position):
    """Every best move with exact values: the moves that win soonest, or draw, or lose latest."""
    score, position = table.probe(position), table.game.position(position)
    return {"position": str(position), "value": score.value, "plies": score.plies, "best": table.best(position)}


def questions(table, number, numbers):
    """Positions of random games in which the side to move has one winning move, but does not win at once."""
    while number:
        position = table.start
        while not position.is_over:
            moves = table.moves(position)
            wins = [move for move in moves if move.value == "win"]
            if len(wins) == 1 < wins[0].plies and len(moves) < table.cells - 2:
                yield label(table, position)
                number -= 1
                break
            position = position.after(numbers.choice(moves))


if __name__ == "__main__":
    table, positions = morpion.Table.open(sys.argv[1]), sys.argv[2:]
    found = (label(table, position) for position in positions) if positions else questions(table, 10, random.Random(1))
    for line in found:
        print(json.dumps(line))
