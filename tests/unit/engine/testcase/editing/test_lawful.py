"""What a signature speaks of is passed to it, where a test would do with that."""

from __future__ import annotations

from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.types import ANY, NONE, ChoiceHint, ClassHint, Hint, UnionHint
from crashwright.engine.testcase.editing.lawful import lawful
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, Value
from crashwright.engine.testcase.testcase import TestCase


def candidates(*cases: tuple[Value, Hint]) -> list[list[Value]]:
    parameters = tuple(
        Parameter(f"p{place}", ParameterKind.POSITIONAL_OR_KEYWORD, hint, declared=True) for place, (_, hint) in enumerate(cases)
    )
    literals = tuple(Literal(place, value) for place, (value, _) in enumerate(cases))
    call = Call(9, Callee("shop", "price", CalleeKind.FUNCTION, parameters), Arguments(tuple(range(len(cases)))))
    found = lawful(TestCase((*literals, call)))
    return [[one.value for one in test.statements if isinstance(one, Literal)] for test in found]


def test_what_fits_stays() -> None:
    assert candidates((1, ClassHint(int)), ("a", ANY), (2, ClassHint(float)), (None, UnionHint((ClassHint(str), NONE)))) == []


def test_what_does_not_fit_is_exchanged() -> None:
    assert candidates((Display("list", ()), ClassHint(int))) == [[1], [0]]
    assert candidates((b"", ClassHint(str)), (1, ANY)) == [["a", 1], ["", 1]]
    assert candidates((False, ClassHint(int)))[0] == [0]
    assert candidates((7, UnionHint((ClassHint(str), NONE)))) == [["a"], [None]]
    assert candidates((7, ChoiceHint(("fast", "slow")))) == [["fast"], ["slow"]]
    assert [7.5, "a"] in candidates((7.5, ClassHint(int)), (1, ClassHint(str)))
    assert candidates((7, ClassHint(object))) == []
