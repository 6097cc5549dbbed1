"""The commands of `python -m morpion`."""

import argparse
import time
from pathlib import Path

from . import MorpionError, dataset, open_game


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m morpion", description="Writes solved games for programs that learn.")
    commands = parser.add_subparsers(required=True, dest="command")
    for name, out, text in (
        ("dataset", "FOLDER", "write the positions of a game as Parquet, with a card"),
        ("tensors", "FILE", "write the table of a game as arrays of numpy"),
    ):
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("game", metavar="GAME", help="name of a game")
        command.add_argument("out", metavar=out, type=Path)
        if name == "dataset":
            command.add_argument("--all", action="store_true", help="also positions that play does not reach")
    given, before = parser.parse_args(), time.monotonic()
    try:
        table = open_game(given.game)
        if given.command == "dataset":
            written = dataset(table, given.out, reached=not given.all)
            rows = ", ".join(f"{rows} {split}" for split, rows in written.rows.items())
            print(f"{written.folder}: {rows} rows, {written.bytes} bytes, {time.monotonic() - before:.1f} s")
        else:
            import numpy

            numpy.savez_compressed(given.out, **table.tensors())
            print(f"{given.out}: {given.out.stat().st_size} bytes, {time.monotonic() - before:.1f} s")
    except (MorpionError, OSError, ImportError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
