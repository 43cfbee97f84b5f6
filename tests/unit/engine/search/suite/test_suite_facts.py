"""What a test called is what that test called, whatever ran before it."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import cast

import pytest

from crashwright.core.settings import Budget
from crashwright.engine.execution.executor import Executor
from crashwright.engine.execution.outcome import Outcome, RaisedFrame
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.output import output_classes
from crashwright.engine.instrument.trace import MADE, CallFact, Trace
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.evaluator import Evaluator, RunSurroundings
from crashwright.engine.search.suite.facts import RaisePlaces, RunFacts
from crashwright.engine.search.suite.scorer import SuiteScorer
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.statements import NO_ARGUMENTS, Arguments, Call, Statement, StubCallable
from crashwright.engine.testcase.testcase import TestCase

FIRST, SECOND = (Callee("m", name, CalleeKind.FUNCTION) for name in ("first", "second"))


class Wide:
    @property
    def size(self) -> int:
        raise ValueError


class Tall:
    @property
    def size(self) -> int:
        raise KeyError

    @size.setter
    def size(self, value: int) -> None:
        if value < 0:
            raise ValueError

    @size.deleter
    def size(self) -> None:
        raise LookupError


class Taller(Tall):
    pass


class Full:
    @property
    def items(self) -> Iterator[int]:
        yield 1


async def fetched(fail: bool = False) -> int:
    if fail:
        raise OSError
    return 3


def counted(upto: int = 0, fail: bool = False) -> Iterator[int]:
    yield from range(upto)
    if fail:
        raise OSError


async def streamed() -> AsyncIterator[int]:
    yield 1


@contextlib.contextmanager
def opened(fail: bool = False, fail_at_exit: bool = False) -> Iterator[str]:
    if fail:
        raise OSError
    yield ""
    if fail_at_exit:
        raise EOFError


@contextlib.asynccontextmanager
async def connected() -> AsyncIterator[None]:
    yield None


def borrowed() -> contextlib.AbstractContextManager[str]:
    return opened()


def deferring(function: Callable[..., object], is_async: bool = False, is_generator: bool = False) -> Callee:
    return Callee("m", function.__name__, CalleeKind.FUNCTION, live=function, is_async=is_async, is_generator=is_generator)


FETCHED, COUNTED = deferring(fetched, is_async=True), deferring(counted, is_generator=True)
STREAMED, OPENED = deferring(streamed, is_async=True, is_generator=True), deferring(opened)
CONNECTED, BORROWED = deferring(connected), deferring(borrowed)
FULL = Callee("m", "Full", CalleeKind.CLASS, live=Full, owner=Full)
ITEMS = Callee("m", "Full.items", CalleeKind.PROPERTY, live=Full.items, owner=Full, is_generator=True)  # type: ignore[attr-defined]
DEFERRING = (FETCHED, COUNTED, STREAMED, OPENED, CONNECTED, BORROWED, ITEMS)
WIDE, TALL, TALLER = (Callee("m", cls.__name__, CalleeKind.CLASS, live=cls, owner=cls) for cls in (Wide, Tall, Taller))
SIZES = [
    Callee("m", f"{cls.__name__}.size", CalleeKind.PROPERTY, live=cls.__dict__.get("size", Tall.size), owner=cls)
    for cls in (Wide, Tall, Taller)
]


def ran(watched: Sequence[Callee], *statements: Statement) -> tuple[CallFact, ...]:
    """What a test that is run here says of these callables."""
    text = Path(__file__).read_text()
    facts, executor = RunFacts(watched, output_classes, RaisePlaces(__file__, ast.parse(text))), Executor()
    executor.note_results(facts.note)
    facts.reset()
    test = TestCase(statements)
    return facts.take(test, executor.run(test))


class Reports:
    """Runs nothing, reports each call as made."""

    def __init__(self, note: Callable[[object, dict[int, object]], None]) -> None:
        self._note = note

    def run(self, test: TestCase) -> Outcome:
        for statement in test.statements:
            self._note(statement, {0: None})
        return Outcome(len(test.statements))


class Nothing:
    """Records nothing, and covers a goal for each call."""

    def reset(self) -> None:
        pass

    def trace(self) -> Trace:
        return Trace((), [])

    def footprint(self, trace: Trace) -> Trace:
        return trace

    def covered(self, left: Trace) -> int:
        return sum(1 << ("m:first", "m:second").index(call.address) for call in left.calls)


def test_calls_of_runs_that_nobody_measures_are_not_counted_for_the_next_test() -> None:
    facts = RunFacts((FIRST, SECOND), lambda _value: (), RaisePlaces("m.py", ast.parse("")))
    runner, nothing = Reports(facts.note), Nothing()
    meter = BudgetMeter(Budget(None, 10), lambda: 0.0)
    scorer = SuiteScorer(facts, cast(Catalogue, nothing))
    evaluator = Evaluator(RunSurroundings(runner, nothing, meter, Quarantine()), scorer)
    first, second = (TestCase((Call(0, callee, NO_ARGUMENTS),)) for callee in (FIRST, SECOND))
    runner.run(first)  # as exploration does
    assert evaluator.measure(second).covered == 0b10
    assert [ran.covered for ran in evaluator.evaluate_all([first, second])] == [0b01, 0b10]


def raised_by(test: TestCase, error: Exception, *lines: int) -> str:
    """How the exception of the last statement counts; ``lines`` of the module are its frames."""
    tree = ast.parse("def first(f):\n    f()\n    raise ValueError\n    assert f\n")
    facts = RunFacts((FIRST,), lambda _value: (), RaisePlaces("m.py", tree))
    code = compile(tree, "m.py", "exec")
    frames = tuple(RaisedFrame(code, line, 0) for line in lines)
    return facts.take(test, Outcome(len(test.statements) - 1, error, frames))[0].kind


def test_who_raised_is_told_by_the_frames() -> None:
    test = TestCase((Call(0, FIRST, NO_ARGUMENTS),))
    assert raised_by(test, ValueError(), 3) == "explicit"
    assert raised_by(test, AssertionError(), 4) == "assertion"
    assert raised_by(test, TypeError(), 2) == "implicit"
    assert raised_by(test, TypeError()) == "outside"


def test_what_a_stub_of_the_test_raises_says_nothing_of_the_module() -> None:
    stubbed = TestCase((StubCallable(0, "", None, "KeyError"), Call(1, FIRST, Arguments((0,)))))
    assert raised_by(stubbed, KeyError(), 2) == "outside"
    assert raised_by(stubbed, ValueError(), 3) == "explicit"


def test_what_a_property_raises_is_said_of_the_class_of_its_object() -> None:
    facts = [ran(SIZES, Call(0, cls, NO_ARGUMENTS), st.GetAttribute(1, 0, "size"))[-1] for cls in (WIDE, TALL, TALLER)]
    assert facts == [
        CallFact("m:Wide.size", (), "ValueError", "explicit"),
        CallFact("m:Tall.size", (), "KeyError", "explicit"),
        CallFact("m:Taller.size", (), "KeyError", "explicit"),
    ]


def test_what_setting_and_deleting_a_property_raises_counts_apart_from_reading_it() -> None:
    taller = Call(0, TALLER, NO_ARGUMENTS)
    assert not ran(SIZES, taller, st.Literal(1, 2), st.SetAttribute(0, "size", 1))
    assert not ran(SIZES, taller, st.Literal(1, 2), st.SetAttribute(0, "else", 1), st.DeleteAttribute(0, "nothing"))
    [set_] = ran(SIZES, taller, st.Literal(1, -2), st.SetAttribute(0, "size", 1))
    [deleted] = ran(SIZES, taller, st.DeleteAttribute(0, "size"))
    assert set_ == CallFact("m:Taller.size", (), "ValueError", "explicit", "setter")
    assert deleted == CallFact("m:Taller.size", (), "LookupError", "explicit", "deleter")
    [read_only] = ran(SIZES, Call(0, WIDE, NO_ARGUMENTS), st.DeleteAttribute(0, "size"))
    assert read_only.kind == "outside"


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")
@pytest.mark.parametrize(
    ("callee", "driver", "output"),
    [
        (FETCHED, st.Await(1, 0), ("int positive",)),
        (COUNTED, st.Iterate(1, 0, "list", 50), ("generator empty",)),
        (COUNTED, st.Iterate(1, 0, "for"), ()),
        (STREAMED, st.Await(1, 0, "list"), ("async_generator non-empty",)),
        (OPENED, st.Enter(1, 0), ("str empty",)),
        (OPENED, st.Within(1, 0), ("str empty",)),
        (CONNECTED, st.Enter(1, 0, is_async=True), ("None",)),
    ],
)
def test_what_defers_its_body_comes_to_its_end_only_where_it_is_driven(
    callee: Callee, driver: Statement, output: tuple[str, ...]
) -> None:
    made = CallFact(callee.address, kind=MADE)
    assert ran(DEFERRING, Call(0, callee, NO_ARGUMENTS)) == (made,)
    assert ran(DEFERRING, Call(0, callee, NO_ARGUMENTS), driver) == (made, CallFact(callee.address, output))
    assert ran(DEFERRING, Call(0, callee, NO_ARGUMENTS), st.Literal(0, ()), st.Iterate(1, 0, "list")) == (made,)


def test_generators_may_be_properties_and_show_one_item() -> None:
    facts = ran(DEFERRING, Call(0, FULL, NO_ARGUMENTS), st.GetAttribute(1, 0, "items"), st.Iterate(2, 1, "next"))
    assert facts == (CallFact("m:Full.items", kind=MADE), CallFact("m:Full.items", ("generator non-empty",)))


def test_what_the_body_raises_is_said_of_what_was_called() -> None:
    fail, fail_at_exit = (Arguments((), ((name, 9),)) for name in ("fail", "fail_at_exit"))
    true = st.Literal(9, value=True)
    assert ran(DEFERRING, true, Call(0, COUNTED, fail), st.Iterate(1, 0, "list")) == (
        CallFact("m:counted", kind=MADE),
        CallFact("m:counted", (), "OSError", "explicit"),
    )
    assert ran(DEFERRING, true, Call(0, OPENED, fail), st.Enter(1, 0)) == (
        CallFact("m:opened", kind=MADE),
        CallFact("m:opened", (), "OSError", "explicit"),
    )
    assert ran(DEFERRING, true, Call(0, OPENED, fail_at_exit), st.Enter(1, 0)) == (
        CallFact("m:opened", kind=MADE),
        CallFact("m:opened", (), "EOFError", "explicit"),
    )


def test_a_function_that_hands_out_what_another_made_has_run() -> None:
    [fact] = ran(DEFERRING, Call(0, BORROWED, NO_ARGUMENTS))
    assert fact == CallFact("m:borrowed", ("_GeneratorContextManager",))
