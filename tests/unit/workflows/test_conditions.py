"""Conditions frame by frame, in words, and what is said where there are none."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from walked import loaded, target_of

from crashwright.core.messages import Witness
from crashwright.core.precondition import Precondition
from crashwright.core.target import CrashTarget
from crashwright.workflows.inquiries.conditions import conditions_of
from crashwright.workflows.inquiries.witnessing import ShownRuns

SOURCE = """\
def named(prefix, number):
    if number < 100:
        return prefix + str(number)
    return "many"


def labelled(shelf, number):
    if not shelf:
        return ""
    return named(shelf["prefix"], number)
"""


@pytest.fixture
def target(tmp_path: Path) -> CrashTarget:
    with pytest.raises(TypeError) as caught:
        loaded(SOURCE).labelled({"prefix": None}, 7)
    found = target_of(caught.value)
    path = tmp_path / "shelves.py"
    path.write_text(SOURCE)
    return dataclasses.replace(found, frames=tuple(dataclasses.replace(one, path=str(path)) for one in found.frames))


@pytest.mark.slow
def test_each_frame_has_what_must_hold_at_its_entry(target: CrashTarget) -> None:
    conditions = conditions_of(target, sys.version_info[:2])
    assert [one.level for one in conditions.frames] == [1, 2]
    inner, outer = conditions.frames
    assert inner.code.endswith(":named")
    assert "`prefix` is None" in inner.always
    assert "`number` < 100" in inner.conditions
    assert inner.lines[inner.conditions.index("`number` < 100")] == "line 2"
    assert "`shelf['prefix']` is None" in (*outer.always, *outer.conditions)
    assert conditions.reason == ""


def test_a_source_that_cannot_be_read_is_a_reason(target: CrashTarget) -> None:
    gone = dataclasses.replace(target, frames=tuple(dataclasses.replace(one, path="/nowhere/at.py") for one in target.frames))
    conditions = conditions_of(gone, sys.version_info[:2])
    assert conditions.frames == ()
    assert "cannot be read" in conditions.reason


@pytest.mark.slow
def test_what_a_run_contradicts_is_not_said(target: CrashTarget) -> None:
    asked: list[Precondition] = []

    def runs(_target: CrashTarget, sentences: Sequence[Precondition]) -> ShownRuns:
        asked.extend(sentences)
        wrong = Witness(crashed=3, without=1)
        return ShownRuns(50, tuple([wrong if one.is_necessary else Witness(held=4, harmless=4) for one in sentences]))

    before, after = (conditions_of(target, sys.version_info[:2], runs=one) for one in (None, runs))
    assert [one.level for one in asked if one.is_necessary] == [one.level for one in before.frames for _ in one.always]
    inner = after.frames[0]
    assert inner.contradicted == before.frames[0].always
    assert not inner.always
    assert not inner.conditions
    assert (inner.tried, inner.crashed, after.runs) == (4, 0, 50)


def test_an_example_is_marked_with_what_came_of_it(target: CrashTarget) -> None:
    def runs(_target: CrashTarget, sentences: Sequence[Precondition]) -> ShownRuns:
        return ShownRuns(50, tuple([Witness(held=4, harmless=1) for _ in sentences]))

    before, after = (conditions_of(target, sys.version_info[:2], runs=one) for one in (None, runs))
    assert [(one.always, one.conditions) for one in after.frames] == [(one.always, one.conditions) for one in before.frames]
    assert after.frames[0].crashed == 3


def test_what_is_not_in_a_parameter_is_said(tmp_path: Path) -> None:
    source = "def put(shelf, name):\n    if name in shelf:\n        return 0\n    raise ValueError(name)\n"
    with pytest.raises(ValueError, match="x") as caught:
        loaded(source).put({}, "x")
    found, path = target_of(caught.value), tmp_path / "shelves.py"
    path.write_text(source)
    found = dataclasses.replace(found, frames=tuple(dataclasses.replace(one, path=str(path)) for one in found.frames))
    (frame,) = conditions_of(found, sys.version_info[:2]).frames
    assert "`name` is not a key of `shelf`" in frame.conditions
