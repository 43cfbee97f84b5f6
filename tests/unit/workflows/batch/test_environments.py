"""Which interpreter is taken for which crash, and tables that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from crashwright.core.errors import UsageError
from crashwright.crash.readers.registry import read_reports
from crashwright.workflows.batch.environments import environment_for, environments
from crashwright.workflows.batch.ledger import ReportedCrash

TRACEBACK = """Traceback (most recent call last):
  File "/srv/app.py", line 3, in main
    go()
  File "/venv/lib/python3.11/site-packages/outer/api.py", line 3, in go
    inner.go()
  File "C:\\\\venv\\\\site-packages\\\\inner\\\\__init__.py", line 8, in go
    return items[4]
IndexError: list index out of range
"""
CRASH = ReportedCrash("f00d", "", read_reports(TRACEBACK)[0], "", "logs/app.log", "3", "")


def chosen(*known: str, table: Path | None = None) -> str | None:
    found = environment_for(CRASH, environments(known, None if table is None else str(table)))
    return found and found.python


def test_the_package_nearest_to_the_crash_decides() -> None:
    assert chosen("outer=a", "inner=b", "app=c") == "b"
    assert chosen("outer=a", "app=c") == "a"
    assert chosen("app=c") == "c"
    assert chosen("another=c") is None


@pytest.mark.parametrize(
    "row", ['report = "logs/*.log"', 'report = "logs/app.log#3"', 'report = "f00d"', 'report = "*"\npackage = "inner"']
)
def test_a_row_of_a_table_may_name_reports(tmp_path: Path, row: str) -> None:
    table = tmp_path / "table.toml"
    table.write_text(f'[[environment]]\nreport = "other"\npython = "no"\n[[environment]]\n{row}\npython = "envs/a/bin/python"\n')
    assert chosen(table=table) == str(tmp_path / "envs/a/bin/python")


def test_a_table_of_columns(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("package,python,path\nother,python3.12,\ninner,python3.13,src\n")
    assert chosen(table=table) == "python3.13"
    [_, inner] = environments((), str(table))
    assert inner.path == (str(tmp_path / "src"),)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.toml", "[[environment]]\npython = 3\npackage = 'x'\n"),
        ("a.toml", "[[environment]]\npackage = 'x'\n"),
        ("a.toml", "[[environment]]\npython = 'x'\n"),
        ("a.toml", "[[environment]]\npython = 'x'\npackage = 'y'\nspeed = 'z'\n"),
        ("a.toml", "[environments]\nx = 'y'\n"),
        ("a.toml", "environment = 3\n"),
        ("a.toml", "not toml"),
        ("a.csv", "package,python\nx,\n"),
        ("a.csv", "package,python\nx,y,z\n"),
        ("missing.csv", ""),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(tmp_path: Path, name: str, text: str) -> None:
    if text:
        (tmp_path / name).write_text(text)
    with pytest.raises(UsageError, match=name.partition(".")[0]):
        environments((), str(tmp_path / name))


@pytest.mark.parametrize("given", ["x", "=y", "x="])
def test_half_of_an_option_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match="no interpreter for a package"):
        environments((given,), None)
