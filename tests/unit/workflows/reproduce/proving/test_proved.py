"""A candidate that has all frames of the user's own, but goes another way through a library."""

from __future__ import annotations

from pathlib import Path

import pytest

from crashwright.core.level import FramePlace
from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.finishing.crash.existing_test import OneTest
from crashwright.finishing.running.agreement import Agreement, RaisedException
from crashwright.finishing.running.fresh_runner import Looking, ProjectSurroundings
from crashwright.workflows.reproduce.proving.proved import Proved, has_own_frames
from crashwright.workflows.reproduce.proving.ways import RunPlan


def _frame(module: str, name: str, line: int) -> TargetFrame:
    return TargetFrame(CodeKey(module, name, line), f"/srv/{module}.py", line, "", None, True)


OWN = (_frame("shop", "view", 3), _frame("shop", "total", 8))
TARGET = CrashTarget("shop", "KeyError", "x", (*OWN, _frame("lazy", "inner", 5), _frame("lazy", "get", 9)))


@pytest.mark.parametrize(
    ("places", "wanted"),
    [
        ([("shop", 3, "view"), ("shop", 8, "total"), ("lazy", 9, "get")], True),
        ([("test_it", 1, "test_it"), ("shop", 1, "main"), ("shop", 3, "view"), ("shop", 8, "total"), ("lazy", 9, "get")], True),
        ([("shop", 8, "total"), ("lazy", 9, "get")], False),
        ([("shop", 3, "view"), ("shop", 7, "total"), ("lazy", 9, "get")], False),
    ],
)
def test_own_frames_are_told_from_those_of_libraries(places: list[tuple[str, int, str]], wanted: bool) -> None:
    frames = tuple(FramePlace(f"/srv/{module}.py", line, name) for module, line, name in places)
    raised = RaisedException("builtins", "KeyError", "x", frames, (3, 11))
    test = OneTest("test_it", "failed", Agreement(2, 1, 4, True, True, raised), True)
    plan = RunPlan("", ProjectSurroundings(Path("/srv")), Looking())
    found = Proved("it.py", plan, "", (4, 4, 4), test, TARGET.from_frame(1), "")
    assert has_own_frames(found, TARGET) is wanted
    assert not has_own_frames(found, CrashTarget("shop", "KeyError", "x", OWN))
