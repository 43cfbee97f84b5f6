"""Conditions frame by frame, in words, and what is said where there are none."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import pytest
from walked import loaded, target_of

from crashwright.core.target import CrashTarget
from crashwright.workflows.inquiries.conditions import conditions_of

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
