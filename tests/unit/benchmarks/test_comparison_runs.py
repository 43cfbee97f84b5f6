"""What a run is worth, message by message."""

from __future__ import annotations

from functools import reduce

import pytest
from benchmarks.comparison.runs import Row, after
from comparison_rows import row

from crashwright.core.messages import EndReason, Failed, FailureKind, Finished, Found, Message, Progress, Ready

PARTIAL = Found({}, level=2, frames=1, distance=0.5, evaluations=40, seconds=0.1)
WHOLE = Found({}, level=4, frames=2, distance=0.0, evaluations=60, seconds=0.2)
STANDS = Progress(0.1, evaluations=50, frames=1, frames_total=2, distance=0.4, furthest="")


def outcome(*messages: Message) -> Row:
    key = row("crash", "random", 1, None).key
    return reduce(after, messages, Row(key, 2, None, 0, 0, 0, -1.0, 0.0, 0.0, ""))


def test_the_first_whole_reproduction_ends_a_run() -> None:
    found = outcome(Ready("3.11", 0.1, ""), PARTIAL, STANDS, WHOLE)
    assert (found.success, found.used, found.level, found.frames, found.ended) == (60, 60, 4, 2, "reproduced")


def test_partial_tests_are_no_success() -> None:
    found = outcome(PARTIAL, STANDS, Finished(EndReason.BUDGET, 1000, 1.0))
    assert (found.success, found.used, found.level, found.fitness, found.ended) == (None, 1000, 2, 0.4, "budget")


def test_an_end_without_level_4_is_no_success() -> None:
    assert outcome(PARTIAL, Finished(EndReason.REPRODUCED, 90, 1.0)).ended == "short of level 4"


@pytest.mark.parametrize("messages", [[], [PARTIAL]])
def test_a_failed_engine_says_why(messages: list[Message]) -> None:
    found = outcome(*messages, Failed(FailureKind.INTERNAL, "it broke"))
    assert (found.success, found.ended, found.note) == (None, "failed", "it broke")
