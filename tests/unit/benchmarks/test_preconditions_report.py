"""The report on preconditions, from rows made by hand; and which test belongs to a crash."""

from __future__ import annotations

from pathlib import Path

from benchmarks.preconditions.__main__ import test_of as reproducing_test
from benchmarks.preconditions.report import report
from benchmarks.preconditions.runs import FORM, Key, Level, Row
from benchmarks.store import Store

EFFORT = {"paths": 3, "steps": 40, "calls": 1, "blocks": 2, "left_out": 0, "contradictions": 1, "checks": 9, "solving": 0.2}
HELD = Row(
    Key("shop-a", "all", 20.0, "abc"),
    "a",
    2,
    wall=1.5,
    effort=EFFORT,
    levels={"1": Level(2, 0.4, 3, stands="holds"), "2": Level(1, 0.9, 5, stands="wrong", wrong=("`count` is a str",))},
    unmodelled={"what parse() returns": 1},
)
EMPTY = Row(Key("shop-b", "all", 20.0, "abc"), "b", 1, ended="no source: gone", probed="no test")
UNPRUNED = Row(Key("shop-a", "no pruning", 20.0, "abc"), "a", 2, wall=6.0, effort={**EFFORT, "paths": 30}, levels=HELD.levels)


def test_what_is_found_holds_and_takes_is_told_by_set() -> None:
    text = report([HELD, EMPTY, UNPRUNED], "Alone on the machine.")
    assert "| a | 1 | 1 (100%) | 1 (100%) | 1 (100%) | 1 (100%) | 0.40, 0.90, 0.90 | 0.40, 0.90, 0.90 | 2.0 | 3.00, 5.00 |" in text
    assert "| b | 1 | 0 (0%) | 0 (0%) | 0 | 0 (0%) | -, -, - | -, -, - | 0.0 | -, - |" in text
    assert "| a | 1 | 1 | 1 | 0 | 0 | 0 |" in text
    assert "| a | 2 | 1 | 0 | 0 | 1 | 0 |" in text
    assert "| no pruning | 1 | 1 | 1 | 0 | 6.00 | 0.90 | 30.0 | 9.0 |" in text
    assert "| shop-a | 2 of 2 | one way | `count` is a str |" in text
    assert "shop-b (no source: gone)" in text
    assert "Not judged: no test (1)." in text


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    file = tmp_path / "rows.sqlite"
    Store(file, FORM).add(HELD)
    assert Store(file, FORM).get(HELD.key) == HELD


def test_the_test_of_a_crash_is_found_by_its_name(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    (one / "shop-a").mkdir(parents=True)
    other.mkdir()
    (one / "shop-a" / "test_order.py").touch()
    (other / "shop-a-more-1-test_crash.py").touch()
    (other / "shop-b-1-test_crash.py").touch()
    assert reproducing_test("shop-a", [other, one]) == one / "shop-a" / "test_order.py"
    assert reproducing_test("shop-b", [one, other]) == other / "shop-b-1-test_crash.py"
    assert reproducing_test("shop", [one, other]) is None
