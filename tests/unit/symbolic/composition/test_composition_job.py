"""Tests from a child process, as they are composed."""

from __future__ import annotations

import sys

from composed import crash_of
from walked import MODULE

from crashwright.core.precondition import Precondition
from crashwright.engine.testcase.codec import decode
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.symbolic.composition.composition_job import ComposedTest, Composition, Order

WITHIN = """
class Door:
    def enter(self, items):
        return self.inner(items)

    def inner(self, items):
        return items[1]

def f():
    def g(items):
        return Door().enter(items)
    return g
"""


def _told(source: str, call: str) -> tuple[list[ComposedTest], tuple[int, ...]]:
    target = crash_of(source, call)
    with Composition(Order(target, {MODULE: source}, sys.version_info[:2], 20.0)) as composition:
        found = [one for one in composition.found() if isinstance(one, ComposedTest)]
        effort, reason = composition.ending
    assert reason == ""
    assert effort is not None
    assert effort.tests == len(found)
    return found, effort.preconditions


def test_bounded_by_counts_it_repeats() -> None:
    source = "def f(items, key=None):\n    return items[len(key or ())]\n"
    order = Order(crash_of(source, "f([1], 'ab')"), {MODULE: source}, sys.version_info[:2], 20.0, exact=True)
    runs = []
    for _ in range(2):
        with Composition(order) as composition:
            runs.append(list(composition.found()))
            assert composition.is_over
            assert composition.problem == ""
    assert runs[0] == runs[1]
    assert {type(one) for one in runs[0]} == {ComposedTest, Precondition}
    tests = [one for one in runs[0] if isinstance(one, ComposedTest)]
    assert not any(one.partial for one in tests)
    assert print_test(decode(tests[0].test)).body[0].startswith("f([]")


def test_where_a_frame_is_out_of_reach_its_callee_is_called() -> None:
    found, preconditions = _told(WITHIN, "f()([1])")
    assert len(preconditions) == 3
    assert all(one.partial for one in found)
    assert [one.level for one in found] == sorted(one.level for one in found)
    [outermost, *_] = [one for one in found if one.level == 2]
    assert print_test(decode(outermost.test)).body == ("Door().enter([])",)
