"""Cost of a random position of a table, one at a time and in a batch: python benches/batch.py TABLE [POSITIONS]"""

import array
import random
import sys
import time

import morpion


def masks(table, count, numbers):
    """Masks of the movers and the waiters of random positions, with the pieces of a late position, on up to half of the board."""
    end = table.line().positions[-1]
    pieces = min(end.mover.bit_count(), end.waiter.bit_count(), table.cells // 4)
    cells, movers, waiters = range(table.cells), array.array("Q"), array.array("Q")
    while len(movers) < count:
        chosen = numbers.sample(cells, 2 * pieces)
        mover, waiter = (sum(1 << cell for cell in half) for half in (chosen[:pieces], chosen[pieces:]))
        try:
            table.game.from_masks(mover, waiter)
        except morpion.PositionError:
            continue  # the side to move has a line
        movers.append(mover)
        waiters.append(waiter)
    return movers, waiters


def seconds(what):
    """Processor seconds, the minimum of three runs."""
    spent = []
    for _ in range(3):
        before = time.process_time()
        what()
        spent.append(time.process_time() - before)
    return min(spent)


def main(path, count="1000000"):
    count = int(count)
    with morpion.Table.open(path, mmap=True) as table:
        movers, waiters = masks(table, count, random.Random(1))
        game = table.game
        few = [game.from_masks(*both) for both in zip(movers[:100_000], waiters[:100_000])]
        texts = [str(position) for position in few]
        print(f"{table.name}, {count} random positions; processor seconds a million")
        print(f"probe_many, arrays     {seconds(lambda: table.probe_many(movers, waiters)) * 1e6 / count:.3f}")
        print(f"probe_many, objects    {seconds(lambda: table.probe_many(few)) * 10:.3f}")
        print(f"probe_many, texts      {seconds(lambda: table.probe_many(texts)) * 10:.3f}")
        print(f"probe, an object       {seconds(lambda: [table.probe(position) for position in few]) * 10:.3f}")
        print(f"probe, a text          {seconds(lambda: [table.probe(text) for text in texts]) * 10:.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
