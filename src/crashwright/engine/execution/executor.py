"""Runs a test by walking its statements: no printing, no compiling, 5-8 us for eight trivial calls (DESIGN, "The execution core").

The usual test is a straight line. ``Enter`` nests the rest of the test in a real ``with`` block, and a test that awaits
anything runs as a whole inside one event loop, both as in the printed test.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import TracebackType

from crashwright.core.chains import spliced
from crashwright.engine.execution.around import Before
from crashwright.engine.execution.handlers import HANDLERS, Environment, Handler, Note, noting, observing
from crashwright.engine.execution.heartbeat import Heartbeat
from crashwright.engine.execution.isolation.isolation import Isolation
from crashwright.engine.execution.limits import TestClock, TestTimeout
from crashwright.engine.execution.nested_run import NestedRun
from crashwright.engine.execution.outcome import InnerException, Outcome, RaisedFrame
from crashwright.engine.execution.running_call import TOLD, RunningCall
from crashwright.engine.execution.shared_settings import SETTING, SharedSettings
from crashwright.engine.execution.virtual_time import VirtualTime
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Statement
from crashwright.engine.testcase.testcase import TestCase

_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_SPECIAL = frozenset({st.Enter, st.Within, st.Await, st.FileFixture})
_TREES = frozenset({st.Display, st.Ref})
_MANY = 64
MOST_INNER = 64
"""Exceptions within another that are looked at."""
_COMPLETED = tuple(Outcome(executed) for executed in range(_MANY))
"""Outcomes of tests that ran to their end, by length: values, so they can be shared."""
_type = type
_RUNNING, _KEY, _TESTS, _CALL = 0, 1, 3, 13  # Cell numbers as plain ints: this is the hot path


class Spoiled(Exception):
    """The state of the subject cannot be put back: this fork has served its time, and ``reason`` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@lru_cache(maxsize=4096)
def _is_our_file(path: str) -> bool:
    return path.startswith(_OURS)


