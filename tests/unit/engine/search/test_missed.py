"""The condition that kept every test from a line is named with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.goals.crash.frame_goal import Standing
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.diagnosis import hints, unmet_condition
from crashwright.engine.search.missed import condition
from crashwright.engine.subject.source import Sources
from crashwright.engine.testcase.testcase import TestCase

CODE = """\
def take(shelf, name):
    if not shelf.slots:
        for slot in shelf.spare:
            try:
                slot.open()
            except OSError:
                return slot[name]
    return name
"""


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    (tmp_path / "shelf.py").write_text(CODE)
    found = Sources()
    found.of_file("shelf", str(tmp_path / "shelf.py"))
    return found


def frame(line: int) -> TargetFrame:
    return TargetFrame(CodeKey("shelf", "take", 1), "/lib/shelf.py", line, "", None, True)


@pytest.mark.parametrize(
    ("line", "level", "told"),
    [
        (7, 0, "`except OSError` never caught an exception (line 6)"),
        (7, 2, "`shelf.slots` was never false (line 2)"),
        (5, 0, "the loop over `shelf.spare` never had an item (line 3)"),
        (8, 5, None),
    ],
)
def test_what_was_never_met(sources: Sources, line: int, level: int, told: str | None) -> None:
    found = condition(frame(line), level, sources)
    assert (None if found is None else found.text) == told


def test_nothing_is_said_without_the_source() -> None:
    assert condition(frame(5), 0, Sources()) is None


def test_the_hint_names_it(sources: Sources) -> None:
    score = CrashScore(0.7, 0, 1, 0, None, Standing.WRONG_SIDE, missed=1)
    target = CrashTarget("shelf", "KeyError", "3", (frame(5),))
    best = Evaluation(TestCase(()), score)
    unmet = unmet_condition(target, best, sources)
    assert unmet is not None
    assert unmet.place == "shelf.py:2"
    assert list(hints(target, best, unmet)) == [
        "shelf.py:5 take was entered, but no test came to this line: `shelf.slots` was never false (line 2)"
    ]


def test_two_that_would_do_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "shelf.py").write_text("def take(name):\n    if name == 'a' or name == 'b':\n        return name[9]\n")
    found = Sources()
    found.of_file("shelf", str(tmp_path / "shelf.py"))
    unmet = condition(frame(3), 0, found)
    assert unmet is not None
    assert unmet.text == "neither `name == 'a'` nor `name == 'b'` was ever true (line 2)"
