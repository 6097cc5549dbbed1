"""Solving and judging in this process."""

import json
import os
import signal
import threading
import time

import morpion
import pytest
from helpers import NINE, REPOSITORY

RULES = """
name = "mine"
[board]
rows = 3
columns = 4
[lines]
length = 3
"""


@pytest.mark.parametrize("name", [*NINE, "six-mens-morris", "quixo4"])
def test_a_solved_table_answers_as_the_shipped_one(name):
    solved, shipped = morpion.solve(name), morpion.Table.builtin(name)
    assert solved.entries == shipped.entries and solved.fingerprint == shipped.fingerprint and solved.census == shipped.census
    assert morpion.read_game(name) == shipped.game == solved.game


def test_a_rule_file_is_solved_by_text_and_by_path(tmp_path):
    (tmp_path / "mine.toml").write_text(RULES)
    reports = []
    table = morpion.solve(RULES, on_progress=lambda done, whole: reports.append((done, whole)))
    assert table.name == "mine" and table.value(table.start) == "win" and all(done <= whole for done, whole in reports)
    assert morpion.solve(tmp_path / "mine.toml").census == table.census


def test_faults_are_all_named_and_too_little_memory_is_refused():
    with pytest.raises(ValueError) as found:
        morpion.solve(RULES.replace("rows = 3", "rows = 0").replace("length = 3", "length = 0"))
    assert "board: 0 cells" in str(found.value) and "lines.length: 0" in str(found.value)
    with pytest.raises(MemoryError, match="morpion build"):
        morpion.solve("beginner5", memory=10_000_000)
    with pytest.raises(ValueError):
        morpion.solve("nonsense")


def test_a_game_is_judged():
    found = morpion.judge("tapatan", games=20)
    assert found == morpion.judge(morpion.Table.builtin("tapatan"), games=20) == morpion.judge((REPOSITORY / "tables/tapatan.toml").read_text(), games=20)
    assert found["game"] == "tapatan" and found["games"] == 20 and found["verdict"] and json.dumps(found)
    assert found["value"] == "win" and found["plies"] == 9


def test_an_interrupt_and_an_exception_of_the_observer_end_the_work():
    def fail(done, whole):
        raise KeyError("enough")

    with pytest.raises(KeyError):
        morpion.solve("beginner5", on_progress=fail)
    # Tests that a shell runs in the background inherit that the signal is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    stop = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    stop.start()
    with pytest.raises(KeyboardInterrupt):
        morpion.solve("beginner5")
        time.sleep(60)
    # The process is as good as new.
    assert morpion.solve("classic").entries == morpion.Table.builtin("classic").entries
