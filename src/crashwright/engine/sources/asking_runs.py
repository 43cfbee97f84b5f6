"""Runs in which an application is asked, and tests that do what was asked: both are made of the same calls.

What an application refuses leaves its state as it was, so that one run is enough for many questions.

# Deviation: the papers' subjects are called, and not asked.
"""

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from random import Random
from types import CodeType
from typing import Any, NamedTuple, cast

from crashwright.engine.execution.executor import release
from crashwright.engine.execution.limits import TestTimeout
from crashwright.engine.frameworks.registry import listening
from crashwright.engine.sources.applications.conversation import Answered, Ask
from crashwright.engine.sources.applications.operations import Asking, by_process, root_name, run_by, statements_of
from crashwright.engine.sources.applications.replies import Reply, reply_of, reply_raised
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.module_runs import line_in, module_run, program_of, run_with
from crashwright.engine.sources.project_files import LONGEST, beside, files_named
from crashwright.engine.subject.project_files import small_texts
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.echoing.drivers import called_by
from crashwright.engine.testcase.statements import Statement, Variable
from crashwright.engine.testcase.testcase import TestCase

LONGEST_TALK, BUSY = 4.0, 2.5
"""CPU seconds that a conversation may take; how much longer it may take on the wall clock."""


class _Talk(NamedTuple):
    """Stands in the place of a call, and asks the application instead. ``holder`` has the client that is called; where none has,
    that is ``live``."""

    holder: Variable | None
    live: object = None


class AskingRuns:
    """Of one search."""

    def __init__(self, asking: Asking, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> None:
        self._asking = asking
        self._subject = subject
        self._so_far = so_far
        self._rng = rng
        self._drivers = frozenset((*subject.clients, *so_far.factory.entry))
        self.in_folder = asking.in_folder
        """Whether each test has a folder of its own."""
        self._files = files_named(subject) if self.in_folder else ()
        self._module = module_run(subject)
        self.texts = dict(small_texts(self._files, LONGEST))
        """Of these files, by their paths in the folder of the test."""

    def test(self, calls: Sequence[ast.Call], opening: Sequence[ast.stmt] | None = None) -> TestCase | None:
        """A test that makes these calls, behind another ``opening`` than the usual one if it has one; None where none can. The last
        one is made by the module that the crash begins in, if it does in one."""
        test = self._calling(calls, opening)
        place = None if test is None or self._module is None else self._last_question(test)
        if test is None or place is None or self._module is None:
            return test
        made = run_with(self._module, program_of(self._subject), line_in(calls[-1]), self._so_far.factory.new)
        begun = list(test.statements[:place])
        if by_process(calls[-1]) is not None:
            # The process gets its arguments from the run of the module.
            begun.pop(next(at for at in reversed(range(place)) if isinstance(one := begun[at], st.Ambient) and one.place == "argv"))
        return TestCase((*begun, *made))

    def _calling(self, calls: Sequence[ast.Call], opening: Sequence[ast.stmt] | None = None) -> TestCase | None:
        runner = self._asking.runner
        if runner and len(calls) > 1:
            # Errors of the last one alone come through.
            before = [*ast.parse(f"runner = {runner}()").body, *(each for one in calls[:-1] for each in run_by("runner", one))]
        else:
            before = [each for one in calls[:-1] for each in statements_of(one)]
        last = [each for one in calls[-1:] for each in statements_of(one)]
        begun = self._asking.opening if opening is None else opening
        test = self._so_far.seeds.asked((*begun, *before, *last), self._rng)
        return test if test is None or not self._files else beside(test, self._files, self._so_far)

    def before_last(self, test: TestCase, made: Sequence[Statement]) -> TestCase | None:
        """With these statements ahead of the call that is made last."""
        place = self._last_question(test)
        return None if place is None else TestCase((*test.statements[:place], *made, *test.statements[place:]))

    def converse(
        self, before: Sequence[ast.Call], talk: Callable[[Ask], None], learn: Callable[[Sequence[Answered]], None] | None = None
    ) -> None:
        """Make these calls, and then ask what ``talk`` asks, in one run. ``learn`` is told what they were answered: not always what
        they were answered before."""
        ways = [way for one in (*self._asking.targets, *self._asking.others) for way in one.ways[:1]]
        # Others are made without anybody who hears the answer.
        heard = before if learn is not None and all(root_name(one) == root_name(ways[0]) for one in before) else ()
        test = self._calling([*(() if heard else before), *ways[:1]])
        place = None if test is None else self._last_question(test)
        if test is None or place is None or self._so_far.quarantine.holds(test):
            return
        statements = (*test.statements[:place], cast(Statement, _Talk(*_called(test.statements[place]))))
        self._so_far.meter.spend()
        self._subject.recorder.reset()

        def handle(env: dict[int, Any], statement: _Talk) -> None:
            called = env.get(statement.holder) if statement.holder is not None else statement.live
            if learn is not None:
                learn([(call, _answer(called, call)) for call in heard])
            talk(self._ask(called))

        with self._at_length(), listening(self._subject.start.settings.preparation):
            outcome = self._so_far.bench.executor.run_with(TestCase(statements), {_Talk: handle})
        self._subject.recorder.drop_wanted()
        if outcome.error is not None and outcome.executed == len(statements) - 1:
            raise outcome.error  # whatever the subject raises is an answer: it is a defect of ours
        release(outcome)

    @contextmanager
    def _at_length(self) -> Iterator[None]:
        """With more time than a test has: hundreds of questions, and to put back what they have changed."""
        clock = self._so_far.bench.clock
        usual, wall = clock.limit, clock.wall_limit
        clock.set_limit(max(usual, LONGEST_TALK), max(wall, BUSY * LONGEST_TALK))
        try:
            yield
        finally:
            clock.set_limit(usual, wall)

    def _last_question(self, test: TestCase) -> int | None:
        held = {one.variable: one.named for one in test.statements if isinstance(one, st.Reference)}
        for place, one in reversed(list(enumerate(test.statements))):
            if isinstance(one, st.RunModule):
                return place
            if isinstance(one, st.MethodCall | st.Call | st.CallValue) and not self._drivers.isdisjoint(called_by(one, held)):
                return place
        return None

    def _ask(self, called: object) -> Ask:
        def ask(call: ast.Call) -> Reply:
            if self._so_far.is_spent:
                return Reply(False, "", crashed=True)  # nothing more is asked, and the conversation ends
            self._so_far.meter.spend()
            return _answer(called, call)

        return ask


def _answer(called: object, call: ast.Call) -> Reply:
    """What is answered to it."""
    said = io.StringIO()
    names = {root_name(call): called, "__builtins__": {}}
    words, before = by_process(call), sys.argv
    try:
        with redirect_stdout(said), redirect_stderr(said):
            if words is not None:
                sys.argv = [st.PROGRAM, *words]
            value = eval(_compiled(call), names)
    except TestTimeout:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever the subject raises, SystemExit too, is an answer
        return reply_raised(error, said.getvalue())
    finally:
        sys.argv = before
    return reply_of(value, said.getvalue())


def _called(statement: Statement) -> tuple[Variable | None, object]:
    match statement:
        case st.MethodCall(receiver=receiver):
            return receiver, None
        case st.CallValue(function=function):
            return function, None
        case st.Call(callee=callee):
            return None, callee.live
        case _:
            return None, None


def _compiled(call: ast.Call) -> CodeType:
    statement = statements_of(call)[-1]
    assert isinstance(statement, ast.Expr)
    return compile(ast.Expression(statement.value), "<asked>", "eval")
