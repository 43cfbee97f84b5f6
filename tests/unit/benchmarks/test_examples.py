"""The examples of the paper: reports are read, tests judged by what they do, and told beside what is asked."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.examples.__main__ import report
from benchmarks.examples.examples import EXAMPLES
from benchmarks.examples.runs import Solved, judged, target_of

ORDERED = next(one for one in EXAMPLES if one.module == "ordered_map")
IMPORT = "from ordered_map import ListOrderedMap\n"


def test_a_test_counts_where_it_crashes_as_the_report_says_and_by_legal_use() -> None:
    target = target_of(ORDERED)
    assert [(one.key.name, one.line) for one in target.package_frames] == [("put_all", 31), ("put_at", 16)]
    tests = [f"{IMPORT}ListOrderedMap().put_all({place}, ['a', 'a'])" for place in (-1, 0)] + [f"{IMPORT}{ORDERED.crash}", "1 / 0"]
    assert judged(tests, target, ORDERED.legal) == [False, False, True, False]
    assert judged(tests, target, "True") == [True, False, True, False]


def test_what_took_longer_than_asked_is_told() -> None:
    row = Solved("one", 2.0, 1.5, 4.0, None, 3, 9.0, "f()")
    text = report([row, replace(row, computed=2.5)], [0.5, None], ["Head."])
    assert "| one | 2.00 | 1.50 | 4.00 | yes | - | 3 | 0.50 |" in text
    assert "| one | 2.00 | 2.50 | 4.00 | no | - | 3 | - |" in text
