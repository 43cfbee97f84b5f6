"""What existing tests cover is not generated again."""

from __future__ import annotations

import pytest

from crashwright.core.suite import SuiteTest
from crashwright.finishing.suite.existing import ExistingCoverage
from crashwright.workflows.suite_existing import new_tests

KNOWN = ExistingCoverage(frozenset({2, 3, 4, 7}), frozenset({(2, 3), (2, 4), (7, 8)}), frozenset({"halve", "Box.open"}))


@pytest.mark.parametrize(
    ("goals", "stays"),
    [
        (("branch halve:2:7 true", "line halve:3"), False),
        (("branch halve:7:7 false",), True),
        (("branch halve:1 entry", "method halve", "no-exception Box.open"), False),
        (("method Box.close",), True),
        (("line halve:5",), True),
        (("exception halve ValueError explicit",), True),
        (("output halve int:zero", "line halve:3"), True),
        (("line halve:3", "weak-mutation whatever it is called"), False),
        (("weak-mutation halve:3 + -",), False),
        ((), True),
    ],
)
def test_test_stays_where_it_reaches_something_new(goals: tuple[str, ...], stays: bool) -> None:
    test = SuiteTest({}, "halve", goals, 3)
    assert new_tests([test], KNOWN) == ((test,) if stays else ())
