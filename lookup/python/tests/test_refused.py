"""Files that every reader must refuse, with the same error in every language: lookup/conformance/refused."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import morpion
import pytest
from helpers import CONFORMANCE

FILES = list(csv.DictReader((CONFORMANCE / "refused.csv").open()))


def from_file_object(path):
    with path.open("rb") as file, morpion.Table.open(file) as table:
        table.check_sums()


def from_path(path):
    morpion.Table.open(path).check_sums()


def from_mapped_path(path):
    morpion.Table.open(path, mmap=True).check_sums()


def from_bytes(path):
    morpion.Table.from_bytes(path.read_bytes()).check_sums()


@pytest.mark.parametrize("refused", [from_path, from_mapped_path, from_bytes, from_file_object])
def test_no_refused_file_opens(refused):
    found = {}
    for row in FILES:
        try:
            refused(CONFORMANCE / "refused" / row["file"])
            found[row["file"]] = "opened"
        except morpion.TableError as error:
            found[row["file"]] = error.kind
    assert found == {row["file"]: row["error"] for row in FILES} and len(found) > 100


def verdict(work):
    try:
        return work(), "opened"
    except morpion.TableError as error:
        return None, error.kind


@pytest.mark.skipif("MORPION_CHANGED_HEADERS" not in os.environ, reason="the module `languages` of the tests from outside writes the files")
def test_changed_headers_have_the_verdicts_of_all_readers():
    folder = Path(os.environ["MORPION_CHANGED_HEADERS"])
    expected = list(csv.reader((folder / "verdicts.csv").open()))
    found = []
    for name, *_ in expected:
        table, opened = verdict(lambda: morpion.Table.open(folder / name))
        found.append([name, opened, verdict(lambda: table.census)[1] if table else ""])
    assert found == expected and len(found) > 800


# Opens all files of a folder as file objects in a process of its own, and prints how much memory that took at most, in bytes.
OPEN_ALL = """
import morpion, re, sys
from pathlib import Path

count = 0
for path in Path(sys.argv[1]).iterdir():
    with path.open("rb") as file:
        try:
            morpion.Table.open(file)
        except (morpion.TableError, OSError, EOFError):
            count += 1
print(count, int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1]) << 10)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.skipif("MORPION_HOSTILE_TABLES" not in os.environ, reason="the module `languages` of the tests from outside writes the files")
def test_no_hostile_seek_table_takes_much_memory(pytestconfig):
    folder = Path(os.environ["MORPION_HOSTILE_TABLES"])
    done = subprocess.run([pytestconfig.python, "-c", OPEN_ALL, folder], capture_output=True, text=True, check=True)
    count, peak = map(int, done.stdout.split())
    assert count == len(list(folder.iterdir())) == 200 and peak < int(os.environ["MORPION_MOST_MEMORY"])
