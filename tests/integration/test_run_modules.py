"""Crashes that begin in a module that is run as a program: the command line of the report, what the program keeps for its user, and
files that the line names."""

from __future__ import annotations

from pathlib import Path

import pytest
from patience import HANG
from warm_program import run_program

EVALUATIONS = 1500
MAIN = """
import sys

from clockings.commands import main

if __name__ == "__main__":
    sys.exit(main())
"""
COMMANDS = """
import argparse
import json
import os


def place():
    return os.path.join(os.path.expanduser("~"), ".clockings.json")


def main():
    parser = argparse.ArgumentParser(prog="clockings")
    commands = parser.add_subparsers(dest="command", required=True)
    start = commands.add_parser("start")
    start.add_argument("project")
    total = commands.add_parser("total")
    total.add_argument("--all", action="store_true")
    options = parser.parse_args()
    if options.command == "start":
        return keep(options.project)
    return show(options.all)


def keep(project):
    rows = read() if os.path.exists(place()) else []
    with open(place(), "w") as stream:
        json.dump([*rows, [project, len(project), 0]], stream)


def read():
    with open(place()) as stream:
        return json.load(stream)


def show(everything):
    rows = [row for row in read() if everything or row[2]]
    print(sum(row[1] for row in rows))
"""
TALLY = """
import csv
import sys


def tally(path, column):
    with open(path, newline="") as stream:
        total = 0
        for row in csv.DictReader(stream):
            total += int(row[column])
    return total


print(tally(sys.argv[1], sys.argv[2]))
"""


def reproduced(folder: Path, told: str, frames: list[tuple[str, str, str]], error: str, *more: str) -> str:
    """The test of a report whose frames are in these files: the file, the function, its line."""
    shown = ""
    for name, function, line in frames:
        number = 1 + [one.strip() for one in (folder / name).read_text().splitlines()].index(line)
        shown += f'  File "/srv/{name}", line {number}, in {function}\n    {line}\n'
    (folder / "crash.txt").write_text(f"{told}\nTraceback (most recent call last):\n{shown}{error}\n")
    done = run_program(["reproduce", "crash.txt", "--evaluations", str(EVALUATIONS), "--seed", "1", *more], folder, HANG)
    assert done.returncode == 0, done.stdout + done.stderr
    (test,) = folder.glob("test_*.py")
    return test.read_text()


def test_a_module_that_is_run_gets_the_command_line_and_what_it_keeps(tmp_path: Path) -> None:
    package = tmp_path / "clockings"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text(MAIN.lstrip())
    (package / "commands.py").write_text(COMMANDS.lstrip())
    frames = [
        ("clockings/__main__.py", "<module>", "sys.exit(main())"),
        ("clockings/commands.py", "main", "return show(options.all)"),
        ("clockings/commands.py", "show", "print(sum(row[1] for row in rows))"),
    ]
    error = "TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'"
    text = reproduced(tmp_path, "$ python -m clockings total --all", frames, error, "--target-frame", "3")
    assert '["clockings", "total", "--all"]' in text
    assert 'Path("~/.clockings.json").expanduser().write_text(' in text
    assert "null" in text
    assert "with contextlib.suppress(SystemExit):" in text, "with the fix the program ends, and so would the test"
    assert 'runpy.run_module("clockings.__main__", run_name="__main__")' in text


@pytest.mark.nightly
def test_a_module_that_runs_when_it_is_imported_gets_the_file_that_the_line_names(tmp_path: Path) -> None:
    (tmp_path / "tally.py").write_text(TALLY.lstrip())
    frames = [
        ("tally.py", "<module>", "print(tally(sys.argv[1], sys.argv[2]))"),
        ("tally.py", "tally", "total += int(row[column])"),
    ]
    text = reproduced(tmp_path, "$ python tally.py sales.csv amount", frames, "KeyError: 'amount'")
    assert '"sales.csv", "amount"' in text
    assert 'Path("sales.csv").write_text(' in text
    assert "import tally" in text
