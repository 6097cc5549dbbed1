"""Writes the positions of a game as a data set: Parquet files and a card, in the layout of public data sets. Needs pyarrow and numpy."""

from __future__ import annotations

import json
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ._core import Walk, __version__
from .arguments import number, wrong
from .errors import MorpionError
from .table import Table, open_game
from .training import TrainingArrays, arrays

if TYPE_CHECKING:
    import numpy
    import pyarrow

SPLITS = ("train", "test")
TEST = 10
"""One orbit in so many is in the split for tests."""
CHUNK = 1 << 16
"""Positions of a row group."""

_FIELDS = {
    "position": "the position as text, with the side to move",
    "board": "a number for each cell: 1 for a piece of the side to move, -1 for one of the other side, 0 for none",
    "hands": "pieces in hand of the side to move and of the other side",
    "ages": "a number for each cell: 1 for the oldest piece of its side, 2 for the next one, 0 for none",
    "value": "1 if the side to move wins with perfect play, 0 for a draw, -1 for a loss",
    "plies": "half-moves to the end, the winner hurrying and the loser delaying; -1 if unknown, as for draws",
    "draw": "the kind of a draw: `end` if the game ends, `cycle` if play can continue forever",
    "legal": "legal moves as bits: bit a % 8 of byte a // 8 is 1 if the move `actions.json`[a] is legal",
    "best": "perfect moves as bits",
    "orbit": "number of symmetric forms of the position, itself included; each is a row of its own",
}


class Dataset(NamedTuple):
    """A written data set; from dataset(game, folder).

    >>> morpion.dataset("classic", tables / "classic").rows
    {'train': 4865, 'test': 613}
    """

    folder: Path
    rows: dict[str, int]
    """Number of positions in each split."""
    bytes: int
    """Size of all files."""


def dataset(game: str | Table, folder: Any, *, reached: bool = True, rows: int = 1 << 22) -> Dataset:
    """Writes all positions that play can reach as a data set into a new or empty folder: `data/train-00000-of-0000N.parquet`, …,
    `data/test-…`, `actions.json` with the moves, and the card `README.md`. `reached=False` writes every position of the table, whether or
    not play reaches it. A file has up to `rows` positions; memory does not depend on their number. Symmetric positions are in the same
    split. Needs pyarrow and numpy: pip install "morpion-lookup[dataset]".

    >>> written = morpion.dataset("disappearing", tables / "disappearing")
    >>> sum(written.rows.values()), sorted(path.name for path in written.folder.glob("data/*"))
    (73450, ['test-00000-of-00001.parquet', 'train-00000-of-00001.parquet'])
    """
    rows = number("rows", rows, 1)
    if not isinstance(game, (str, Table)):
        raise wrong("game", game, "the name of a game or a Table")
    if not isinstance(folder, (str, PathLike)):
        raise wrong("folder", folder, "a path")
    table, folder = open_game(game) if isinstance(game, str) else game, Path(folder)
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    if any(path != data for path in folder.iterdir()) or any(data.iterdir()):
        raise MorpionError(f"{folder} is not empty: name a new folder", "name")
    writers = {split: _Writer(data, split, rows) for split in SPLITS}
    for movers, waiters, sides in _reached(table) if reached else _arranged(table):
        batch = _batch(table, arrays(table, movers, waiters), table.game._texts(movers.tobytes(), waiters.tobytes(), sides))
        first_movers, first_waiters, sizes = table.game._orbits(movers.tobytes(), waiters.tobytes())
        batch = batch.append_column("orbit", _flat("uint16", sizes))
        is_test = _is_test(first_movers, first_waiters)
        for split, mask in zip(SPLITS, (~is_test, is_test)):
            writers[split].write(batch.filter(mask))
    found = {split: writer.close() for split, writer in writers.items()}
    (folder / "actions.json").write_text(json.dumps(table.game.actions) + "\n")
    (folder / "README.md").write_text(_card(table, found, reached))
    return Dataset(folder, found, sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()))


def _reached(table: Table) -> Iterator[tuple[memoryview, memoryview, bytes | None]]:
    walk = Walk(table.game)
    while len((words := walk.words(CHUNK))[0]):
        yield words[0], words[1], words[2].tobytes()


def _arranged(table: Table) -> Iterator[tuple[memoryview, memoryview, bytes | None]]:
    for layer in range(len(table._layers())):
        for words in table.game._arrangements(layer, CHUNK):
            yield *words, None


def _is_test(movers: memoryview, waiters: memoryview) -> numpy.ndarray[Any, Any]:
    """Chooses orbits by the bits of their first form, multiplied and shifted until they look random."""
    import numpy

    mixed = numpy.asarray(movers) * numpy.uint64(0x9E3779B97F4A7C15) ^ numpy.asarray(waiters)
    for factor in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB):
        mixed = (mixed ^ mixed >> numpy.uint64(31)) * numpy.uint64(factor)
    return (mixed >> numpy.uint64(33)) % numpy.uint64(TEST) == 0  # type: ignore[no-any-return]


