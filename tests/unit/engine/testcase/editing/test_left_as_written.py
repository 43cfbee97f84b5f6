"""What the report or a candidate shows keeps its type and value in a test that is made smaller, and files stay in their folder."""

from __future__ import annotations

import tempfile
from datetime import date, datetime
from pathlib import Path

from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase.editing.as_written import SHORT, AsWritten
from crashwright.engine.testcase.editing.minimise import minimise
from crashwright.engine.testcase.statements import Arguments, Call, FileFixture, Literal, MethodCall
from crashwright.engine.testcase.testcase import TestCase


class Room: ...


def standard(live: type) -> Callee:
    return Callee(live.__module__, live.__name__, CalleeKind.CLASS, (), live=live, owner=live)


DATE, DATETIME, PATH = standard(date), standard(datetime), standard(Path)
ROOM = Callee("inn", "Room", CalleeKind.CLASS, (), live=Room)
FOLDER = Callee("tempfile", "mkdtemp", CalleeKind.FUNCTION, (), live=tempfile.mkdtemp)
_EITHER = ParameterKind.POSITIONAL_OR_KEYWORD
EXPAND = Callee(
    "inn",
    "expand",
    CalleeKind.FUNCTION,
    (
        *(Parameter(name, _EITHER) for name in ("text", "start")),
        Parameter("end", _EITHER, required=False, default=None),
        Parameter("step", _EITHER, required=False, default=1),
    ),
)


def smallest(test: TestCase, shown: AsWritten) -> TestCase:
    """Whatever still calls the last function with two arguments is good."""
    left = shown.left_of(test)

    def good(candidate: TestCase) -> bool:
        last = candidate.statements[-1]
        return isinstance(last, Call) and last.callee is EXPAND and len(last.arguments.positional) >= 2 and left.holds(candidate)

    return minimise(test, good, keep=shown.literals)


def expanding(*before: Literal | Call | FileFixture | MethodCall, passed: tuple[int, ...]) -> TestCase:
    return TestCase((*before, Call(99, EXPAND, Arguments(passed))))


def shown_of(test: TestCase, whole: bool = True) -> AsWritten:
    shown = AsWritten()
    shown.add(test, {one.variable: one.value for one in test.statements if isinstance(one, Literal)}, whole)
    return shown


MOMENT = (Literal(1, 2024), Literal(2, 5), Literal(3, 1), Literal(4, 9))


def test_a_date_of_the_report_stays_that_date() -> None:
    test = expanding(Literal(0, "FREQ=DAILY"), *MOMENT[:3], Call(5, DATE, Arguments((1, 2, 3))), passed=(0, 5))
    assert smallest(test, shown_of(test)).statements == test.statements
    assert len(smallest(test, AsWritten())) < len(test)  # what a search has made becomes as small as it can


def test_a_moment_keeps_all_its_parts_and_does_not_become_another_one_of_the_test() -> None:
    other = (Literal(6, 2023), Call(7, DATETIME, Arguments((6, 2, 3))))
    test = expanding(*MOMENT, Call(5, DATETIME, Arguments((1, 2, 3, 4))), *other, passed=(5, 7))
    assert smallest(test, shown_of(test)).statements == test.statements


def test_what_is_beside_the_point_goes_but_not_what_nothing_takes_the_place_of() -> None:
    rooms = (Call(7, ROOM, Arguments()), Call(8, ROOM, Arguments()))
    values = (Literal(0, "a"), Literal(1, 2024), Literal(2, 7), Literal(3, 3))
    test = expanding(*values, *rooms, passed=(0, 1, 2, 3))
    assert smallest(test, shown_of(test)).statements == expanding(*values[:3], passed=(0, 1, 2)).statements


def test_a_long_text_of_a_candidate_becomes_shorter_and_stays_a_text() -> None:
    long = "line\n" * SHORT
    test = expanding(Literal(0, long), Literal(1, "short"), passed=(0, 1))
    small = smallest(test, shown_of(test, whole=False))
    assert [one.value for one in small.statements if isinstance(one, Literal)] == ["", "short"]
    assert smallest(test, shown_of(test)).statements == test.statements


def test_a_file_of_the_test_stays_in_its_folder() -> None:
    folder = (Call(1, FOLDER, Arguments()), Call(2, PATH, Arguments((1,))))
    named = (Literal(3, "out.csv"), MethodCall(4, 2, "joinpath", Arguments((3,))))
    for before, passed in (
        (folder, 2),
        ((*folder, *named), 4),
        ((FileFixture(1, "a.csv", b"1,2"), Call(2, PATH, Arguments((1,)))), 2),
    ):
        test = expanding(Literal(0, "a"), *before, passed=(0, passed))
        small = smallest(test, AsWritten())  # whoever wrote it
        assert any(isinstance(one, Call) and one.callee is PATH and one.arguments.positional == (1,) for one in small.statements)
        assert small.statements[-1].arguments.positional == (0, passed)  # type: ignore[union-attr]


def test_a_literal_of_the_report_that_was_at_hand_for_something_else_is_not_kept_there() -> None:
    separator, room, text = Literal(0, "\n"), Call(7, ROOM, Arguments((0,))), Literal(1, "FREQ=DAILY")
    echoed = expanding(separator, text, room, passed=(1, 7))
    shown = AsWritten(iter(range(1000, 2000)).__next__)
    shown.add(TestCase((separator, MethodCall(50, 0, "join", Arguments()))), {0: "\n"})
    shown.add(TestCase((text, Call(99, EXPAND, Arguments((1,))))), {1: "FREQ=DAILY"})
    apart = shown.apart(echoed)
    assert apart.statements == (text, Literal(1000, "\n"), Call(7, ROOM, Arguments((1000,))), echoed.statements[-1])
    assert 1000 not in shown.literals
    assert shown.apart(apart) is apart
