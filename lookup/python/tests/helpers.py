"""Tables of the tests, a static file server with range requests, a file object that reads from it, and optional modules."""

import http.server
import importlib.util
import io
import os
import threading
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import morpion
import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
CONFORMANCE = REPOSITORY / "lookup" / "conformance"

# The games of nine cells, of all kinds except mills.
NINE = [name for name in morpion.builtin_names() if morpion.Table.builtin(name).cells == 9]


def conformance_table(name):
    """The table of a game of the conformance tests, which is a file or inside the module."""
    if name in morpion.builtin_names():
        return morpion.Table.builtin(name)
    return morpion.Table.open(CONFORMANCE / "tables" / f"{name}.morpion", mmap=True)


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers GET and HEAD from a dictionary of paths, whole or by one range."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        data = self.server.files.get(self.path)
        if data is None:
            return self.send_error(404)
        wanted, status = self.headers.get("Range"), 200
        first, last = 0, len(data) - 1
        if wanted:
            first, last = (int(part) for part in wanted.removeprefix("bytes=").split("-"))
            last, status = min(last, len(data) - 1), 206
        self.server.requests.append((self.command, self.path, wanted))
        self.send_response(status)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(last + 1 - first))
        if wanted:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data[first : last + 1])

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


@contextmanager
def serve(files):
    """Serves a dictionary of paths and bytes; `requests` of the server lists the requests."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.files, server.requests = files, []
        server.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class RangeFile:
    """A minimal file object: `seek` and `read`, with a request for each read."""

    def __init__(self, url):
        self.url, self.place = url, 0
        with urllib.request.urlopen(urllib.request.Request(url, method="HEAD")) as answer:
            self.size = int(answer.headers["Content-Length"])

    def seek(self, offset, whence=io.SEEK_SET):
        self.place = offset + (self.size if whence == io.SEEK_END else 0)
        return self.place

    def read(self, size):
        wanted = {"Range": f"bytes={self.place}-{self.place + size - 1}"}
        with urllib.request.urlopen(urllib.request.Request(self.url, headers=wanted)) as answer:
            assert answer.status == 206
            data = answer.read()
        self.place += len(data)
        return data


def optional(name):
    """A third-party module. If tools are required, it must be installed."""
    if os.environ.get("MORPION_REQUIRE_TOOLS") == "1":
        return importlib.import_module(name)
    return pytest.importorskip(name)


def example(name):
    """An example as a module."""
    file = Path(__file__).parents[1] / "examples" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
