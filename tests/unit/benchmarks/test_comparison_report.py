"""From rows to tables and plot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="the extra `experiments` is not installed")

from benchmarks.comparison.analysis import blocks, compare, highest
from benchmarks.comparison.provenance import Invocation
from benchmarks.comparison.record_file import Record
from benchmarks.comparison.report import DECISION, report
from benchmarks.comparison.runs import Row
from comparison_rows import row

NAMES = ("ordered+bbc", "random")


def rows_of(crash: str, guided: list[int | None], blind: list[int | None], frame: int = 2) -> list[Row]:
    made = [row(crash, "ordered+bbc", seed, success, frame=frame) for seed, success in enumerate(guided, start=1)]
    return made + [row(crash, "random", seed, success, frame=frame) for seed, success in enumerate(blind, start=1)]


FAR = rows_of("far", [10] * 10, [None] * 10)
NEAR = rows_of("near", [100, *[None] * 9], [90, 100, *[None] * 8])
LOW = rows_of("low", [None] * 10, [None] * 10) + rows_of("low", [50, *[None] * 9], [None] * 10, frame=1)
NEVER = rows_of("never", [None] * 10, [None] * 10)
OPEN = rows_of("open", [10], [])
RUN = Invocation("2026-01-01", "python -m x", "c", "a machine", "3.11", 2)
CHOSEN = dict.fromkeys(("far", "near", "low", "never", "open"), "for the test")


def record(rows: list[Row]) -> Record:
    return Record(tuple(rows), NAMES, 10, 1000, 60.0, "c", CHOSEN, {"crawl": "too slow"}, (RUN,))


def test_only_whole_blocks_count_and_the_highest_reproduced_frame() -> None:
    whole, unfinished = blocks(FAR + LOW + NEVER + OPEN, NAMES, 10)
    assert [(one.crash, one.made, one.wanted) for one in unfinished] == [("open", 1, 20)]
    assert [(one.crash, one.frame, one.reproduced) for one in highest(whole)] == [
        ("far", 2, True),
        ("low", 1, True),
        ("never", 2, False),
    ]


def test_failures_count_with_the_full_budget() -> None:
    (whole,), _ = blocks(NEAR, NAMES, 10)
    assert whole.samples["random"].evaluations == (90, 100, *[1000] * 8)
    assert (whole.samples["random"].ratio, whole.samples["random"].median) == (0.2, 1000)


def test_pairs() -> None:
    whole, _ = blocks(FAR + NEAR + NEVER, NAMES, 10)
    found = compare(whole, "ordered+bbc", "random")
    assert (found.gained, found.lost) == (1, 0)
    assert found.points == pytest.approx(100 * (1.0 - 0.1 + 0.0) / 3)
    assert [pair.crash for pair in found.oftener] == [pair.crash for pair in found.faster] == ["far"]
    assert found.rarer == found.slower == []
    assert [pair.crash for pair in found.timed] == ["far", "near"]
    far = found.pairs[0]
    assert (far.odds, far.a12, far.saved) == (441, 0.0, 0.99)
    turned = compare(whole, "random", "ordered+bbc")
    assert (turned.gained, turned.lost, len(turned.rarer), len(turned.slower)) == (0, 1, 1, 1)


def test_report_says_what_was_run_and_what_was_not() -> None:
    text = report(record(FAR + NEAR + LOW + NEVER + OPEN), f"{DECISION}\n\nThe default stays.\n")
    assert "4 crashes x 2 configurations x 10 seeds, 1,000 evaluations a run; 3 of these crashes are reproduced" in text
    assert "1 of them below the package's outermost frame" in text
    assert "| far | 2 of 2 | 10 (10) | 0 (1,000) | for the test |" in text
    assert "| low | 1 of 2 | 1 (1,000) | 0 (1,000) | for the test |" in text
    assert "| ordered+bbc : random | far | 441.00 | 1e-05 | 0.00 | large |" in text
    assert "reproduced by no run, so that nothing can be compared: never (frames tried: 2)" in text
    assert "| open | chosen (for the test); 1 of 20 runs at frame 2 of 2 |" in text
    assert "| crawl | too slow |" in text
    assert "`python -m x` (a machine; 2 at once" in text
    assert text.endswith(f"{DECISION}\n\nThe default stays.\n")
    assert report(record(FAR), text).endswith("The default stays.\n")


def test_report_of_nothing() -> None:
    text = report(replace(record([]), chosen={}))
    assert "0 crashes" in text
    assert text.endswith("Not written yet.\n")


def test_plot_is_the_same_for_the_same_rows(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra `experiments` is not installed")
    from benchmarks.comparison.plot import plot

    solved = [one for one in highest(blocks(FAR + NEAR, NAMES, 10)[0]) if one.reproduced]
    for name in ("one.svg", "two.svg"):
        plot(solved, NAMES, 1000, tmp_path / name)
    text = (tmp_path / "one.svg").read_text()
    assert text == (tmp_path / "two.svg").read_text()
    assert all(name in text for name in NAMES)
