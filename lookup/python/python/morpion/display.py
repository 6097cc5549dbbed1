"""Drawn boards and tables of facts for notebooks, which show the HTML that `_repr_html_` returns."""

from collections.abc import Iterable
from html import escape


def figure(svg: str, caption: str) -> str:
    """A drawn board with the text below it."""
    return (
        '<figure style="display: inline-block; margin: .4em; text-align: center; vertical-align: top">'
        f"{svg}<figcaption>{escape(caption)}</figcaption></figure>"
    )


def facts(rows: Iterable[tuple[str, object]]) -> str:
    """A table of two columns."""
    return "<table>" + "".join(f"<tr><th>{escape(name)}</th><td>{escape(str(fact))}</td></tr>" for name, fact in rows) + "</table>"
