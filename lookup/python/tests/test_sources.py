"""Tables from paths, bytes and file objects, plain and packed, from memory and from a server."""

import array
import io
import os
import select
import signal
import subprocess
from pathlib import Path

import morpion
import pytest
from helpers import RangeFile, optional, serve

LOOKUP = Path(__file__).resolve().parents[2]
PLAIN = LOOKUP / "builtin" / "swap.morpion"
PACKED = LOOKUP / "tests" / "packed" / "swap.morpion.zst"
BOTH = pytest.mark.parametrize("file", [PLAIN, PACKED], ids=["plain", "packed"])
POSITIONS = ["X../.O./... x", "XX./OO./XO. x", ".../.../...", "XXX/OO./... o"]


def answers(table):
    return [(table.probe(p), table.moves(p), table.best(p), table.over(p)) for p in POSITIONS], table.probe_many(POSITIONS)


EXPECTED = answers(morpion.Table.builtin("swap"))


class Named:
    """A path by `__fspath__` alone."""

    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        return self.path


@BOTH
@pytest.mark.parametrize("mmap", [False, True])
def test_every_kind_of_path_is_opened(file, mmap, tmp_path):
    for path in (file, str(file), Named(str(file)), Named(os.fsencode(file))):
        table = morpion.Table.open(path, mmap=mmap)
        assert answers(table) == EXPECTED
        table.check_sums()
    odd = tmp_path / os.fsdecode(b"not utf-8 \xff")
    odd.write_bytes(file.read_bytes())
    assert answers(morpion.Table.open(odd, mmap=mmap)) == EXPECTED


@BOTH
def test_every_kind_of_memory_is_opened(file):
    data = file.read_bytes()
    for given in (data, bytearray(data), memoryview(data), array.array("B", data), memoryview(data + data)[: len(data)]):
        assert answers(morpion.Table.from_bytes(given)) == EXPECTED
        assert answers(morpion.Table.open(given)) == EXPECTED
    changing = bytearray(data)
    table = morpion.Table.from_bytes(changing)
    changing[:] = bytes(len(changing))
    assert answers(table) == EXPECTED


class SilentFile(io.BytesIO):
    """A valid file object whose `seek` returns None and whose `read` returns at most 100 bytes."""

    def seek(self, *place):
        super().seek(*place)

    def read(self, size):
        return super().read(min(size, 100))


@BOTH
@pytest.mark.parametrize("cache", [0, 1, 1 << 30])
def test_every_kind_of_file_object_is_opened(file, cache):
    data = file.read_bytes()
    with open(file, "rb") as opened, open(file, "rb", buffering=0) as raw:
        for given in (opened, raw, io.BytesIO(data), SilentFile(data)):
            table = morpion.Table.open(given, cache=cache)
            assert answers(table) == EXPECTED
            table.check_sums()
            table.close()
            assert not given.closed


@BOTH
def test_a_table_is_read_over_http_by_ranges(file):
    with serve({"/table": file.read_bytes()}) as server:
        table = morpion.Table.open(RangeFile(server.url + "/table"))
        assert answers(table) == EXPECTED
        table.check_sums()
        assert all(wanted or command == "HEAD" for command, _, wanted in server.requests)
        if file == PACKED:
            before = len(server.requests)
            assert answers(table) == EXPECTED
            assert len(server.requests) == before, "unpacked frames are kept"


@BOTH
def test_a_file_of_fsspec_is_opened(file):
    fsspec, _ = optional("fsspec"), optional("aiohttp")
    with serve({"/table": file.read_bytes()}) as server:
        with fsspec.open(server.url + "/table").open() as opened:
            assert answers(morpion.Table.open(opened)) == EXPECTED


class Broken(Exception):
    pass


@BOTH
def test_exceptions_of_a_file_object_are_raised_unchanged(file):
    class Breaking(io.BytesIO):
        cause = None

        def read(self, size):
            if self.cause:
                raise self.cause from KeyError("why")
            return super().read(size)

    given = Breaking(file.read_bytes())
    table = morpion.Table.open(given, cache=0)
    for cause in (Broken("gone"), KeyboardInterrupt(), OSError(5, "no disk")):
        given.cause = cause
        questions = (table.probe, table.moves, table.best, lambda p: table.probe_many([p]), lambda _: table.check_sums(), lambda _: morpion.Table.open(given))
        for ask in questions:
            with pytest.raises(type(cause)) as found:
                ask(POSITIONS[0])
            assert found.value is cause and isinstance(cause.__cause__, KeyError)
    given.cause = None
    assert answers(table) == EXPECTED
    given.close()
    with pytest.raises(ValueError, match="closed file"):
        table.probe(POSITIONS[0])


def test_a_server_that_fails_is_an_error_of_its_client():
    with serve({"/table": PACKED.read_bytes()}) as server:
        given = RangeFile(server.url + "/table")
        table = morpion.Table.open(given, cache=0)
        server.files.clear()
        with pytest.raises(OSError, match="404"):
            table.probe(POSITIONS[0])


@pytest.mark.parametrize(
    "read, error",
    [
        (lambda self, size: "text"[:size], TypeError),
        (lambda self, size: None, TypeError),
        (lambda self, size: b"", EOFError),
        (lambda self, size: bytes(size + 1), EOFError),
    ],
)
def test_wrong_results_of_a_file_object_are_errors(read, error):
    odd = type("Odd", (io.BytesIO,), {"read": read})(PLAIN.read_bytes())
    with pytest.raises(error, match="expected"):
        morpion.Table.open(odd)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@BOTH
