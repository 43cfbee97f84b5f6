"""Each argument that the code decides on is set, one after the other, while all others stay."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence

from crashwright.engine.sources.guarding_arguments import MOST, GuardingArguments
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.statements import Arguments, Call, Literal, MethodCall
from crashwright.engine.testcase.testcase import TestCase

SOURCE = ast.parse("""
def __init__(self, width, colour="red", off=False, /, size=1, *, level=None):
    if off:
        return
    if size == 2 or colour in ("red", "blue"):
        self.level = level

def show(self, how):
    if self.level is None or how == "loud":
        raise ValueError
""").body
_NAMES = ("width", "colour", "off", "size", "level")
_FIRST, _BOTH, _NAMED = ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD, ParameterKind.KEYWORD_ONLY


def _callee(name: str, kind: CalleeKind, parameters: Sequence[Parameter]) -> Callee:
    return Callee("shapes", name, kind, tuple(parameters))


MADE = _callee(
    "Box",
    CalleeKind.CLASS,
    [
        Parameter("width", _FIRST),
        Parameter("colour", _FIRST, required=False, default="red"),
        Parameter("off", _FIRST, required=False, default=False),
        Parameter("size", _BOTH, required=False, default=1),
        Parameter("level", _NAMED, required=False),
    ],
)
SHOWN = _callee("Box.show", CalleeKind.METHOD, [Parameter("how", _BOTH)])


def _guarding(quoted: Sequence[int] = ()) -> GuardingArguments:
    numbers = itertools.count(100)
    return GuardingArguments(lambda callee: [SOURCE[callee is SHOWN]], SOURCE[1:], quoted, numbers.__next__)


def _test(*values: object) -> TestCase:
    literals = [Literal(number, value) for number, value in enumerate(values)]  # type: ignore[arg-type]
    box = Call(50, MADE, Arguments(tuple(range(len(values)))))
    how = Literal(51, "low")
    return TestCase((*literals, box, how, MethodCall(52, 50, "show", Arguments((51,)), SHOWN)))


def _calls(tests: Sequence[TestCase]) -> list[str]:
    return [" ".join(line for line in print_test(test).body if "show" in line) for test in tests]


def test_one_argument_after_the_other() -> None:
    found = _guarding().varied(_test(3, "red", False))
    assert _calls(found) == [
        'Box(3, "red", False).show("loud")',
        'Box(3, "blue", False).show("low")',
        'Box(3, "red", True).show("low")',
        'Box(3, "red", False, size=2).show("low")',
    ]
    assert all(test.is_valid() for test in found)


def test_what_cannot_be_passed_by_keyword_stays_away() -> None:
    assert _calls(_guarding().varied(_test(3))) == ['Box(3).show("loud")', 'Box(3, size=2).show("low")']


def test_what_the_report_shows_stays() -> None:
    assert _calls(_guarding([51, 1]).varied(_test(3, "red"))) == ['Box(3, "red", size=2).show("low")']


def test_the_same_test_is_varied_once() -> None:
    guarding = _guarding()
    assert guarding.varied(_test(3, "red", False))
    assert guarding.varied(_test(3, "red", False)) == []


def test_there_is_a_most() -> None:
    boxes = [Call(number, MADE, Arguments((0,))) for number in range(1, 100)]
    assert len(_guarding().varied(TestCase((Literal(0, 1), *boxes)))) == MOST
