"""Kinds of calls that hang are mostly not run any more."""

from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.search.hanging import PROVEN, TRIED, Hanging
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Arguments, Literal, Ref, StubCallable
from crashwright.engine.testcase.testcase import TestCase

READ = Callee("subject", "read", CalleeKind.FUNCTION)
HOLDER = Callee("types", "SimpleNamespace", CalleeKind.CLASS)


def endless(line: str | None, first: int = 0) -> TestCase:
    """``read`` with a reader that gives the same line for ever."""
    return TestCase(
        (
            Literal(first, line),
            StubCallable(first + 1, "*args", Ref(first)),
            st.Call(first + 2, HOLDER, Arguments((), (("readline", first + 1),))),
            st.Call(first + 3, READ, Arguments((first + 2,))),
        )
    )


def hung(at: int) -> Outcome:
    return Outcome(at, timed_out=True)


def skipped(hanging: Hanging, test: TestCase) -> int:
    return sum(hanging.skips(test) for _ in range(TRIED))


def test_another_test_of_the_kind_that_hangs_is_mostly_left_out() -> None:
    hanging = Hanging()
    for number in range(PROVEN):
        assert not hanging.skips(endless("a", number))
        hanging.note(endless("a", number), hung(3))
    assert skipped(hanging, endless("another", 7)) == TRIED - 1


def test_a_reader_that_gives_something_else_is_another_kind() -> None:
    hanging = Hanging()
    for _ in range(PROVEN):
        hanging.note(endless("a"), hung(3))
    assert skipped(hanging, endless("")) == 0
    assert skipped(hanging, endless(None)) == 0


def test_what_mostly_ends_is_run() -> None:
    hanging = Hanging()
    hanging.note(endless("a"), hung(3))
    for _ in range(5):
        hanging.note(endless("a"), Outcome(3, ValueError("no record")))
        hanging.note(endless("a"), hung(3))
    assert skipped(hanging, endless("a")) == 0


def test_only_the_call_that_was_running_is_blamed() -> None:
    hanging = Hanging()
    for _ in range(PROVEN):
        hanging.note(endless("a"), hung(3))
    made = TestCase(endless("a").statements[:3])
    assert skipped(hanging, made) == 0


def test_methods_are_told_by_name_and_by_the_kind_of_the_receiver() -> None:
    def drained(text: str) -> TestCase:
        return TestCase((Literal(0, text), st.Call(1, HOLDER, Arguments((0,))), st.MethodCall(2, 1, "drain", Arguments())))

    hanging = Hanging()
    for _ in range(PROVEN):
        hanging.note(drained("x"), hung(2))
    assert skipped(hanging, drained("y")) == TRIED - 1
    assert skipped(hanging, drained("")) == 0
