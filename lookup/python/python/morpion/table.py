"""The class `Table`: opens a table by a name or from a source, and answers questions about its game."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from random import random as random_number
from types import TracebackType
from typing import Any, Self, TypeVar, final, overload

from . import _core, words
from .answers import SCORES, Move, Moves, Over, Score, Scores, Side, Value
from .arguments import function, number, shown, text, wrong
from .cells import Given
from .display import facts
from .errors import MorpionError, PositionError, TableError, in_batch
from .game import Game
from .judge import Judgement, Regret, judge, map_policy, regret
from .line import Line, line
from .position import Position, Words
from .source import File
from .tensors import tensors
from .training import TrainingArrays, training_arrays
from .words import Buffer

CACHE = 64 << 20
"""Default size of the cache of unpacked frames, in bytes."""

_T = TypeVar("_T")


@final
class Table(_core.Table):
    """An open table of perfect play, from Table.builtin(name), Table.open(source) or Table.from_bytes(data).

    A position is text ("X../.O./..X o"), a Position, or cells: rows or one list, 0 empty, 1 for X, 2 for O. `side`, "x" or "o", is the
    side to move if neither the position nor its number of pieces determines it.

    Any number of threads may use a table. A pickled table contains the argument with which it was opened, a path or bytes. Raises
    PositionError for a value that is not a position, and TableError for a damaged or closed table. Exceptions of a file object are
    raised unchanged.

    >>> with morpion.Table.builtin("swap") as table:
    ...     table.best("XX./OO./XO. x")
    ['a3-c1']
    """

    _again: Callable[[], "Table"]

    def __new__(cls, source: str | bytes | File, mmap: bool, cache: int) -> "Table":
        return super().__new__(cls, source, mmap, number("cache", cache))

    def __init__(self, _source: str | bytes | File, _mmap: bool, _cache: int) -> None:
        self._game = Game(self)

    @classmethod
    def open(cls, source: Any, *, mmap: bool = False, cache: int = CACHE) -> "Table":
        """Opens a table, plain or packed: a path (str or os.PathLike), bytes or another buffer, or a file object with seek and read.

        A file of at most 64 MiB is read into memory. With `mmap` a file is mapped, and nobody may change it while the table is open.
        Answers read only the parts of a file object that they need, so fsspec.open(url).open() answers over HTTP by range requests.
        Do not use a file object until the table is closed, which does not close the file object. For a path of type bytes, pass
        os.fsdecode(path).

        A packed table of at most 64 MiB from a path is unpacked when it is opened, and `cache` has no effect. Of any other packed
        table, answers unpack the frames that they read, and those used last are kept, up to `cache` bytes.

        Raises OSError if a file cannot be read, and TableError if it is not a table.

        >>> data = io.BytesIO(pathlib.Path(tables, "swap.morpion.zst").read_bytes())
        >>> morpion.Table.open(data).name
        'swap'
        """
        if not isinstance(mmap, bool):
            raise wrong("mmap", mmap, "True or False")
        if isinstance(source, str) or hasattr(source, "__fspath__"):
            source = os.fsdecode(source)
            table = cls(source, mmap, cache)
            # Absolute, because a worker process may have another working directory.
            table._again = partial(cls.open, os.path.join(os.getcwd(), source), mmap=mmap, cache=cache)
            return table
        if isinstance(source, bytes) or not (hasattr(source, "seek") and hasattr(source, "read")):
            return cls._of_bytes(source, cache, "a path, bytes, or a file object with seek and read")
        table = cls(File(source), False, cache)
        table._again = partial(cls.open, source, cache=cache)
        return table

    @classmethod
    def from_bytes(cls, data: Any, *, cache: int = CACHE) -> "Table":
        """Opens the plain or packed table in `data`, bytes or another buffer. Copies `data`, except for bytes. Of a packed table, answers
        unpack the frames that they read, and those used last are kept, up to `cache` bytes.

        >>> morpion.Table.from_bytes(pathlib.Path(tables, "swap.morpion").read_bytes()).name
        'swap'
        """
        return cls._of_bytes(data, cache, "bytes or another buffer")

    @classmethod
    def _of_bytes(cls, data: Any, cache: int, expected: str) -> "Table":
        if not isinstance(data, bytes):
            try:
                data = memoryview(data).tobytes()
            except TypeError:
                raise TypeError(f"{shown(data)} is not a table: use {expected}") from None
        table = cls(data, False, cache)
        table._again = partial(cls.from_bytes, data, cache=cache)
        return table

    @classmethod
    def builtin(cls, name: str) -> "Table":
        """Opens a table inside this package, one of builtin_names().

        >>> morpion.Table.builtin("classic").start
        Position('.../.../... x')
        """
        table = cls._builtin(name)
        if table is None:
            known = ", ".join(_core.builtin_names())
            raise TableError(f'no built-in table "{name}": use one of {known}', "name")
        return table

    @classmethod
    def _builtin(cls, name: str) -> "Table | None":
        data = _core.builtin(text("name", name))
        if data is None:
            return None
        table = cls(data, False, CACHE)
        table._again = partial(cls.builtin, name)
        return table

    def __enter__(self) -> Self:
        self.game  # raises if the table is closed
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None, /) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        self.game  # raises if the table is closed
        return self._again, ()

    @property
    def game(self) -> Game:
        """The game by its rules: its start and positions as objects, without their values.

        >>> morpion.Table.builtin("tapatan").game.start.after("b2").legal_moves[:3]
        ['a1', 'b1', 'c1']
        """
        if self.closed:
            raise TableError("the table is closed", "closed")
        return self._game

    @property
    def name(self) -> str:
        """The short name of the game.

        >>> morpion.Table.builtin("swap").name
        'swap'
        """
        return self.game.name

    @property
    def title(self) -> str:
        """One line about the game.

        >>> morpion.Table.builtin("swap").title
        'Morpion with three pieces each, moved to any empty cell'
        """
        return self.game.title

    @property
    def cells(self) -> int:
        """Number of cells of the board.

        >>> morpion.Table.builtin("swap").cells
        9
        """
        return self.game.cells

    @property
    def start(self) -> Position:
        """The position at the start of the game.

        >>> morpion.Table.builtin("swap").start
        Position('.../.../... x')
        """
        return self.game.start

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the rules, 16 hexadecimal digits. It does not depend on names.

        >>> morpion.Table.builtin("swap").fingerprint
        'ab3871abc36a008e'
        """
        return f"{self.game._fingerprint:016x}"

    @property
    def symmetries(self) -> int:
        """Number of symmetries of the rules.

        >>> morpion.Table.builtin("swap").symmetries
        8
        """
        return len(self.game._symmetries())

    @property
    def rules(self) -> dict[str, Any]:
        """The game as a dictionary: cells, lines, what extends them and links by name (None if a piece moves to any cell), the start, and
        `text`, the rule file. The words of the rules are in the text: read it with `tomllib`.

        >>> import tomllib
        >>> rules = morpion.Table.builtin("tapatan").rules
        >>> tomllib.loads(rules["text"])["pieces"]["each"], rules["lines"][0], rules["links"][:2]
        (3, ['a1', 'b1', 'c1'], [('a1', 'b1'), ('a1', 'a2')])
        """
        cells, lines, extends, links, text = self.game._board()

        def named(sets: list[int]) -> list[list[str]]:
            return [[name for cell, name in enumerate(cells) if set >> cell & 1] for set in sets]

        return {
            "name": self.name, "title": self.title, "cells": cells, "lines": named(lines), "extends": named(extends),
            "links": None if links is None else [(cells[a], cells[b]) for a, b in links], "start": str(self.start), "text": text,
        }  # fmt: skip

    @property
    def census(self) -> dict[str, list[Any]]:
        """Number of arrangements by layer, value and distance, as columns of one length: "mover", "waiter" (pieces), "value", "draw",
        "plies", "count". Rows and words are those of `morpion info --csv`: the value "invalid" counts arrangements whose mover
        already owns a line, and None stands for a missing value.

        >>> census = morpion.Table.builtin("classic").census
        >>> [(column, items[:3]) for column, items in census.items()][2:]
        [('value', ['draw', 'draw', 'win']), ('draw', ['end', 'end', None]), ('plies', [None, None, 5]), ('count', [1, 9, 48])]
        """
        rows = zip(*self._census())
        return {name: list(column) for name, column in zip(("mover", "waiter", "value", "draw", "plies", "count"), rows)}

    def probe(self, position: Given, side: Side | None = None) -> Score:
        """Value, distance and kind of draw of a position.

        >>> morpion.Table.builtin("swap").probe([[1, 0, 0], [0, 2, 0], [0, 0, 0]])
        Score(value='draw', plies=None, draw='cycle')
        """
        return SCORES[self._score(self._game._at(position, side))]

    def moves(self, position: Given, side: Side | None = None) -> list[Move]:
        """All moves with their values, the best first; none if the game is over.

        >>> [str(move.move) for move in morpion.Table.builtin("classic").moves("XX./OO./... x")]
        ['c1', 'c2', 'a3', 'b3', 'c3']
        """
        return [Move._make(move) for move in self._ranked(self._game._at(position, side))[0]]

    def best(self, position: Given, side: Side | None = None) -> list[str]:
        """Every perfect move, in the order of cells; none if the game is over.

        >>> morpion.Table.builtin("classic").best("X../.../... o")
        ['b2']
        """
        moves, perfect = self._ranked(self._game._at(position, side))
        return [move[0] for move in moves[:perfect]]

    def over(self, position: Given, side: Side | None = None) -> Over | None:
        """Reason why the game is over in a position: "line", "full", "stuck", "own-line" or "few"; None if it is not over.

        >>> morpion.Table.builtin("classic").over("XXX/OO./... o")
        'line'
        """
        over = self.game._over(self._game._at(position, side))
        return over and over[0]

    def value(self, position: Given, side: Side | None = None) -> Value:
        """The value of a position: "win", "draw" or "loss".

        >>> morpion.Table.builtin("classic").value("XX./OO./... x")
        'win'
        """
        return self.probe(position, side).value

    def plies(self, position: Given, side: Side | None = None) -> int | None:
        """The distance of a position: half-moves to the end, or None.

        >>> morpion.Table.builtin("classic").plies("XX./OO./... x")
        1
        """
        return self.probe(position, side).plies

    def after(self, position: Given, move: str | Move, side: Side | None = None) -> Position:
        """The position after a legal move. Raises PositionError of the kind "move" for any other.

        >>> morpion.Table.builtin("classic").after(".../.../...", "b2")
        Position('.../.X./... o')
        """
        return self.game.position(position, side).after(move)

    @overload
    def get_probe(self, position: Given, side: Side | None = None, default: None = None) -> Score | None: ...
    @overload
    def get_probe(self, position: Given, side: Side | None = None, *, default: _T) -> Score | _T: ...
    def get_probe(self, position: Given, side: Side | None = None, default: Any = None) -> Any:
        """The score of a position, or `default` if it is not a position of the game, for which probe(…) raises PositionError.

        >>> morpion.Table.builtin("classic").get_probe("XXX/OOO/... x") is None
        True
        """
        return _or_default(self.probe, position, side, default)

    @overload
    def get_value(self, position: Given, side: Side | None = None, default: None = None) -> Value | None: ...
    @overload
    def get_value(self, position: Given, side: Side | None = None, *, default: _T) -> Value | _T: ...
    def get_value(self, position: Given, side: Side | None = None, default: Any = None) -> Any:
        """The value of a position, or `default` if it is not a position of the game.

        >>> morpion.Table.builtin("classic").get_value("XXX/OOO/... x", default="unknown")
        'unknown'
        """
        return _or_default(self.value, position, side, default)

    @overload
    def get_plies(self, position: Given, side: Side | None = None, default: None = None) -> int | None: ...
    @overload
    def get_plies(self, position: Given, side: Side | None = None, *, default: _T) -> int | _T | None: ...
    def get_plies(self, position: Given, side: Side | None = None, default: Any = None) -> Any:
        """The distance of a position, or `default` if it is not a position of the game.

        >>> morpion.Table.builtin("classic").get_plies("XXX/OOO/... x", default=-1)
        -1
        """
        return _or_default(self.plies, position, side, default)

    @overload
    def get_best(self, position: Given, side: Side | None = None, default: None = None) -> list[str] | None: ...
    @overload
    def get_best(self, position: Given, side: Side | None = None, *, default: _T) -> list[str] | _T: ...
    def get_best(self, position: Given, side: Side | None = None, default: Any = None) -> Any:
        """Every perfect move, or `default` if it is not a position of the game.

        >>> morpion.Table.builtin("classic").get_best("XXX/OOO/... x", default=[])
        []
        """
        return _or_default(self.best, position, side, default)

    @overload
    def probe_many(self, positions: Iterable[Given], /) -> list[Score | MorpionError]: ...
    @overload
    def probe_many(self, movers: Buffer, waiters: Buffer, /, *, in_hand: bool = True) -> Scores: ...
    def probe_many(self, positions: Any, waiters: Any = None, /, *, in_hand: bool = True) -> Any:
        """Scores of many positions, faster than single questions and without the interpreter's lock. Invalid positions do not stop
        the batch: each row has a score or an error.

        probe_many(positions) takes any iterable and returns a list with a Score for each position, or a MorpionError whose `index` is
        the index of the position. The iterable is read to its end first. More than 10,000,000 positions raise MorpionError of the
        kind "size".

        probe_many(movers, waiters) takes two buffers of 64-bit words, numpy arrays or array.array("Q"): the words of the side to
        move and of the side waiting, as from Table.words(positions). It returns Scores, which are arrays, and makes no object for a
        position. Without mills and ageing pieces, a word has bit c for cell c and nothing else. In other games it has more, and
        what has no such thing is refused: a row without the order of pieces that age, and a batch of a game with mills in which no word
        has a piece in hand, with MorpionError of the kind "words". Pass in_hand=False if really nothing is in hand.

        >>> [score.value for score in morpion.Table.builtin("classic").probe_many([".../.../...", "XX./OO./..."])]
        ['draw', 'win']
        >>> morpion.Table.builtin("classic").probe_many(array.array("Q", [0, 3]), array.array("Q", [0, 24])).value.tolist()
        [0, 1]
        >>> morpion.Table.builtin("classic").probe_many([".../.../...", "XXXX"])
        [Score(value='draw', plies=None, draw='end'), PositionError('position 1: 4 cells, expected 9')]
        """
        if waiters is not None:
            return Scores(*self._probe(*words.both(self.game, positions, waiters, in_hand)))
        read = list(words.listed(self.game, positions))
        valid = [found for found in read if not isinstance(found, MorpionError)]
        movers, waiters = words.arrays(valid)
        scores = Scores(*self._probe(movers.tobytes(), waiters.tobytes()))
        if len(valid) == len(read) and not any(scores.error):
            return list(scores)
        answers = iter(scores)
        return [found if isinstance(found, MorpionError) else self._found(at, found, next(answers)) for at, found in enumerate(read)]

    def _found(self, index: int, position: Words, score: Score) -> Score | MorpionError:
        """The score, or the error of a position where the table is damaged, with the text that it gets alone."""
        try:
            return score if score.value else SCORES[self._score(position)]
        except MorpionError as error:
            return in_batch(error, index)

    def moves_many(self, movers: Buffer, waiters: Buffer, *, in_hand: bool = True) -> Moves:
        """Legal and perfect moves of many positions, as bits by the numbers of Game.actions, without the interpreter's lock. Words as
        in probe_many.

        >>> table = morpion.Table.builtin("classic")
        >>> moves = table.moves_many(*table.words(["XX./OO./... x"]))
        >>> [action for at, action in enumerate(table.game.actions) if moves.best[0, at // 8] >> at % 8 & 1]
        ['c1']
        """
        return Moves(*self._moves(self.game, *words.both(self.game, movers, waiters, in_hand)))

    def words(self, positions: Iterable[Given]) -> tuple[memoryview, memoryview]:
        """The words of the sides to move and of the sides waiting, as arrays of 64-bit integers. Raises PositionError with the index of
        a value that is not a position.

        A word has bit c for a piece on cell c. In games with mills it has the number of pieces in hand from bit 36 on; if pieces age,
        bit 52 and from bit 36 on the number of their order. Game.above says which of these a game has.

        >>> movers, waiters = morpion.Table.builtin("classic").words(["X../.O./... x"])
        >>> movers.tolist(), waiters.tolist()
        ([1], [16])
        """
        return words.of_positions(self.game, positions)

    def planes(self, movers: Buffer, waiters: Buffer, *, in_hand: bool = True) -> tuple[memoryview, memoryview | None, memoryview | None]:
        """Decodes words into 8-bit integers. Boards, positions × cells: 1 for a piece of the side to move, -1 for one of the side
        waiting. Pieces in hand, positions × 2, of the side to move first; None in a game without. Ages, positions × cells: 1 for the
        oldest piece of its side, 2 for the next one, 0 for no piece; None if pieces do not age.

        >>> table = morpion.Table.builtin("disappearing")
        >>> boards, hands, ages = table.planes(*table.words(["XX./..O/O.. x b1,a1/a3,c2"]))
        >>> boards.tolist(), hands, ages.tolist()
        ([[1, 1, 0, 0, 0, -1, -1, 0, 0]], None, [[2, 1, 0, 0, 0, 2, 1, 0, 0]])
        """
        return self.game._decoded(*words.both(self.game, movers, waiters, in_hand))

    def line(self, position: Given | None = None, side: Side | None = None) -> Line:
        """The line of perfect play from a position [default: the start of the game] to the end or to a repetition. Each side makes the
        first of its perfect moves.

        >>> morpion.Table.builtin("tapatan").line().moves[:3]
        ['b2', 'a1', 'c2']
        """
        return line(self, self.start if position is None else self.game.position(position, side))

    def choose(
        self, position: Given, side: Side | None = None, *, errors: float = 0.0, random: Callable[[], float] | None = None
    ) -> str | None:
        """A move of a fallible player: with probability `errors` an imperfect move, if there is any, else a perfect one. Both are chosen
        uniformly. None if the game is over.

        `random` is a function that returns a number from 0 to below 1 [default: random.random]. The same numbers choose the same
        moves in every language.

        >>> table = morpion.Table.builtin("classic")
        >>> table.choose("X../.../...")
        'b2'
        >>> table.choose("X../.../...", errors=1, random=random.Random(3).random) == "b2"
        False
        """
        if not isinstance(errors, (int, float)):
            raise wrong("errors", errors, "a number from 0 to 1")
        if not 0 <= errors <= 1:
            raise MorpionError(f"errors is {shown(errors)}: use a number from 0 to 1", "level")
        drawn = function("random", random or random_number)()
        if not isinstance(drawn, (int, float)):
            raise wrong("random()", drawn, "a function that returns a number")
        if not 0 <= drawn < 1:
            raise MorpionError(f"random() returned {drawn}: it must return a number from 0 to below 1", "level")
        return self._choice(self._game._at(position, side), errors, drawn)

    def judge(self, policy: Callable[[Position], str | Move], positions: Iterable[Given] | None = None) -> Judgement:
        """Compares the moves of a policy with perfect play, in every position that play can reach and in which the game is not over. A
        policy is any function from a Position to a legal move, as text or as a Move. Raises PositionError of the kind "move" if it
        returns something else.

        For a large game, pass a sample as `positions`, any iterable.

        >>> first = morpion.Table.builtin("classic").judge(lambda position: position.legal_moves[0])
        >>> first.errors, first.lost, first.kinds
        (1869, 2886, {('draw', 'loss'): 514, ('win', 'draw'): 338, ('win', 'loss'): 1017})
        """
        return judge(self, function("policy", policy), positions)

    def regret(
        self,
        policy: Callable[[Position], str | Move] | None = None,
        games: int = 100,
        *,
        batch: Callable[[list[Position]], Sequence[str | Move]] | None = None,
        plies: int = 200,
        random: Callable[[], float] | None = None,
    ) -> Regret:
        """Plays so many games of a policy against perfect play, and returns what it gives away per game. It moves first in every
        second one. Perfect moves are chosen uniformly by `random`, as in choose(…). A game ends after this many plies at the latest.

        `batch` is a policy that is asked in all games at once, ply by ply: a list of positions in, a list of moves out.

        >>> table = morpion.Table.builtin("classic")
        >>> table.regret(lambda position: table.best(position)[0], 10)
        Regret(games=10, value=0.0, plies=0.0, moves=4.5)
        >>> table.regret(batch=lambda positions: [table.best(position)[0] for position in positions], games=10)
        Regret(games=10, value=0.0, plies=0.0, moves=4.5)
        """
        if policy is not None and batch is None:
            batch = partial(map_policy, function("policy", policy))
        elif batch is None or policy is not None:
            raise TypeError("give either policy or batch")
        return regret(self, function("batch", batch), number("games", games), number("plies", plies), random)

    def training_arrays(
        self, positions: Iterable[Given] | None = None, *, rows: int = 65_536, n: int | None = None, seed: int = 0
    ) -> Iterator[TrainingArrays]:
        """Yields arrays for training, up to `rows` positions at a time. Finished positions have a value and no moves.

        Without `n`, of all positions that play can reach, in the order of play, or of `positions`, any iterable. The first arrays come at
        once, however large the game is, and those of the last positions need not be kept.

        With `n`, of up to `n` positions drawn by `seed`, in random order: as many of each layer as far as it lasts, so that placements and
        movement both come from the first row on. No two are symmetric. Arrangements that play does not reach are drawn too.

        >>> [arrays] = morpion.Table.builtin("classic").training_arrays()
        >>> arrays, arrays.boards.shape, arrays.legal.shape
        (TrainingArrays(5478 positions), (5478, 9), (5478, 2))
        >>> [arrays] = morpion.Table.builtin("six-mens-morris").training_arrays(n=1000, seed=1)
        >>> arrays
        TrainingArrays(1000 positions)
        """
        n = None if n is None else number("n", n)
        return training_arrays(self, positions, number("rows", rows, 1), n, number("seed", seed))

    def tensors(self) -> dict[str, Any]:
        """The table as arrays of numpy, by name: symmetries, maps, ranks, and the value, distance and kind of draw of every entry. A
        program that has them needs nothing else to probe: examples/probe_tensors.py does it by gathers, in numpy or another library
        of arrays. numpy.savez_compressed("swap.npz", **table.tensors()) writes a file. Needs numpy.

        >>> arrays = morpion.Table.builtin("swap").tensors()
        >>> arrays["values"].shape, arrays["inverse"].shape
        ((886,), (8, 9))
        """
        return tensors(self)

    def __repr__(self) -> str:
        return "Table(closed)" if self.closed else f'Table("{self.name}", {self.entries} entries)'

    def _repr_html_(self) -> str | None:
        # Without HTML, notebooks show the text.
        if self.closed:
            return None
        score = self.probe(self.start)
        value = score.value + (f" in {score.plies}" if score.plies is not None else "") + (f" by {score.draw}" if score.draw == "cycle" else "")
        rows = {
            "game": f"{self.name}: {self.title}", "start": value, "best": ", ".join(self.best(self.start)),
            "entries": self.entries, "symmetries": self.symmetries,
        }  # fmt: skip
        return self.start._repr_html_() + facts(rows.items())


