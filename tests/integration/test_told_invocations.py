"""Small applications of real frameworks, whose reports say how they were run: the test does the same. Chance would hardly find the
words, and the evaluations leave it no time."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import HANG
from warm_program import run_program

EVALUATIONS = 600
LOOKED_FOR = 700
"""What a program looks for itself is asked before the files of its command line are made."""
HOSTED = {
    "flask": (
        """
        from flask import Flask

        app = Flask(__name__)
        SHELVES = {"north-wing": {"ink": 3}, "south-wing": {}}


        @app.get("/shelves/<name>/average")
        def average(name):
            shelf = SHELVES[name]
            total = sum(shelf.values())
            return {"average": total / len(shelf)}
        """,
        "[2026-11-23 19:46:50,847] ERROR in app: Exception on /shelves/south-wing/average [GET]",
        ('return {"average": total / len(shelf)}', "average", "ZeroDivisionError: division by zero"),
        '.get("/shelves/south-wing/average")',
    ),
    "fastapi": (
        """
        from fastapi import FastAPI

        app = FastAPI()
        RATES = {"CHF": 1.0, "EUR": 0.94}


        @app.get("/convert/{amount}")
        def convert(amount: float, to: str):
            return {"amount": amount * RATES[to]}
        """,
        'INFO:     127.0.0.1:59742 - "GET /convert/12.5?to=GBP HTTP/1.1" 500 Internal Server Error',
        ('return {"amount": amount * RATES[to]}', "convert", "KeyError: 'GBP'"),
        'get("/convert/12.5?to=GBP")',
    ),
    "click": (
        """
        import click


        @click.group()
        def cli():
            pass


        @cli.command()
        @click.argument("plate")
        @click.option("--since", type=click.DateTime())
        def journal(plate, since):
            canton, number = plate.split("-")
            click.echo(f"{canton} {number} {since:%d.%m.%Y}")
        """,
        "$ python -m depot journal ZH-31-7 --since 2026-02-01",
        ('canton, number = plate.split("-")', "journal", "ValueError: too many values to unpack (expected 2)"),
        'cli(["journal", "ZH-31-7"',
    ),
    "typer": (
        """
        from typing import Annotated

        import typer

        program = typer.Typer()


        @program.command()
        def start(project: str):
            typer.echo(project)


        @program.command()
        def week(number: Annotated[int, typer.Argument(min=1, max=53)], year: int = 2026):
            names = ["week"] * 53
            typer.echo(f"{year} {names[number]}")
        """,
        "",
        ('typer.echo(f"{year} {names[number]}")', "week", "IndexError: list index out of range"),
        'program(["week", "53"]',
    ),
    "argparse": (
        """
        import argparse


        def main():
            parser = argparse.ArgumentParser()
            parser.add_argument("plate")
            parser.add_argument("--since")
            line = parser.parse_args()
            canton, number = line.plate.split("-")
            print(canton, number, line.since)
        """,
        "ada@x1:~/depot$ python -m depot ZH-31-7 --since 2026-02-01",
        ('canton, number = line.plate.split("-")', "main", "ValueError: too many values to unpack (expected 2)"),
        '"ZH-31-7"',
    ),
}


@pytest.fixture
def reproduced(tmp_path: Path) -> Callable[[str], str]:
    """What the test of a case says."""

    def run(name: str) -> str:
        source, told, (line, function, message), _ = HOSTED[name]
        text = textwrap.dedent(source).strip() + "\n"
        (tmp_path / "depot.py").write_text(text)
        number = next(number for number, one in enumerate(text.splitlines(), 1) if one.strip() == line)
        frame = f'  File "/srv/depot/depot.py", line {number}, in {function}\n    {line}\n'
        (tmp_path / "crash.txt").write_text(f"{told}\nTraceback (most recent call last):\n{frame}{message}\n")
        done = run_program(["reproduce", "crash.txt", "--evaluations", str(EVALUATIONS), "--seed", "1"], tmp_path, HANG)
        assert done.returncode == 0, done.stdout + done.stderr
        (test,) = tmp_path.glob("test_*.py")
        return test.read_text()

    return run


LEDGER = """
import argparse
import csv
import sys


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--account")
    options = parser.parse_args()
    with open(options.file, newline="") as stream:
        rows = list(csv.DictReader(stream))
    print(balance(rows, options.account))


def balance(rows, account):
    return sum(float(row[account]) for row in rows)
"""


@pytest.mark.parametrize("parameter", ["", pytest.param("argv=sys.argv[1:]", marks=pytest.mark.nightly)])
def test_a_file_that_the_command_line_names_is_one_of_its_kind(parameter: str, tmp_path: Path) -> None:
    source = LEDGER.lstrip().replace("def main()", f"def main({parameter})")
    source = source.replace("parse_args()", f"parse_args({parameter.partition('=')[0]})")
    (tmp_path / "ledger.py").write_text(source)
    lines = source.splitlines()
    frames = ""
    for function, line in (("main", lines[12]), ("balance", lines[16]), ("<genexpr>", lines[16])):
        frames += f'  File "/srv/ledger.py", line {lines.index(line) + 1}, in {function}\n    {line.strip()}\n'
    told = f"$ ledger march.csv --account petty\nTraceback (most recent call last):\n{frames}KeyError: 'petty'\n"
    (tmp_path / "crash.txt").write_text(told)
    done = run_program(["reproduce", "crash.txt", "--evaluations", str(EVALUATIONS), "--seed", "1"], tmp_path, HANG)
    assert done.returncode == 0, done.stdout + done.stderr
    (test,) = tmp_path.glob("test_*.py")
    text = test.read_text()
    assert '"march.csv", "--account", "petty"' in text
    assert 'Path("march.csv").write_text(' in text


LOANS = """
import csv

import click


@click.command()
@click.argument("loans", type=click.Path(exists=True))
@click.argument("rates", type=click.Path(exists=True))
@click.option("--by")
def cli(loans, rates, by):
    known = keyed(loans, by)
    for key, rate in keyed(rates, by).items():
        click.echo(f"{key}: {known.get(key)} at {rate}")


def keyed(path, by):
    with open(path, newline="") as stream:
        return {row[by]: row for row in csv.DictReader(stream)}
"""


def test_files_that_a_program_looks_for_before_it_reads_any_are_all_there(tmp_path: Path) -> None:
    source = LOANS.lstrip()
    (tmp_path / "loans.py").write_text(source)
    lines = source.splitlines()
    frames = ""
    for function, text in (
        ("cli", "    for key, rate in keyed("),
        ("keyed", "        return {row"),
        ("<dictcomp>", "        return {row"),
    ):
        number = next(number for number, line in enumerate(lines, 1) if line.startswith(text))
        frames += f'  File "/srv/loans.py", line {number}, in {function}\n    {lines[number - 1].strip()}\n'
    told = f"$ loans first.csv rates.csv --by account\nTraceback (most recent call last):\n{frames}KeyError: 'account'\n"
    (tmp_path / "crash.txt").write_text(told)
    done = run_program(["reproduce", "crash.txt", "--evaluations", str(LOOKED_FOR), "--seed", "1"], tmp_path, HANG)
    assert done.returncode == 0, done.stdout + done.stderr
    (test,) = tmp_path.glob("test_*.py")
    text = test.read_text()
    assert 'cli(["first.csv", "rates.csv", "--by", "account"]' in text
    assert 'Path("rates.csv").write_text(' in text


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.nightly] if name == "typer" else []) for name in HOSTED])
def test_the_program_is_run_as_its_user_did(name: str, reproduced: Callable[[str], str]) -> None:
    assert HOSTED[name][3] in reproduced(name)
