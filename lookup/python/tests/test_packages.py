"""The published packages: wheel and source package, installed into empty environments, and the README."""

import doctest
import os
import pickle
import shutil
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

import morpion
import pytest
from helpers import optional, serve

PROJECT = Path(__file__).resolve().parents[1]
REPOSITORY = PROJECT.parents[1]
TABLES = REPOSITORY / "tables"


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def environment(folder, *wheels):
    """Installs wheels into an empty environment and returns its interpreter."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    run(python, "-m", "pip", "install", "--no-index", "--quiet", *wheels)
    return python


def test_larger_tables_are_those_of_the_repository(nowhere):
    for name in ("beginner4", "classic4", "quixo4", "swap5", "teeko"):
        with morpion.open_game(name) as table, morpion.Table.open(TABLES / f"{name}.morpion.zst") as file:
            table.check_sums()
            assert table.name == name and table.census == file.census
            assert table.probe(table.start) == pickle.loads(pickle.dumps(table)).probe(table.start)


def test_the_source_package_builds_and_installs(tmp_path):
    # What cargo has compiled for the wheel is used again: a source package is the same crates in another place.
    cargo = {**os.environ, "CARGO_TARGET_DIR": os.environ.get("CARGO_TARGET_DIR", str(PROJECT / "target"))}
    run(sys.executable, "-m", "maturin", "sdist", "--out", tmp_path, cwd=PROJECT)
    [source] = tmp_path.glob("*.tar.gz")
    with tarfile.open(source) as file:
        names = file.getnames()
        file.extractall(tmp_path, filter="data")
    unpacked = tmp_path / source.name.removesuffix(".tar.gz")
    assert any(name.endswith("CHANGELOG.md") for name in names) and any(name.endswith("README.md") for name in names)
    run(sys.executable, "-m", "maturin", "build", "--release", "--locked", "--compatibility", "linux" if sys.platform == "linux" else "pypi",
        "--interpreter", sys.executable, "--out", tmp_path / "wheels", cwd=unpacked, env=cargo)  # fmt: skip
    [wheel] = (tmp_path / "wheels").glob("*.whl")
    python = environment(tmp_path / "fresh", wheel)
    found = run(python, "-c", "import morpion; print(morpion.__version__, morpion.open_game('swap').best('XX./OO./XO. x'))", cwd=tmp_path)
    assert found == f"{morpion.__version__} ['a3-c1']\n" and morpion.__version__ in source.name


def test_the_metadata_is_whole(pytestconfig):
    from importlib.metadata import distribution

    about = distribution("morpion-lookup").metadata
    assert about["Version"] == morpion.__version__ and about["License-Expression"] == "MIT OR Apache-2.0"
    assert "Typing :: Typed" in about.get_all("Classifier") and about["Requires-Python"] == ">=3.11"
    assert "open_game" in about["Description"]
    [changelog] = [file for file in distribution("morpion-lookup").files if file.name == "CHANGELOG.md"]
    assert changelog.match("share/doc/morpion/CHANGELOG.md") and changelog.read_text() == (PROJECT / "CHANGELOG.md").read_text()


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """A machine without tables, except for those that a test copies into these folders."""
    (tmp_path / "tables").mkdir()
    for variable, folder in (("MORPION_TABLES", "listed"), ("XDG_DATA_HOME", "user"), ("XDG_DATA_DIRS", "system")):
        (tmp_path / folder / "morpion").mkdir(parents=True)
        monkeypatch.setenv(variable, str(tmp_path / folder))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("folder", ["listed", "tables", "user/morpion", "system/morpion"])
@pytest.mark.parametrize("ending", ["morpion", "morpion.zst"])
def test_a_game_is_found_in_every_folder(nowhere, folder, ending):
    # A damaged table, since the module contains a good one of the same name.
    file = nowhere / folder / f"swap.{ending}"
    file.write_bytes(b"nothing")
    with pytest.raises(morpion.TableError) as found:
        morpion.open_game("swap")
    assert f"{folder}/swap.{ending}" in str(found.value)
    source = PROJECT.parent / ("builtin" if ending == "morpion" else "tests/packed") / f"swap.{ending}"
    shutil.copy(source, file)
    with morpion.open_game("swap") as table:
        assert table.name == "swap" and table.best("XX./OO./XO. x") == ["a3-c1"]


def test_the_first_folder_wins_and_the_module_comes_last(nowhere):
    shutil.copy(PROJECT.parent / "builtin" / "swap.morpion", nowhere / "user" / "morpion")
    (nowhere / "listed" / "swap.morpion").write_bytes(b"nothing")
    with pytest.raises(morpion.TableError) as found:
        morpion.open_game("swap")
    assert found.value.kind in ("magic", "length") and str(nowhere / "listed") in str(found.value)
    (nowhere / "listed" / "swap.morpion").unlink()
    assert morpion.open_game("swap").name == "swap"
    shutil.copy(PROJECT.parent / "builtin" / "achi.morpion", nowhere / "listed" / "tapatan.morpion")
    with pytest.raises(morpion.TableError) as found:
        morpion.open_game("tapatan")
    assert found.value.kind == "other-rules"
    shutil.copy(TABLES / "swap5.morpion.zst", nowhere / "listed" / "teeko.morpion.zst")
    with pytest.raises(morpion.TableError) as found:
        morpion.open_game("teeko")
    assert found.value.kind == "other-rules"


def test_a_file_is_found_by_another_name_of_its_game(nowhere):
    (nowhere / "listed" / "classic.morpion").write_bytes(b"nothing")
    with pytest.raises(morpion.TableError):
        morpion.open_game("tic-tac-toe")


@pytest.mark.parametrize("name", ["chess", "", "../swap", "/etc/passwd", "x" * 5000, "a\0b"])
def test_the_error_for_a_missing_game_lists_the_known_names_and_the_searched_places(nowhere, name):
    (nowhere / "user" / "morpion" / "mine.morpion").touch()
    with pytest.raises(morpion.TableError) as found:
        morpion.open_game(name)
    text = str(found.value)
    assert found.value.kind == "name" and len(text) < 2000
    for expected in ("classic", "mine", "teeko", str(nowhere / "listed"), str(nowhere / "user"), f"`morpion build {name[:64]}`"):
        assert expected in text, (expected, text)


def test_the_examples_of_the_readme_print_what_it_says(pytestconfig, tmp_path, monkeypatch):
    """Runs every example of the README, with a local server."""
    for module in ("numpy", "pandas", "fsspec", "aiohttp"):
        optional(module)
    monkeypatch.chdir(tmp_path)
    packed = (TABLES / "teeko.morpion.zst").read_bytes()
    Path("teeko.morpion.zst").write_bytes(packed)
    text = (PROJECT / "README.md").read_text()
    assert text.count("```pycon") >= 7 and "```python" not in text
    with serve({"/teeko.morpion.zst": packed}) as server:
        text = text.replace("https://example.org", server.url)
        examples = doctest.DocTestParser().get_doctest(text, {}, "README.md", None, None)
        results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples)
    assert results.failed == 0 and results.attempted > 30


def test_the_first_example_runs_where_nothing_else_is(pytestconfig, tmp_path):
    text = (PROJECT / "README.md").read_text().split("```pycon\n")[1].split("```")[0]
    lines = [line.removeprefix(">>> ") for line in text.splitlines() if line.startswith(">>> ")]
    run(pytestconfig.python, "-c", "\n".join(lines), cwd=tmp_path)