def _or_default(ask: Callable[[Given, Side | None], Any], position: Given, side: Side | None, default: Any) -> Any:
    try:
        return ask(position, side)
    except PositionError:
        return default


def known_names() -> list[str]:
    """The names of the tables in this package and in the usual folders."""
    return sorted({*_core.search("")[1], *_core.builtin_names()})


def open_game(name: str, *, cache: int = CACHE) -> Table:
    """Opens the table of a game by its name, from the places in which the program `morpion` looks: the folders listed in
    MORPION_TABLES, `tables` in the current folder, the user's data folder (~/.local/share/morpion), the machine's data folders
    (/usr/share/morpion), and the tables inside this package.

    A plain file is mapped: replace it by renaming another file over it, and never change it in place. A packed table of at most
    64 MiB is unpacked when it is opened, like one inside this package. Of a larger one, `cache` bytes of unpacked frames are kept.

    Raises TableError. Its kind is "name" if there is no such table; the text lists the searched folders and the known names, and says
    how to build a table. The kind is "other-rules" if a file has other rules than the table of the same name inside this package.

    >>> morpion.open_game("teeko").probe("...../...../..X../...../..... o")
    Score(value='draw', plies=None, draw='cycle')
    """
    own = Table._builtin(name)
    # The game's own name, since `name` may be an alias.
    name = own.name if own else name
    path, _, folders = _core.search(name)
    if path is None:
        if own:
            return own
        raise TableError(
            f"{name[:64]}: no table in {', '.join(map(str, folders))}, nor in this package: build it with `morpion build {name[:64]}`, "
            f"or add its folder to MORPION_TABLES; there are {', '.join(known_names())}",
            "name",
        )
    table = Table.open(path, mmap=True, cache=cache)
    if table.name != name:
        raise TableError(f"{path}: a table of {table.name}, expected {name}: give the file the name of its game", "other-rules")
    if own and own.fingerprint != table.fingerprint:
        found, expected = table.fingerprint, own.fingerprint
        raise TableError(f"{path}: a table of other rules: fingerprint {found}, expected {expected}", "other-rules")
    return table
