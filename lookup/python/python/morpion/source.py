"""Reads parts of a file object with `seek` and `read`: an open file, an object of fsspec."""

from threading import Lock
from typing import Any


class File:
    """A file object, of which one thread at a time reads."""

    def __init__(self, file: Any) -> None:
        # Some `seek` methods return None.
        end = file.seek(0, 2)
        self.size: int = file.tell() if end is None else end
        self._file, self._lock = file, Lock()

    def read_at(self, offset: int, size: int) -> bytes:
        """Exactly `size` bytes at `offset`."""
        parts, missing = [], size
        with self._lock:
            self._file.seek(offset)
            while missing:
                part = self._file.read(missing)
                if not isinstance(part, bytes):
                    raise TypeError(f"read() of the file object returned {type(part).__name__}, expected bytes")
                if not 0 < len(part) <= missing:
                    at = offset + size - missing
                    raise EOFError(f"read() of the file object returned {len(part)} bytes at {at} of {self.size}, expected {missing}")
                parts.append(part)
                missing -= len(part)
        return b"".join(parts)
