"""Drawn boards for notebooks, which show the HTML that `_repr_html_` returns."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from .position import Position


if TYPE_CHECKING:
    from .judge import Fault, Judgement
    from .line import Line
    from .table import Table

BOARDS = 60
"""Limit of the boards of a line that are drawn."""


def _figure(position: Position, caption: str, last: str | None = None, next: str | None = None) -> str:
    return (
        '<figure style="display: inline-block; margin: .4em; text-align: center; vertical-align: top">'
        f"{position._svg(last, next)}<figcaption>{escape(caption)}</figcaption></figure>"
    )


def _facts(rows: Iterable[tuple[str, object]]) -> str:
    """A table of two columns."""
    return "<table>" + "".join(f"<tr><th>{escape(name)}</th><td>{escape(str(fact))}</td></tr>" for name, fact in rows) + "</table>"


def _state(position: Position) -> str:
    """The side to move, or the result."""
    if position.winner:
        return f"{position.winner.upper()} has won"
    return "draw" if position.is_over else f"{position.side.upper()} to move"


def board(position: Position) -> str:
    return _figure(position, _state(position))


def table(table: Table) -> str | None:
    """None if the table is closed: notebooks then show the text."""
    if table.closed:
        return None
    score = table.probe(table.start)
    value = score.value + (f" in {score.plies}" if score.plies is not None else "") + (f" by {score.draw}" if score.draw == "cycle" else "")
    rows = {
        "game": f"{table.name}: {table.title}", "start": value, "best": ", ".join(table.best(table.start)),
        "entries": table.entries, "symmetries": table.symmetries,
    }  # fmt: skip
    return board(table.start) + _facts(rows.items())


def line(line: Line) -> str:
    boards = zip(line.positions[:BOARDS], [None, *line.moves])
    html = "".join(_figure(at, f"{number}. {last}" if last else _state(at), last) for number, (at, last) in enumerate(boards))
    if len(line.positions) > BOARDS:
        html += f"<p>{len(line.positions) - BOARDS} more boards.</p>"
    if line.cycle is None:
        return html + f"<p>{_state(line.positions[-1])}.</p>"
    before = f"the one after move {line.cycle}" if line.cycle else "the first"
    return html + f"<p>The last position repeats {before}.</p>"


def fault(fault: Fault) -> str:
    return _figure(fault.position, f"{fault.move} instead of {', '.join(fault.best)}", next=fault.move)


def judgement(judgement: Judgement) -> str:
    rows: list[tuple[str, object]] = [
        ("positions", judgement.positions),
        ("errors", f"{judgement.errors} ({100 * judgement.rate:.1f} %)"),
        ("value lost", judgement.lost),
        ("slow moves", f"{judgement.slow}, by {judgement.plies} plies in all"),
    ]
    rows += [(f"{before} to {after}", number) for (before, after), number in judgement.kinds.items()]
    return _facts(rows) + "".join(map(fault, judgement.worst))