class Executor:
    """Runs tests one at a time in this process.

    ``clock`` and ``isolation`` may be left out (None) where nothing bad can happen. ``folder`` is where file fixtures go. After a
    run ``spoiled`` is None, or the reason why no further test must run in this fork.
    """

    def __init__(
        self,
        heartbeat: Heartbeat | None = None,
        clock: TestClock | None = None,
        isolation: Isolation | None = None,
        folder: str = "",
    ) -> None:
        self._cells = (heartbeat or Heartbeat()).cells
        self._clock = clock
        self._isolation = isolation
        self._folder = folder
        self._number = 0
        self._base = HANDLERS
        self._handlers = HANDLERS
        self._more: Mapping[type, Handler] = {}
        """Those of the statements of further kinds that the test at hand has."""
        self._running: RunningCall | None = None
        self._observing = 0
        self.observed: dict[Callee, dict[type, None]] = {}
        """The classes of results, in the order seen, as far as :meth:`observe` asked for them."""
        self.spoiled: str | None = None
        self._time: VirtualTime | None = None
        self._looks_inside = False
        self._keeps_variables = False
        self.variables: Environment = {}
        """What the variables of the running test hold so far."""

    @property
    def tests_run(self) -> int:
        """Runs of tests by this executor, repetitions included."""
        return self._number

    @property
    def was_slow(self) -> bool:
        """Whether the last test took longer than most do."""
        return self._clock is not None and self._clock.slow == self._number

    @property
    def observing(self) -> bool:
        """Whether the next run will still note the classes of results."""
        return self._observing > 0

    def observe(self, runs: int) -> None:
        """Note the classes of all call results during the next ``runs`` tests."""
        self._observing = runs
        handlers = observing(self.observed, self._base) if runs > 0 else self._base
        handlers = handlers if self._running is None else self._running.watching(handlers)
        self._handlers = {**handlers, **self._more} if self._more else handlers

    def tell(self, running: RunningCall) -> None:
        """From now on say what is being called, for the case that it ends this process."""
        self._running = running
        self.observe(self._observing)

    def _tell_of(self, test: TestCase) -> None:
        if self._running is not None and self._number <= TOLD:
            self._running.test = test
        else:
            self._running = None
            self.observe(self._observing)

    def look_inside(self) -> None:
        """From now on outcomes tell of the exceptions within the one that was raised."""
        self._looks_inside = True

    def keep_variables(self) -> None:
        """From now on outcomes of tests that raised tell what their variables held, until they are released."""
        self._keeps_variables = True

    def use(self, virtual: VirtualTime) -> None:
        """From now on tests sleep in virtual time."""
        self._time = virtual
        virtual.begin()

    def tell_sleeps(self, tell: Callable[[], None]) -> None:
        """From now on ``tell`` is called by each sleep in virtual time."""
        if self._time is not None:
            self._time.on_sleep = tell

    def note_results(self, note: Note) -> None:
        """From now on call ``note`` as soon as a call has returned (see ``handlers.noting``); it must not run code of the
        subject."""
        self._base = noting(note)
        self.observe(self._observing)

    def run(self, test: TestCase) -> Outcome:
        """Run ``test`` once, in a state as after the import. Whatever the test raises is part of the outcome.

        Raises Spoiled where an earlier test left something behind that cannot be undone: ask for a new fork.
        """
        if self.spoiled is not None:
            raise Spoiled(self.spoiled)
        statements = test.statements
        cells = self._cells
        number = self._number = self._number + 1
        outcome: Outcome
        if self._running is not None:
            self._tell_of(test)
        before = Before(statements, all_of_them=self._isolation is None) if st.Ambient in test.kinds() else None
        shared = None if SETTING.isdisjoint(test.kinds()) or self._isolation is None else SharedSettings(statements)
        try:
            cells[_KEY] = test.key()
            cells[_RUNNING] = number
            if _SPECIAL.isdisjoint(test.kinds()):
                outcome = self._straight(statements)
            else:
                outcome = self._special(statements)
            cells[_RUNNING] = cells[_CALL] = 0
        except BaseException as error:
            # Only a tick can raise here, between the test's own except clause and the store above; the test then ran out of time.
            cells[_RUNNING] = cells[_CALL] = 0
            if type(error) is not TestTimeout:
                raise
            outcome = Outcome(0, timed_out=True)
        cells[_TESTS] = number
        if self._clock is not None:
            self._clock.keep_handler()
            if self._clock.struck == number:
                # Also where the subject swallowed the timeout, or raised something else because of it.
                if self._isolation is not None:
                    self._isolation.restore_builtins()
                release(outcome)
                outcome = Outcome(outcome.executed, timed_out=True)
                self._clock.count_hung()
                self._clock.begin_anew()
        if before is not None:
            before.put_back()
        if shared is not None:
            shared.put_back()
        if self._isolation is not None:
            if self._clock is not None:
                self._clock.begin_anew()  # a test that took nearly all of its time leaves none for this
            try:  # put the subject's state back, under the clock, too: destructors run here
                cells[_RUNNING] = number
                self.spoiled = self._isolation.after_test()
                cells[_RUNNING] = 0
            except TestTimeout:
                cells[_RUNNING] = 0
                self.spoiled = "putting back the state of the subject took too long"
        if self._time is not None and self._time.slept:
            outcome = outcome._replace(slept=self._time.slept)
            self._time.slept = 0.0
        if self._observing:
            self.observe(self._observing - 1)
        return outcome

    def run_with(self, test: TestCase, more: Mapping[type, Handler], keep: bool = False) -> Outcome:
        """As :meth:`run` (or :meth:`run_and_keep`), for a test with statements of further kinds between its own: looks at its
        variables."""
        self._more = more
        self.observe(self._observing)
        try:
            return self.run_and_keep(test) if keep else self.run(test)
        finally:
            self._more = {}
            self.observe(self._observing)

    def run_aside(self, test: TestCase) -> Outcome:
        """As :meth:`run`, for a test that passes values of ours: what its calls return is noted nowhere."""
        observing, self._observing, self._handlers = self._observing, 0, HANDLERS
        try:
            return self.run(test)
        finally:
            self.observe(observing)

    def run_and_keep(self, test: TestCase) -> Outcome:
        """Run ``test`` and leave the subject's state as it is then. Follow it with ``Isolation.keep`` or ``restore``."""
        isolation, self._isolation = self._isolation, None
        try:
            return self.run(test)
        finally:
            self._isolation = isolation

    def _straight(self, statements: tuple[Statement, ...]) -> Outcome:
        # No builtin by name while subject code may have replaced them: ``__class__`` and not type().
        env: Environment = {}
        self.variables = env
        handlers, literal, trees = self._handlers, st.Literal, _TREES
        executed = 0
        try:
            for statement in statements:
                kind = statement.__class__
                if kind is literal and statement[1].__class__ not in trees:
                    env[statement[0]] = statement[1]  # most statements are plain literals
                else:
                    handlers[kind](env, statement)
                executed += 1
            env.clear()
        except BaseException as error:  # noqa: BLE001 (whatever subject code raises, SystemExit too, is an outcome)
            return self._raised(executed, error, env)
        return _COMPLETED[executed] if executed < _MANY else Outcome(executed)

    def _raised(self, executed: int, error: BaseException, env: Environment) -> Outcome:
        # Still no builtin by name: they are put back with everything else.
        if _type(error) is TestTimeout:
            return Outcome(executed, timed_out=True)
        inner = inner_exceptions(error) if self._looks_inside else ()
        return Outcome(executed, error, raised_frames(error), False, 0.0, inner, env if self._keeps_variables else None)

    def _special(self, statements: tuple[Statement, ...]) -> Outcome:
        handlers = {**self._handlers, st.FileFixture: self._file_fixture}
        run = NestedRun(handlers, statements, self._time, self._running)
        self.variables = run.env
        try:
            run.everything()
        except BaseException as error:  # noqa: BLE001 (as in _straight)
            return self._raised(run.executed, error, run.env)
        if run.error is not None:
            return self._raised(run.executed, run.error, run.env)
        return Outcome(run.executed)

    def _file_fixture(self, env: Environment, statement: st.FileFixture) -> None:
        variable, name, content = statement
        path = os.path.join(self._folder, name)
        data = content.encode() if isinstance(content, str) else content
        try:
            _write(path, data)
        except FileNotFoundError:  # rarely: mostly the folder is there, and to ask first takes as long as to write
            os.makedirs(os.path.dirname(path), exist_ok=True)
            _write(path, data)
        env[variable] = path


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


