"""Reports and plots of rows made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="the extra `experiments` is not installed")
pytest.importorskip("matplotlib", reason="the extra `experiments` is not installed")

from benchmarks.suites.command import write
from benchmarks.suites.configurations import APPROACHES
from benchmarks.suites.defaults import DEFAULTS
from benchmarks.suites.defaults_report import report as defaults_report
from benchmarks.suites.record import Record, load
from benchmarks.suites.selection import SELECTION
from benchmarks.suites.selection_report import report as selection_report
from suite_rows import record, row, rows

LOW, HIGH = (100, 102, 104, 106, 108), (110, 112, 114, 116, 118)


def defaults() -> Record:
    made = [*rows("m", "default", LOW), *rows("m", "mosa", HIGH), *rows("n", "default", HIGH), *rows("n", "mosa", LOW)]
    made += [*rows("o", "default", LOW), *rows("o", "mosa", HIGH[:2]), row("o", "mosa", 3, 0, ended="failed")]
    return record(made, "m n o p", ("default", "mosa"), 5)


def selection() -> Record:
    made = [
        one
        for algorithm in ("mosa", "whole-suite")
        for approach in APPROACHES
        for one in rows("m", f"{algorithm}/{approach}", HIGH if approach == "smart" else LOW)
    ]
    names = [f"{algorithm}/{approach}" for algorithm in ("mosa", "whole-suite") for approach in APPROACHES]
    return record(made, "m n", names, 5)


def lines(text: str, *words: str) -> list[str]:
    return [line for line in text.splitlines() if all(word in line for word in words)]


def test_defaults() -> None:
    text = defaults_report(defaults())
    assert "4 modules x 2 configurations x 5 seeds, 1,000 evaluations a run: 28 of 40 runs made" in text
    assert "Means over 2 modules (m, n), per cent." in text
    # 104 of 200 on one module, 114 of 200 on the other; half of them for 500 tests of 1,000, all for the last 400.
    assert lines(text, "| default | 54.5 | 35.4 |")
    assert lines(text, "| mosa | +0.0 (1), 1 / 1, 0.50 |", "| 1 : 1 of 10; 1.00 (1) |")
    assert lines(text, "| mosa | m | branch | +5.0 | 1.00 | large | 0.0079 |")
    assert lines(text, "| o |", "3 of 5 runs made, 1 without a result: mosa")
    assert lines(text, "| p |", "0 of 5 runs made: all configurations")


def test_selection() -> None:
    text = selection_report(selection())
    assert "## RQ1: whole-suite" in text
    assert text.index("## RQ1") < text.index("## RQ2: mosa")
    assert "## RQ3" not in text
    assert "Not asked for: dynamosa." in text
    averages = lines(text, "| branch | 1 | 57.0 | 52.0 | 52.0 | 52.0 |")
    assert len(averages) == 2
    assert lines(text, "| exception | 1 | 114.00 | 104.00 | 104.00 | 104.00 |")
    assert lines(text, "| tests | 1 | 11.0 | 10.0 | 10.0 | 10.0 |")
    assert "smart against all." in text
    assert lines(text, "| branch | +5.0 (1) | 1.00 | 1 / 0 / 0 |")
    assert lines(text, "| line | +0.0 (1) | 0.50 | 0 / 0 / 1 |")  # all against the criterion alone
    assert lines(text, "| branch |  | 1.00 (1.00) | 1.00 (1.00) |")
    assert lines(text, "| of one group | 14 | 1.00 |")
    assert lines(text, "| of two groups | 42 | 1.00 |")
    assert lines(text, "| mosa | tests | +1.0 (1) | 1.00 | 1 / 0 / 0 |")
    assert lines(text, "| n |", "0 of 5 runs made: all configurations")


def test_nothing_was_run() -> None:
    assert "No module has a whole cell" in defaults_report(record([], "m", ("default", "mosa"), 5))
    text = selection_report(record([], "m", ("mosa/smart",), 5))
    assert "No criterion was run alone" in text
    assert "Not run." in text


@pytest.mark.nightly
@pytest.mark.parametrize(("experiment", "made"), [(DEFAULTS, defaults()), (SELECTION, selection())])
def test_the_files_are_made_again_from_the_json_file_alone(tmp_path: Path, experiment: object, made: Record) -> None:
    assert experiment in (DEFAULTS, SELECTION)
    known = DEFAULTS if experiment is DEFAULTS else SELECTION
    write(known, made, tmp_path)
    again = tmp_path / "again" / f"suites-{known.name}.md"
    again.parent.mkdir()
    again.write_text("# What somebody wrote before\n\n## What it decides\n\nNothing.\n")
    write(known, load(tmp_path / f"suites-{known.name}.json"), again.parent)
    for suffix in (".json", ".svg"):
        name = f"suites-{known.name}{suffix}"
        assert (tmp_path / name).read_text() == (tmp_path / "again" / name).read_text()
    text = (tmp_path / again.name).read_text()
    assert again.read_text() == text.replace("Not written yet.", "Nothing.")
