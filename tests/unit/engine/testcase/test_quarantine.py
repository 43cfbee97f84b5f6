"""What ended an engine is told from what did not: by what was passed to itself, by literals, by the callable."""

from __future__ import annotations

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.quarantine import CallPattern, Quarantine, patterns_of
from crashwright.engine.testcase.statements import Arguments, Await, Call, Display, Literal, MethodCall, Operation, Ref
from crashwright.engine.testcase.testcase import TestCase

NODE = Callee("m", "Node", CalleeKind.CLASS)
ADD = Callee("m", "Node.add", CalleeKind.METHOD)
TOTAL = Callee("m", "Node.total", CalleeKind.METHOD)
WORK = Callee("m", "work", CalleeKind.FUNCTION)
MADE = (Call(0, NODE, Arguments()), Call(1, NODE, Arguments()))
TO_ITSELF = TestCase((*MADE, MethodCall(2, 0, "add", Arguments((0,)), ADD)))
TO_ANOTHER = TestCase((*MADE, MethodCall(2, 0, "add", Arguments((1,)), ADD)))
ALIKE = CallPattern(".add", "argument 1 is the receiver")


def last(test: TestCase) -> list[CallPattern]:
    return patterns_of(test.statements, len(test) - 1)


def test_an_object_passed_to_itself_is_to_blame_and_not_the_method() -> None:
    assert last(TO_ITSELF) == [ALIKE]
    quarantine = Quarantine(banned=[ALIKE])
    assert quarantine.holds(TO_ITSELF)
    assert not quarantine.holds(TO_ANOTHER)
    assert quarantine.admitted([TO_ITSELF, TO_ANOTHER]) == [TO_ANOTHER]


def test_an_object_in_a_container_is_the_same_object() -> None:
    listed = Literal(3, Display("list", (Ref(0),)))
    assert last(TestCase((*MADE, listed, MethodCall(2, 0, "add", Arguments((3,)), ADD))))[0].how == "argument 1 holds the receiver"


def test_what_was_put_into_itself_before_is_remembered_and_comparing_puts_nothing_anywhere() -> None:
    later = TestCase((*TO_ITSELF, MethodCall(3, 0, "total", Arguments(), TOTAL)))
    assert last(later)[0] == CallPattern(".total", "argument 1 is the receiver in .add before")
    compared = TestCase((*MADE, Operation(2, "==", (0, 0)), MethodCall(3, 0, "total", Arguments(), TOTAL)))
    other = TestCase((*TO_ITSELF, MethodCall(3, 1, "total", Arguments(), TOTAL)))
    assert last(compared) == last(other) == [CallPattern("m:Node.total")]


def test_literals_tell_calls_apart_and_the_callable_is_the_last_resort() -> None:
    call = TestCase((Literal(0, 10), Call(1, WORK, Arguments((0,)))))
    by_literal, bare = last(call)
    assert (by_literal, bare) == (CallPattern("m:work", "argument 1 is 10"), CallPattern("m:work"))
    assert by_literal.deaths < bare.deaths
    other = TestCase((Literal(0, 11), Call(1, WORK, Arguments((0,)))))
    assert [Quarantine(banned=[one]).holds(other) for one in (by_literal, bare)] == [False, True]


def test_what_is_awaited_is_what_was_called() -> None:
    assert last(TestCase((Call(1, WORK, Arguments()), Await(2, 1)))) == [CallPattern("m:work")]


def test_what_is_needed_what_was_reported_and_what_did_no_harm_may_be_run() -> None:
    call = TestCase((Call(1, WORK, Arguments()),))
    banned = [CallPattern("m:work"), ALIKE]
    needed, reported, proven = (Quarantine(banned=banned) for _ in range(3))
    needed.spare(["m:work"])
    assert (needed.holds(call), needed.holds(TO_ITSELF)) == (False, True)
    reported.spare_circles([TO_ITSELF])
    assert (reported.holds(call), reported.holds(TO_ITSELF)) == (True, False)
    proven.trust([TO_ITSELF])
    longer = TestCase((Literal(7, 1), *TO_ITSELF))
    assert (proven.holds(TO_ITSELF), proven.holds(longer), proven.holds(call)) == (False, True, True)
    proven.trust([call] * 5)
    assert not proven.holds(longer.__class__((Call(9, WORK, Arguments()),)))
    assert Quarantine({call.key()}).holds(call)


def test_it_says_whether_something_spared_was_banned():
    quarantine = Quarantine(banned=[CallPattern("m:f"), CallPattern("g", "argument 1 is 2")])
    assert not quarantine.spare({"m:h", "g"})
    assert quarantine.spare({"m:f"})
    assert not quarantine.spare({"m:f"})