def raised_frames(error: BaseException) -> tuple[RaisedFrame, ...]:
    """The traceback of ``error``, outermost first, without our own frames."""
    # A look at a frame or code is an audit event (0.4 us each in an engine); the first two are the catcher and a handler.
    return _frames_from(_next(_next(_TRACEBACK(error))))


def is_of_test(error: BaseException) -> bool:
    """Whether what the test itself defines, a function or a stub, raised it."""
    traceback = _TRACEBACK(error)
    innermost = traceback
    while traceback is not None:
        innermost, traceback = traceback, traceback.tb_next
    return innermost is not None and _is_our_file(innermost.tb_frame.f_code.co_filename)


def _frames_from(traceback: TracebackType | None) -> tuple[RaisedFrame, ...]:
    frames = []
    is_ours = _is_our_file
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not is_ours(code.co_filename):
            frames.append(RaisedFrame(code, traceback.tb_lineno, traceback.tb_lasti))
        traceback = traceback.tb_next
    return (*frames,)


def _next(traceback: TracebackType | None) -> TracebackType | None:
    return None if traceback is None else traceback.tb_next


def inner_exceptions(error: BaseException) -> tuple[InnerException, ...]:
    """The exceptions within ``error``, as a traceback prints them, with their frames: members of groups, and what came before."""
    found: list[InnerException] = []
    seen = {id(error)}
    pending = [(error, raised_frames(error))]
    while pending and len(found) < MOST_INNER:
        outer, frames = pending.pop()
        before = _CAUSE(outer) or (None if _SUPPRESSED(outer) else _CONTEXT(outer))
        within = [(before, False)] if before is not None else []
        if issubclass(_type(outer), BaseExceptionGroup):
            within += [(member, True) for member in _MEMBERS(outer)]
        for inner, member in within:
            if id(inner) not in seen:
                seen.add(id(inner))
                own = spliced(frames, _frames_from(_TRACEBACK(inner)), lambda one, other: one.code is other.code)
                pending.append((inner, own))
                found.append(InnerException(inner, own, member, _NAME(_type(outer))))
    return (*found,)


def release(outcome: Outcome) -> None:
    """Let go of what is behind an outcome that has been looked at: the values of the test, and the frames of its exception and of
    those that it grew from."""
    first = outcome.error
    if first is None:
        return
    if outcome.variables is not None:
        outcome.variables.clear()
    if _CONTEXT(first) is None and _CAUSE(first) is None and not issubclass(type(first), BaseExceptionGroup):
        BaseException.with_traceback(first, None)
        return
    pending: list[BaseException | None] = [first]
    seen: set[int] = set()
    while pending:
        error = pending.pop()
        if error is None or id(error) in seen:
            continue
        seen.add(id(error))
        # Through the base class: a subject may define all of these anew.
        pending += (_CONTEXT(error), _CAUSE(error))
        if issubclass(type(error), BaseExceptionGroup):
            pending.extend(_MEMBERS(error))
        BaseException.with_traceback(error, None)


_CONTEXT: Callable[[BaseException], BaseException | None] = BaseException.__dict__["__context__"].__get__
_NAME: Callable[[type], str] = type.__dict__["__name__"].__get__
_SUPPRESSED: Callable[[BaseException], bool] = BaseException.__dict__["__suppress_context__"].__get__
_TRACEBACK: Callable[[BaseException], TracebackType | None] = BaseException.__dict__["__traceback__"].__get__
_MEMBERS: Callable[[BaseException], tuple[BaseException, ...]] = BaseExceptionGroup.__dict__["exceptions"].__get__
_CAUSE: Callable[[BaseException], BaseException | None] = BaseException.__dict__["__cause__"].__get__
