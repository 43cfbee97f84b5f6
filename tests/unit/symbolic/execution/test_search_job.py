"""Preconditions from a child process, and what is said where there are none."""

from __future__ import annotations

import sys

import pytest
from walked import MODULE, loaded, target_of

from crashwright.core.target import CrashTarget
from crashwright.symbolic.execution.search_job import PreconditionSearch, Question

SOURCE = "def f(items, place):\n    return items[place + 2]\n"


@pytest.fixture
def target() -> CrashTarget:
    with pytest.raises(IndexError) as caught:
        loaded(SOURCE).f([1], 3)
    return target_of(caught.value)


def test_they_are_told_as_they_are_found_and_then_what_it_took(target: CrashTarget) -> None:
    with PreconditionSearch(Question(target, {MODULE: SOURCE}, sys.version_info[:2], 20.0)) as search:
        found = list(search.found())
        effort, reason = search.ending
    assert [one.level for one in found] == [1]
    assert {guard.line for guard in found[0].guards} == {2}
    assert reason == ""
    assert effort is not None
    assert effort.checks >= effort.paths == 1


def test_a_source_that_is_none_is_told_with_its_reason(target: CrashTarget) -> None:
    with PreconditionSearch(Question(target, {MODULE: "def f(:"}, sys.version_info[:2], 20.0)) as search:
        assert list(search.found()) == []
        effort, reason = search.ending
    assert effort is None
    assert "SyntaxError" in reason


def test_what_takes_longer_than_it_may_is_over_in_time(target: CrashTarget) -> None:
    with PreconditionSearch(Question(target, {MODULE: SOURCE}, sys.version_info[:2], 0.01)) as search:
        assert list(search.found()) == []
        effort, reason = search.ending
    assert effort is None
    assert reason
