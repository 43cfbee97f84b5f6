"""What the words of an exception name."""

from __future__ import annotations

import pytest

from crashwright.engine.execution.outcome import Outcome, RaisedFrame
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.search.complaints import Complaints, complained_of, plain_words
from crashwright.engine.testcase.statements import Display, Literal
from crashwright.engine.testcase.testcase import TestCase


class Talkative(Exception):
    def __str__(self) -> str:
        raise AssertionError("asked")


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (KeyError("ann"), ("ann",)),
        (KeyError(7), (7,)),
        (ValueError("no price for 'bolt'"), ("bolt",)),
        (ValueError("'size' is not in list"), ("size",)),
        (LookupError("unknown node: left"), ("left",)),
        (KeyError(None), ()),
        (KeyError(True), ()),
        (KeyError(""), ()),
        (KeyError("x" * 61), ()),
        (KeyError(("a", 1)), ()),
        (Talkative("'ann'"), ()),
        (ValueError("1 of 'b', 'c' and 'd'"), ("b", "c", "d")),
    ],
)
def test_names_and_whole_numbers_are_told(error: BaseException, named: tuple[object, ...]) -> None:
    assert complained_of(error) == named


def test_the_subject_is_not_asked_for_words() -> None:
    assert plain_words(Talkative()) == ""
    assert plain_words(ValueError(Talkative())) == ""
    assert plain_words(ValueError("two\nlines")) == "two\nlines"


def ended(error: BaseException, line: int = 1) -> Outcome:
    return Outcome(1, error, (RaisedFrame(ended.__code__, line, 0),))


def asking(word: str) -> TestCase:
    return TestCase((Literal(1, Display("list", (f"{word} 1",))),))


FAR, NEAR = CrashScore(0.9, 0, 1, 0), CrashScore(0.5, 0, 1, 0)


def test_look_ups_are_told_whatever_they_lacked_and_others_where_the_test_has_it() -> None:
    complaints = Complaints()
    complaints.note(asking("ann"), ended(KeyError("bob")), FAR)
    complaints.note(asking("ann"), ended(ValueError("no 'ann'"), 2), FAR)
    complaints.note(asking("ann"), ended(ValueError("no 'bob'"), 3), FAR)
    assert [one.named for one in complaints.take()] == [("ann",), ("bob",)]
    assert complaints.take() == []


def test_a_place_is_told_a_few_times_and_each_test_that_is_better_than_all_before() -> None:
    complaints = Complaints()
    for number in range(9):
        complaints.note(asking("ann"), ended(KeyError(number)), FAR)
    assert [one.named for one in complaints.take()] == [(2,), (1,), (0,)]
    complaints.note(asking("ann"), ended(KeyError("x")), NEAR)
    complaints.note(asking("ann"), ended(KeyError("y")), NEAR)
    assert [one.named for one in complaints.take()] == [("x",)]


def test_a_place_is_given_up() -> None:
    complaints = Complaints()
    complaints.note(asking("ann"), ended(KeyError("ann")), FAR)
    complaints.give_up(complaints.take()[0])
    complaints.note(asking("bob"), ended(KeyError("bob")), FAR)
    assert complaints.take() == []


def test_the_crash_itself_is_no_complaint() -> None:
    complaints = Complaints()
    complaints.note(asking("ann"), ended(KeyError("ann")), CrashScore(0.1, 3, 1, 0))
    complaints.note(asking("ann"), Outcome(1), FAR)
    assert complaints.take() == []