def test_forked_processes_share_an_open_file_and_no_other_object(file):
    def of_children(table):
        """Answers of two forked processes that use a table at the same time."""
        children, go = [], os.pipe()
        for _ in range(2):
            reader, writer = os.pipe()
            if (child := os.fork()) == 0:
                try:
                    os.read(go[0], 1)
                    found = b"right" if all(answers(table) == EXPECTED for _ in range(200)) else b"wrong"
                except BaseException as error:
                    found = str(error).encode()
                os.write(writer, found)
                os._exit(0)
            os.close(writer)  # so that the parent reads to the end if the child dies
            children.append((child, reader))
        os.write(go[1], b"..")
        said = []
        for child, reader in children:
            if not select.select([reader], [], [], 120)[0]:
                os.kill(child, signal.SIGKILL)
            said.append(os.read(reader, 1000).decode())
            os.waitpid(child, 0)
        return said

    with open(file, "rb") as opened, open(file, "rb", buffering=0) as raw:
        for given in (opened, raw, io.BytesIO(file.read_bytes())):
            assert of_children(morpion.Table.open(given, cache=0)) == ["right"] * 2
        other = morpion.Table.open(SilentFile(file.read_bytes()), cache=0)
        assert all("opened in another process" in said for said in of_children(other))


def test_threads_share_a_file_object_without_waiting_for_each_other_for_ever(pytestconfig):
    # In another process, because a thread that waits forever keeps the interpreter's lock.
    script = f"""
import io, sys, time, morpion
from concurrent.futures import ThreadPoolExecutor
sys.setswitchinterval(1e-5)

class Slow(io.BytesIO):
    def read(self, size):
        time.sleep(0)           # lets another thread have the lock
        return super().read(size)

expected = morpion.Table.builtin("swap").probe("X../.O./... x")
for file in {[str(PLAIN), str(PACKED)]}:
    table = morpion.Table.open(Slow(open(file, "rb").read()), cache=0)
    def ask(index):
        assert table.probe("X../.O./... x") == expected
        assert table.probe_many(["X../.O./... x"] * 3) == [expected] * 3
        table.best("X../.O./... x")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(100)))

class Asking(io.BytesIO):
    table = None
    def read(self, size):
        if self.table:
            self.table.probe("X../.O./... x")
        return super().read(size)

for file in {[str(PLAIN), str(PACKED)]}:
    given = Asking(open(file, "rb").read())
    given.table = table = morpion.Table.open(given, cache=0)
    try:
        table.probe("X../.O./... x")
    except RuntimeError:
        pass
    else:
        raise AssertionError("it asked itself")
    given.table = None
    assert table.probe("X../.O./... x") == expected
"""
    subprocess.run([str(pytestconfig.python), "-c", script], check=True, timeout=120)


def test_a_closed_table_raises():
    file = io.BytesIO(PACKED.read_bytes())
    for table in (morpion.Table.builtin("swap"), morpion.Table.open(PLAIN, mmap=True), morpion.Table.open(file)):
        assert not table.closed
        with table as entered:
            assert entered is table and table.name == "swap"
        assert table.closed and repr(table) == "Table(closed)"
        table.close()
        questions = (
            lambda: table.probe(POSITIONS[0]), lambda: table.moves(POSITIONS[0]), lambda: table.best(POSITIONS[0]),
            lambda: table.over(POSITIONS[0]), lambda: table.after(POSITIONS[0], "b1"), lambda: table.probe_many([]),
            lambda: table.name, lambda: table.start, lambda: table.entries, table.check_sums, table.__enter__,
        )
        for ask in questions:
            with pytest.raises(morpion.TableError) as found:
                ask()
            assert found.value.kind == "closed"


def test_a_table_inside_the_package_is_unpacked_when_it_is_opened():
    for name in morpion.builtin_names():
        assert morpion._core.builtin(name).startswith(b"\x89MORPION"), name


def test_no_table_is_an_error(tmp_path):
    for path in ("no such table", tmp_path / "no such table", "swap"):
        with pytest.raises(FileNotFoundError) as found:
            morpion.Table.open(path)
        assert found.value.filename == str(path)
    with pytest.raises(OSError, match="not a regular file"):
        morpion.Table.open(tmp_path)
    with pytest.raises(morpion.TableError, match="use one of classic, misere") as found:
        morpion.Table.builtin("clasic")
    assert found.value.kind == "name"
    with pytest.raises(morpion.TableError, match="build it with `morpion build seven-mens-morris`, or add its folder to MORPION_TABLES"):
        morpion.open_game("seven-mens-morris")
    for nonsense in (3, None, object(), ["swap"]):
        with pytest.raises(TypeError, match="is not a table: use "):
            morpion.Table.open(nonsense)
        with pytest.raises(TypeError, match="is not a table: use "):
            morpion.Table.from_bytes(nonsense)
    with pytest.raises(TypeError):
        morpion.Table("swap")

    data = PLAIN.read_bytes()
    packed = PACKED.read_bytes()
    for changed, kind in (
        (b"", "magic"), (b"nothing", "magic"), (data[:-1], "length"), (data[:40] + b"\xff" + data[41:], "checksum"),
        (packed[:-1], "packed"), (packed[:20], "packed"),
    ):
        (tmp_path / "damaged").write_bytes(changed)
        for given in (changed, io.BytesIO(changed), tmp_path / "damaged"):
            with pytest.raises(morpion.TableError) as found:
                morpion.Table.open(given)
            assert found.value.kind == kind
            assert ("damaged" in str(found.value)) == isinstance(given, Path)
    for given in (data[:-1] + bytes([data[-1] ^ 1]), packed[:30] + bytes([packed[30] ^ 1]) + packed[31:]):
        with pytest.raises(morpion.TableError) as found:
            morpion.Table.open(given).check_sums()
        assert found.value.kind in ("checksum", "packed")
