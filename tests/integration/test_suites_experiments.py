"""The experiments on suites from modules to reports, with real engines on a small module."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))
EXTRA = ("scipy", "matplotlib")
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not all(map(find_spec, EXTRA)), reason="the extra `experiments` is not installed"),
]

SOURCE = '''\
"""Postage."""


def price(grams: int) -> float:
    """In euros."""
    if grams <= 0:
        raise ValueError("no such parcel")
    if grams == 4711:
        return 0.0
    return 1.5 if grams < 50 else 4.2


def label(name: str) -> str:
    """For the parcel."""
    return name.strip() or "nobody"
'''


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "postage.py").write_text(SOURCE)
    options = ["--results", str(tmp_path / "rows.sqlite"), "--output", str(tmp_path / "out"), "--path", str(tmp_path / "app")]
    return [*options, "--modules", "postage,no_such_module", "--seeds", "1", "--evaluations", "250", "--commit", "this"]


def runs(tmp_path: Path, name: str) -> dict[tuple[str, str], dict[str, object]]:
    found = json.loads((tmp_path / "out" / f"suites-{name}.json").read_text())
    rows = [dict(zip(found["fields"], values, strict=True)) for values in found["runs"]]
    return {(row["module"], row["configuration"]): row for row in rows}


def test_suites_are_measured_on_all_criteria(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks.suites import selection  # seconds, in each worker that collects this file

    options = [*arguments, "--algorithms", "mosa", "--configurations", "smart,method"]
    assert selection.main(options) == 0
    made = runs(tmp_path, "selection")
    whole, alone = (json.loads(str(made["postage", name]["coverage"])) for name in ("mosa/smart", "mosa/method"))
    assert len(whole) == len(alone) == 8
    assert whole["method"] == alone["method"] == [2, 2]
    assert whole["branch"][0] > alone["branch"][0]  # a suite for methods has no test for branches alone
    assert int(str(made["postage", "mosa/method"]["tests"])) <= 2
    assert {made["no_such_module", name]["ended"] for name in ("mosa/smart", "mosa/method")} == {"failed"}
    report = (tmp_path / "out" / "suites-selection.md").read_text()
    assert "| no_such_module | 1 of 1 runs made, 1 without a result: all configurations |" in report
    capsys.readouterr()
    assert selection.main(options) == 0
    assert "0 runs to go" in capsys.readouterr().out
    assert runs(tmp_path, "selection") == made


def test_the_course_of_a_search_repeats(arguments: list[str], tmp_path: Path) -> None:
    from benchmarks.suites import defaults

    options = [*arguments, "--modules", "postage", "--configurations", "default", "--hours", "0.1"]
    assert defaults.main(options) == 0
    made = runs(tmp_path, "defaults")["postage", "default"]
    curve = json.loads(str(made["curve"]))
    assert made["ended"] == "budget"
    assert curve == sorted(curve)
    assert curve[-1][1] == json.loads(str(made["coverage"]))["branch"][0] > 0
    (tmp_path / "rows.sqlite").unlink()
    assert defaults.main(options) == 0
    again = runs(tmp_path, "defaults")["postage", "default"]
    assert [again[name] for name in ("curve", "coverage", "tests")] == [made[name] for name in ("curve", "coverage", "tests")]
