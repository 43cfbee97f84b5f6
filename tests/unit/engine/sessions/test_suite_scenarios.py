"""A suite is offered scenarios that end well, each as a test of what it ends with."""

from __future__ import annotations

import itertools
import math
from typing import Any

from crashwright.core.location import CodeKey
from crashwright.engine.search.suite.problem import Ran
from crashwright.engine.search.suite.reduction import Kept
from crashwright.engine.sessions.suite_scenarios import MOST, further
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import NO_ARGUMENTS, Arguments, Call, Literal, MethodCall
from crashwright.engine.testcase.testcase import TestCase

SHELF = Callee("shelf", "Shelf", CalleeKind.CLASS)
PUT, ALL, DROP = (Callee("shelf", f"Shelf.{name}", CalleeKind.METHOD) for name in ("put", "all", "drop"))


class Measuring:
    """``raising`` methods always raise."""

    def __init__(self, raising: tuple[str, ...] = ()) -> None:
        self.raising = raising

    def measure(self, test: TestCase) -> Any:
        raised = any(isinstance(one, MethodCall) and one.name in self.raising for one in test.statements)
        return Ran(test, None, 1, len(test), raised=raised)


def using(callee: Callee, first: int, *values: str) -> Kept:
    literals = tuple(Literal(first + 1 + number, value) for number, value in enumerate(values))
    call = MethodCall(first + 9, first, callee.name, Arguments(tuple(one.variable for one in literals)), callee)
    goal: Any = CodeKey("shelf", callee.qualname, 1)
    return Kept(TestCase((Call(first, SHELF, NO_ARGUMENTS), *literals, call)), (goal,), 1)


def scenes(*kept: Kept, raising: tuple[str, ...] = (), left: float = math.inf) -> list[Kept]:
    return further(kept, Measuring(raising), lambda: left, itertools.count(1000).__next__)


def test_they_are_tests_of_their_last_call() -> None:
    put, everything = using(PUT, 0, "bolt"), using(ALL, 20)
    found = scenes(put, everything)
    assert found
    for one in found:
        last = one.test.statements[-1]
        assert isinstance(last, MethodCall)
        assert one.goals == (put if last.name == "put" else everything).goals
    assert len({one.test.key() for one in found}) == len(found) <= MOST


def test_what_raises_is_in_none() -> None:
    found = scenes(using(PUT, 0, "bolt"), using(ALL, 20), using(DROP, 40, "bolt"), raising=("drop",))
    assert found
    assert not any(isinstance(one, MethodCall) and one.name == "drop" for kept in found for one in kept.test.statements)


def test_none_are_run_without_time() -> None:
    assert scenes(using(PUT, 0, "bolt"), using(ALL, 20), left=0.0) == []
