"""Checks of arguments. An error names the argument, its value and its type."""

from collections.abc import Callable, Iterable
from operator import index
from typing import Any

from .errors import MorpionError


def shown(value: object) -> str:
    """A value and its type, for an error."""
    try:
        text = repr(value)
    except Exception:
        text = "…"
    return f"{text if len(text) <= 64 else text[:64] + '…'} ({type(value).__name__})"


def wrong(name: str, value: object, expected: str) -> TypeError:
    """The error of an argument of another type than expected."""
    return TypeError(f"{name} is {shown(value)}: use {expected}")


def text(name: str, value: Any) -> str:
    """Text."""
    if not isinstance(value, str):
        raise wrong(name, value, "text")
    return value


def number(name: str, value: Any, least: int = 0, most: int = (1 << 64) - 1) -> int:
    """A whole number from `least` to `most`."""
    try:
        found = index(value)
    except TypeError:
        raise wrong(name, value, "a whole number") from None
    if not least <= found <= most:
        raise MorpionError(f"{name} is {shown(value)}: use a number from {least} to {most}", "size")
    return found


def function(name: str, value: Any) -> Callable[..., Any]:
    """A function."""
    if not callable(value):
        raise wrong(name, value, "a function")
    found: Callable[..., Any] = value
    return found


def iterable(name: str, value: Any) -> Iterable[Any]:
    """An iterable."""
    try:
        iter(value)
    except TypeError:
        raise wrong(name, value, "an iterable") from None
    found: Iterable[Any] = value
    return found
