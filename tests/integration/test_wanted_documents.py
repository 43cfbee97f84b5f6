"""Programs that read a configuration which nobody handed in: the test has one, of what the code asks of it, with the odd value."""

from __future__ import annotations

from pathlib import Path

import pytest
from patience import HANG
from warm_program import run_program

EVALUATIONS = 2000
TOML = """
import argparse
import pathlib
import tomllib


def main():
    parser = argparse.ArgumentParser(prog="shelves")
    parser.add_argument("name")
    given = parser.parse_args()
    path = pathlib.Path("pyproject.toml")
    settings = tomllib.loads(path.read_text())["tool"].get("shelves", {}) if path.is_file() else {}
    return is_hidden(given.name, settings.get("hidden", ""))


def is_hidden(name, names):
    return name in names.split(",")
"""
INI = """
import argparse
import configparser
import os


def main():
    parser = argparse.ArgumentParser(prog="shelves")
    parser.add_argument("name")
    given = parser.parse_args()
    kept = configparser.ConfigParser()
    kept.read([".shelvesrc", os.path.expanduser("~/.shelvesrc")])
    return width_of(kept) * len(given.name)


def width_of(kept):
    if not kept.has_section("shelves"):
        return 1
    return int(kept.get("shelves", "width", fallback="1"))
"""
CRASHES = {
    "toml": (
        TOML,
        "    return is_hidden(",
        "    return name in",
        "is_hidden",
        "AttributeError: 'int' object has no attribute 'split'",
        'Path("pyproject.toml").write_text(',
    ),
    "ini": (
        INI,
        "    return width_of(",
        "    return int(",
        "width_of",
        "ValueError: invalid literal for int() with base 10: 'wide'",
        'Path(".shelvesrc").write_text(',
    ),
}


@pytest.mark.parametrize("kind", CRASHES)
def test_the_configuration_that_the_program_looks_for_is_made(kind: str, tmp_path: Path) -> None:
    source, call, crash, function, error, expected = CRASHES[kind]
    (tmp_path / "shelves.py").write_text(source.lstrip())
    lines = source.lstrip().splitlines()
    frames = ""
    for name, begun in (("main", call), (function, crash)):
        number = next(number for number, line in enumerate(lines, 1) if line.startswith(begun))
        frames += f'  File "/srv/shelves.py", line {number}, in {name}\n    {lines[number - 1].strip()}\n'
    (tmp_path / "crash.txt").write_text(f"$ shelves north\nTraceback (most recent call last):\n{frames}{error}\n")
    done = run_program(["reproduce", "crash.txt", "--evaluations", str(EVALUATIONS), "--seed", "1"], tmp_path, HANG)
    assert done.returncode == 0, done.stdout + done.stderr
    (test,) = tmp_path.glob("test_*.py")
    assert expected in test.read_text()
