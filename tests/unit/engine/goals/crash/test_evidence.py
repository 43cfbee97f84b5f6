"""What a report tells of a crash beyond its frames and message, held against runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from crashwright.core.location import CodeKey, Position
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.execution.outcome import Outcome, RaisedFrame
from crashwright.engine.goals.crash.evidence import ANOTHER_PLACE, Evidence

SOURCE = 'def rate(table, line):\n    return table[line["code"]]\n'
WHOLE = Position(2, 11, 2, 30)
"""``table[line["code"]]``."""
INNER = Position(2, 17, 2, 29)


@pytest.fixture
def rate(tmp_path: Path) -> Callable[..., object]:
    path = tmp_path / "rates.py"
    path.write_text(SOURCE)
    names: dict[str, Callable[..., object]] = {}
    exec(compile(SOURCE, str(path), "exec"), names)
    return names["rate"]


def ended(function: Callable[..., object], *arguments: object) -> Outcome:
    with pytest.raises(KeyError) as raised:
        function(*arguments)
    last = raised.value.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    assert last is not None
    return Outcome(0, raised.value, (RaisedFrame(last.tb_frame.f_code, last.tb_lineno, last.tb_lasti),))


def evidence(function: Callable[..., object], caret: Position) -> Evidence:
    frame = TargetFrame(CodeKey("rates", "rate", 1), function.__code__.co_filename, 2, "", caret, True)
    return Evidence(CrashTarget("rates", "KeyError", "'B'", (frame,), ()))


def test_what_fails_before_that_which_the_report_marks_is_another_place(rate: Callable[..., object]) -> None:
    found = evidence(rate, WHOLE)
    assert found.distance(ended(rate, {}, {"code": "B"}), "'B'") == 0
    assert found.distance(ended(rate, {}, {}), "'B'") == ANOTHER_PLACE


def test_what_the_report_marks_may_be_a_part_of_what_fails(rate: Callable[..., object]) -> None:
    assert evidence(rate, INNER).distance(ended(rate, {}, {"code": "B"}), "'B'") == 0


def test_values_of_the_message_decide_between_runs_of_the_same_place(rate: Callable[..., object]) -> None:
    found = evidence(rate, WHOLE)
    other, same = ended(rate, {}, {"code": "C"}), ended(rate, {}, {"code": "B"})
    assert 0 == found.distance(same, "'B'") < found.distance(other, "'C'") < ANOTHER_PLACE
