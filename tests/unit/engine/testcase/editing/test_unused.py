"""Objects that nothing uses go, unless the test is not good without them."""

from __future__ import annotations

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.editing.unused import without_unused
from crashwright.engine.testcase.statements import Arguments, Call, Literal, MethodCall
from crashwright.engine.testcase.testcase import TestCase

ROOM, BOOK = (Callee("inn", name, CalleeKind.CLASS, ()) for name in ("Room", "book"))
BEFORE = (Literal(0, "Green"), Call(1, ROOM, Arguments((0,))))
USED = (Literal(2, "Blue"), Call(3, ROOM, Arguments((2,))), MethodCall(4, 3, "open", Arguments()), Call(5, BOOK, Arguments((3,))))


def test_an_unused_object_goes_with_what_was_made_for_it() -> None:
    assert without_unused(TestCase((*BEFORE, *USED)), lambda _test: True).statements == USED


def test_one_that_the_crash_needs_stays() -> None:
    test = TestCase((*BEFORE, *USED))
    assert without_unused(test, lambda one: BEFORE[1] in one.statements) is test
