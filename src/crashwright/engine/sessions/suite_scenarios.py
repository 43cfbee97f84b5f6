"""Further tests for the mutants that a suite leaves alive: what one test ends with goes on with what another does. They are spare:
the examination keeps those that tell a mutant that no other test tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crashwright.engine.search.suite.reduction import Kept, Measure
from crashwright.engine.search.suite.scenarios import scenarios
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Variable

MOST, TRIED = 40, 160
"""Scenarios that a suite is offered, and that are run for that."""


def further(kept: Sequence[Kept], evaluator: Measure, seconds_left: Callable[[], float], new: Callable[[], Variable]) -> list[Kept]:
    """Those that end without an exception, as tests of the goal that the test was for which they end like."""
    whole = [one for one in kept if not evaluator.measure(one.test).raised]
    known = {one.test.key() for one in kept}
    goals = {last.callee: one.goals[:1] for one in whole if isinstance(last := one.test.statements[-1], st.MethodCall)}
    found: list[Kept] = []
    for number, test in enumerate(scenarios([one.test for one in whole], new)):
        if number >= TRIED or len(found) >= MOST or seconds_left() <= 0:
            break
        if test.key() in known:
            continue
        known.add(test.key())
        ran = evaluator.measure(test)
        last = test.statements[-1]
        if isinstance(last, st.MethodCall) and ran.covered and not (ran.raised or ran.hindered):
            found.append(Kept(test, goals[last.callee], ran.covered))
    return found
