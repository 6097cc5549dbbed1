"""Reads parts of a file object: an open file at an offset, any other object with `seek` and `read`, such as one of fsspec."""

import io
import os
from threading import Lock
from typing import Any

from .errors import TableError


class File:
    """A file object. An open file is read at offsets, which moves nothing, so that threads and forked processes may share it. Of any
    other object one thread at a time reads, and no other process, because the position in the object may be shared with it."""

    def __init__(self, file: Any) -> None:
        # Some `seek` methods return None.
        end = file.seek(0, 2)
        self.size: int = file.tell() if end is None else end
        self._file, self._lock = file, Lock()
        raw = file.raw if type(file) is io.BufferedReader else file
        # The descriptor of a subclass, or of a decompressing object, may have other bytes.
        self._at_offsets = type(raw) is io.FileIO and hasattr(os, "pread")
        # A forked process has its own copy of bytes in memory.
        self._process = None if type(file) is io.BytesIO else os.getpid()

    def read_at(self, offset: int, size: int) -> bytes:
        """Exactly `size` bytes at `offset`."""
        if self._at_offsets:
            return self._read(offset, size, lambda at, missing: os.pread(self._file.fileno(), missing, at))
        if self._process not in (None, os.getpid()):
            raise TableError("the file object was opened in another process, which may move its position: open the table in this one", "io")
        with self._lock:
            self._file.seek(offset)
            return self._read(offset, size, lambda at, missing: self._file.read(missing))

    def _read(self, offset: int, size: int, read: Any) -> bytes:
        parts, missing = [], size
        while missing:
            at = offset + size - missing
            part = read(at, missing)
            if not isinstance(part, bytes):
                raise TypeError(f"read() of the file object returned {type(part).__name__}, expected bytes")
            if not 0 < len(part) <= missing:
                raise EOFError(f"read() of the file object returned {len(part)} bytes at {at} of {self.size}, expected {missing}")
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)
