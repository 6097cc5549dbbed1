"""Data sets and tensors: every row and every entry against the table."""

import json
import subprocess
import sys

import morpion
import pytest
from helpers import REPOSITORY, conformance_table, example, optional

GAMES = ["classic", "tapatan", "mill", "disappearing", "disappearing-line-first", "quixo3", "swap-wdl"]


def read(folder, split):
    optional("pyarrow")
    import pyarrow.parquet

    return pyarrow.parquet.read_table(sorted(folder.glob(f"data/{split}-*.parquet"))).to_pylist()


@pytest.mark.parametrize("name", ["achi", "mill", "disappearing"])
def test_each_row_of_a_data_set_has_the_answers_of_the_table(name, tmp_path):
    optional("pyarrow")
    table = conformance_table(name)
    written = morpion.dataset(table, tmp_path / "set", rows=2000)
    rows = {split: read(written.folder, split) for split in ("train", "test")}
    assert written.rows == {split: len(found) for split, found in rows.items()}
    actions = json.loads((written.folder / "actions.json").read_text())
    texts = [row["position"] for found in rows.values() for row in found]
    assert sorted(texts) == sorted(map(str, table.game.positions())) and actions == table.game.actions
    # Symmetric positions are never in both.
    firsts = {split: [table.game.position(row["position"]).orbit()[0] for row in found[::7]] for split, found in rows.items()}
    first = {split: {(position.mover, position.waiter) for position in found} for split, found in firsts.items()}
    assert not first["train"] & first["test"] and 0.05 < len(rows["test"]) / len(texts) < 0.2
    for row in rows["train"][::101] + rows["test"][::101]:
        position = table.game.position(row["position"])
        [arrays] = table.training_arrays([position])
        assert (row["board"], row.get("hands")) == (arrays.boards.tolist()[0], arrays.hands and arrays.hands.tolist()[0])
        assert row.get("ages") == (arrays.ages and arrays.ages.tolist()[0])
        assert ({1: "win", 0: "draw", -1: "loss"}[row["value"]], row["draw"]) == table.probe(position)[::2]
        assert row["plies"] == (-1 if (plies := table.plies(position)) is None else plies) and row["orbit"] == len(position.orbit())
        named = [{move for at, move in enumerate(actions) if row[bits][at // 8] >> at % 8 & 1} for bits in ("legal", "best")]
        assert named == [{*position.legal_moves}, {*table.best(position)}]


def test_a_data_set_has_the_layout_of_public_ones(tmp_path):
    optional("pyarrow")
    table = morpion.Table.builtin("achi")
    written = morpion.dataset(table, tmp_path / "set", rows=2000)
    files = sorted(path.name for path in (tmp_path / "set" / "data").iterdir())
    assert files == ["test-00000-of-00001.parquet"] + [f"train-{number:05}-of-00003.parquet" for number in range(3)]
    card = (tmp_path / "set" / "README.md").read_text()
    assert card.startswith("---\nlicense:") and table.fingerprint in card and "`hands`" not in card
    assert written.bytes == sum(path.stat().st_size for path in (tmp_path / "set").rglob("*") if path.is_file())
    with pytest.raises(morpion.MorpionError, match="is not empty"):
        morpion.dataset("achi", tmp_path / "set")


@pytest.mark.parametrize("name", GAMES)
def test_all_positions_of_a_table_are_written(name, tmp_path):
    optional("pyarrow")
    table = conformance_table(name)
    written = morpion.dataset(table, tmp_path / "set", reached=False)
    census = sum(count for value, count in zip(table.census["value"], table.census["count"]) if value != "invalid")
    texts = {row["position"] for split in ("train", "test") for row in read(written.folder, split)}
    # Layers that have ended have positions, but no entries.
    has_ended = any(not rows for *_, rows, _ in table._layers())
    assert len(texts) == sum(written.rows.values()) and (len(texts) > census if has_ended else len(texts) == census)
    assert {str(position)[: table.cells] for position in table.game.positions()} <= {text[: table.cells] for text in texts}


def test_the_command_writes_both_and_the_examples_read_them(pytestconfig, tmp_path):
    optional("pyarrow")
    command = [str(pytestconfig.python), "-m", "morpion"]
    without = subprocess.run([*command, "tensors", "swap", "swap.npz"], cwd=tmp_path, capture_output=True, text=True)
    assert without.returncode == 2 and "numpy" in without.stderr, "a fresh environment has none"
    command[0] = sys.executable
    found = {"PYTHONPATH": str(pytestconfig.installed), "PATH": "/bin:/usr/bin"}
    run = lambda *line: subprocess.run([*map(str, line)], cwd=tmp_path, env=found, check=True, capture_output=True, text=True).stdout
    assert "65896 train, 7554 test rows" in run(*command, "dataset", "disappearing", "set")
    run(*command, "tensors", "swap", "swap.npz")
    examples = REPOSITORY / "lookup" / "python" / "examples"
    assert run(sys.executable, examples / "probe_tensors.py", "swap.npz") == "value 0, plies -1\n"
    right, most = (float(part.split("%")[0].split()[-1]) for part in run(sys.executable, examples / "train_from_dataset.py", "set").split("of 7554"))
    assert right > most + 8, (right, most)


def test_the_example_gives_both_splits_the_same_columns(tmp_path):
    optional("numpy"), optional("pyarrow")
    import pyarrow.parquet

    morpion.dataset(conformance_table("mill"), tmp_path)
    (split,) = tmp_path.glob("data/test-*.parquet")
    pyarrow.parquet.write_table(pyarrow.parquet.read_table(split).slice(0, 1), split)
    load, numbers = example("train_from_dataset").load, {}
    columns = [load(tmp_path, name, numbers)[0].shape[1] for name in ("train", "test")]
    assert columns == [3 * 9 + 2 * 5] * 2, "a row has few numbers of pieces in hand"


def differences(table, limit):
    """The number of positions, up to `limit`, and whether the example finds their scores by the tensors alone."""
    numpy, probe = optional("numpy"), example("probe_tensors").probe
    tensors, count = table.tensors(), 0
    for arrays in table.training_arrays():
        planes = (None if plane is None else numpy.asarray(plane) for plane in (arrays.boards, arrays.hands, arrays.ages))
        for found, expected in zip(probe(tensors, *planes), (arrays.values, arrays.plies, arrays.draws)):
            assert (found == numpy.asarray(expected)).all()
        count += len(arrays)
        if count >= limit:
            break
    return count


@pytest.mark.parametrize("name", GAMES)
def test_tensors_are_probed_by_gathers(name):
    assert differences(conformance_table(name), 200_000) > 1000


def test_tensors_are_probed_by_gathers_a_million_times():
    assert differences(morpion.Table.builtin("six-mens-morris"), 1_000_000) >= 1_000_000
    source = (REPOSITORY / "lookup" / "python" / "examples" / "probe_tensors.py").read_text()
    assert sum(bool(line.strip()) for line in source.splitlines()) <= 60
