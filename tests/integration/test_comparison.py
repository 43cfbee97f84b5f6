"""The comparison from pack to report, with real engines on a small crash."""

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

SOURCE = """\
def weigh(parcels):
    total = 0
    for parcel in parcels:
        total += price(len(parcel))
    return total


def price(letters):
    if letters > 2:
        return {3: 1.5}[letters]
    return 1
"""
TRACEBACK = """\
Traceback (most recent call last):
  File "/srv/run.py", line 3, in <module>
    weigh(read())
  File "{file}", line 4, in weigh
    total += price(len(parcel))
             ^^^^^^^^^^^^^^^^^^
  File "{file}", line 10, in price
    return {{3: 1.5}}[letters]
           ~~~~~~~~^^^^^^^^^
KeyError: 4
"""


def main(arguments: list[str]) -> int:
    """Imported by the tests alone: it takes seconds, in each worker that collects this file."""
    from benchmarks.comparison.__main__ import main as comparison

    return comparison(arguments)


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    crash, bin_folder = tmp_path / "pack" / "postage", tmp_path / "venvs" / "postage" / "bin"
    for folder in (crash, bin_folder, tmp_path / "app"):
        folder.mkdir(parents=True)
    (tmp_path / "app" / "postage.py").write_text(SOURCE)
    (crash / "traceback.txt").write_text(TRACEBACK.format(file=tmp_path / "app" / "postage.py"))
    # Not a link: an interpreter that is called by another path may not find its library.
    (bin_folder / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (bin_folder / "python").chmod(0o755)
    options = ["--pack", str(tmp_path / "pack"), "--venvs", str(tmp_path / "venvs"), "--results", str(tmp_path / "rows.sqlite")]
    options += ["--output", str(tmp_path / "out"), "--configurations", "ordered+bbc,random", "--screen", "ordered+bbc,random"]
    return [*options, "--seeds", "2", "--evaluations", "1000", "--jobs", "2", "--commit", "this"]


def test_comparison_of_one_crash(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    said = capsys.readouterr().out
    document = json.loads((tmp_path / "out" / "comparison.json").read_text())
    assert document["chosen"].keys() == {"postage"}
    rows = [dict(zip(document["fields"], row, strict=True)) for row in document["runs"]]
    assert {(row["configuration"], row["seed"]) for row in rows if row["frame"] == 2} >= {
        (name, seed) for name in ("ordered+bbc", "random") for seed in (1, 2)
    }
    assert all(row["ended"] == "reproduced" and 0 < row["success"] <= 1000 for row in rows if row["configuration"] != "random"), (
        said
    )
    assert all(0 < row["cpu"] < 30 for row in rows) or sys.platform != "linux"
    report = (tmp_path / "out" / "comparison.md").read_text()
    assert "1 crashes x 2 configurations x 2 seeds" in report
    assert "<svg" in (tmp_path / "out" / "comparison.svg").read_text()
    # Again: every run is there already.
    assert main(arguments) == 0
    assert " seed " not in capsys.readouterr().out
    # And from the published file alone.
    again = ["--report-only", "--results", str(tmp_path / "out" / "comparison.json"), "--output", str(tmp_path / "copy")]
    assert main(again) == 0
    assert (tmp_path / "copy" / "comparison.svg").read_text() == (tmp_path / "out" / "comparison.svg").read_text()


def test_a_run_over_its_wall_limit_is_a_failure_and_its_crash_too_slow(arguments: list[str], tmp_path: Path) -> None:
    assert main([*arguments, "--wall-limit", "0.01"]) == 0
    document = json.loads((tmp_path / "out" / "comparison.json").read_text())
    assert [row[document["fields"].index("ended")] for row in document["runs"]] == ["wall limit"]
    assert document["left_out"] == {"postage": "a screening run came to the wall limit"}


@pytest.mark.parametrize(
    ("more", "complaint"),
    [(["--configurations", "best"], "unknown: best"), (["--stages", "last"], "unknown: last"), (["--pack", "nowhere"], "")],
)
def test_bad_options(arguments: list[str], more: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as error:
        main([*arguments, *more])
    assert complaint in capsys.readouterr().err + str(error.value)
