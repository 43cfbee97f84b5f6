"""A run of a test while something listens: it counts as one evaluation, and for nothing else.

# Deviation: the papers only run tests to score them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeVar

from crashwright.engine.execution.executor import release
from crashwright.engine.sources.recording_runs import RecordingNeeds
from crashwright.engine.testcase.testcase import TestCase

T = TypeVar("T")


def noted_in(test: TestCase, around: RecordingNeeds, listening: Callable[[], AbstractContextManager[T]]) -> T | None:
    """What ``listening`` gives after a run of ``test``; None where there is no run."""
    if around.meter.stopped or not test.is_valid() or around.quarantine.holds(test):
        return None
    around.tracer.reset()
    with listening() as found:
        outcome = around.runner.run_aside(test)
    around.tracer.drop_wanted()
    around.meter.spend()
    release(outcome)
    return found
