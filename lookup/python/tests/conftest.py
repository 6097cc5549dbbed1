"""Builds the wheel and installs it into a fresh environment; the tests import it from there."""

import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]


def run(*command):
    done = subprocess.run([str(part) for part in command], cwd=PROJECT, capture_output=True, text=True)
    if done.returncode:
        pytest.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}", returncode=2)


def pytest_configure(config):
    folder = tempfile.TemporaryDirectory(prefix="morpion-")
    config.add_cleanup(folder.cleanup)
    root = Path(folder.name)
    run(sys.executable, "-m", "maturin", "build", "--release", "--locked", "--compatibility", "linux" if sys.platform == "linux" else "pypi",
        "--interpreter", sys.executable, "--out", root / "wheels")
    [wheel] = (root / "wheels").glob("*.whl")
    venv.create(root / "fresh", with_pip=True)
    python = root / "fresh" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    run(python, "-m", "pip", "install", "--no-index", "--quiet", wheel)
    installed = sysconfig.get_path("platlib", "venv", {"base": str(root / "fresh"), "platbase": str(root / "fresh")})
    sys.path.insert(0, installed)
    config.wheel, config.python, config.installed = wheel, python, Path(installed)