def _flat(kind: str, values: memoryview) -> pyarrow.Array[Any]:
    """An array over the bytes of another one, not copied."""
    import pyarrow

    return pyarrow.Array.from_buffers(getattr(pyarrow, kind)(), len(values), [None, pyarrow.py_buffer(values)])


def _rows(values: memoryview, of_bytes: bool) -> pyarrow.Array[Any]:
    """An array of rows of bytes: lists of 8-bit integers, or binary."""
    import pyarrow

    length, width = values.shape or (0, 0)
    flat = values.cast("B")
    if of_bytes:
        return pyarrow.Array.from_buffers(pyarrow.binary(width), length, [None, pyarrow.py_buffer(flat)])
    return pyarrow.FixedSizeListArray.from_arrays(_flat("int8", flat), width)


def _batch(table: Table, found: TrainingArrays, texts: list[str]) -> pyarrow.RecordBatch:
    import numpy
    import pyarrow

    draws = numpy.asarray(found.draws)
    draw = pyarrow.DictionaryArray.from_arrays(pyarrow.array(draws - 1, mask=draws == 0), ["end", "cycle"])
    columns: dict[str, Any] = {"position": pyarrow.array(texts), "board": _rows(found.boards, False)}
    if found.hands is not None:
        columns["hands"] = _rows(found.hands, False)
    if found.ages is not None:
        columns["ages"] = _rows(found.ages, False)
    columns |= {"value": _flat("int8", found.values), "plies": _flat("int16", found.plies), "draw": draw}
    columns |= {"legal": _rows(found.legal, True), "best": _rows(found.best, True)}
    return pyarrow.record_batch(columns)


class _Writer:
    """Writes one split, file after file, whose number is known at the end."""

    def __init__(self, folder: Path, split: str, most: int) -> None:
        self.folder, self.split, self.most = folder, split, most
        self.files: list[Path] = []
        self.rows = self.left = 0
        self.writer: Any = None

    def write(self, batch: pyarrow.RecordBatch) -> None:
        import pyarrow.parquet

        while len(batch):
            if not self.left:
                self.finish()
                self.files.append(self.folder / f"{self.split}-{len(self.files):05}.part")
                self.writer = pyarrow.parquet.ParquetWriter(self.files[-1], batch.schema, compression="zstd")
                self.left = self.most
            part = batch.slice(0, self.left)
            self.writer.write_batch(part)
            self.left, self.rows, batch = self.left - len(part), self.rows + len(part), batch.slice(len(part))

    def finish(self) -> None:
        if self.writer:
            self.writer.close()

    def close(self) -> int:
        """Returns the number of rows."""
        self.finish()
        for number, path in enumerate(self.files):
            path.rename(self.folder / f"{self.split}-{number:05}-of-{len(self.files):05}.parquet")
        return self.rows


def _card(table: Table, rows: dict[str, int], reached: bool) -> str:
    has = {"hands": table.game.above == "hands", "ages": table.game.above == "ages"}
    fields = "".join(f"| `{name}` | {text} |\n" for name, text in _FIELDS.items() if has.get(name, True))
    files = "".join(f"  - split: {split}\n    path: data/{split}-*.parquet\n" for split in SPLITS if rows[split])
    which = "that play can reach" if reached else "of the table, whether or not play can reach them"
    example = table.probe(table.start)
    return f"""---
license: [mit, apache-2.0]
pretty_name: Perfect play of {table.name}
task_categories: [tabular-classification]
size_categories: [{_size(sum(rows.values()))}]
configs:
- config_name: default
  data_files:
{files}---

# Perfect play of {table.name}

{table.title}. All positions {which}, with their value under perfect play: {", ".join(f"{count:,} in `{split}`" for split, count in rows.items())}.
The start, `{table.start}`, is a {example.value}{f" in {example.plies} plies" if example.plies is not None else ""}.

| field | content |
|---|---|
{fields}
Symmetric positions are in the same split. `actions.json` has the texts of the {len(table.game.actions)} moves. No two rows have the same {
    ", ".join(["`board`"] + [f"`{name}`" for name, is_there in has.items() if is_there])}.

- Rules: fingerprint {table.fingerprint}, {table.symmetries} symmetries, and this rule file
- Written by morpion-lookup {__version__} from the solved table; every value is exact
- Licence: MIT or Apache 2.0, at your choice

```toml
{table.rules["text"].strip()}
```
"""


def _size(rows: int) -> str:
    """The name of a size."""
    names = ["n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B"]
    return names[min(max(len(str(rows)) - 3, 0), len(names) - 1)]
