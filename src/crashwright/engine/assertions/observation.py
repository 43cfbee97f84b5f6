"""Runs a test and looks at what it makes: after each statement without touching the subject, and thoroughly at its end.

The looks are statements of a kind of their own, put between those of the test, so that the executor runs them like any other:
under the clock of the test, inside its ``with`` blocks and its event loop.
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

from crashwright.engine.assertions.assertion import Assertion, Observed, Raised
from crashwright.engine.assertions.clock import ClockWatch
from crashwright.engine.assertions.doubles import (
    calls_of,
    count_of_calls,
    doubles_in,
    method_calls_of,
    methods_named,
    objects_given,
)
from crashwright.engine.assertions.looks import Looker, SeenFact, is_iterator
from crashwright.engine.assertions.queries import Queries, Query, is_written_into
from crashwright.engine.assertions.raised import Judge, RaisedMessages, meant_always, no_accident, raised_by
from crashwright.engine.assertions.values import Present, ValueNames
from crashwright.engine.assertions.wholes import is_plain_record
from crashwright.engine.execution.executor import Executor, release
from crashwright.engine.execution.handlers import Environment
from crashwright.engine.execution.limits import TestTimeout
from crashwright.engine.frameworks.click_runner import is_runner
from crashwright.engine.subject.api.callee import CalleeKind
from crashwright.engine.subject.introspection import derives, identities, is_class, is_exception
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Ref, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined, used

MOST_TRIED = 12
"""Methods that are tried after one test."""
MOST_CANDIDATES = 80
"""Assertions that are tried for one test."""
_GIVEN = (st.Literal, st.Reference, st.StubCallable, st.StubClass, st.Definition, st.FileFixture, st.Ambient, st.RunModule)
_ALIASED = identities(type(None), bool, int, float, complex, str, bytes, tuple, frozenset, type)


_CAPTURED: dict[str, tuple[tuple[str, ...], Callable[[Any], object]]] = {
    "output": ((".readouterr()", ".out"), lambda captured: captured.readouterr().out),
    "log": ((".messages",), lambda captured: captured.messages),
}


class LookAt(NamedTuple):
    """A statement of ours: look at what the statement with this index did."""

    place: int


class AttemptAt(NamedTuple):
    """A statement of ours, the last one: call a method of which is not known yet whether that does harm."""

    query: Query


class Observation(NamedTuple):
    """What a run showed. ``executed`` statements completed; ``error`` names the exception's class, and ``raised`` how to assert it
    (None where it cannot be); ``refused`` where confinement made the exception, ``accident`` where nobody raised it on purpose."""

    executed: int
    assertions: tuple[Assertion, ...] = ()
    error: str = ""
    raised: Raised | None = None
    timed_out: bool = False
    refused: bool = False
    accident: bool = False


class Observer:
    """Observes tests that ``executor`` runs."""

    def __init__(
        self,
        executor: Executor,
        names: ValueNames,
        present: Present,
        quarantine: Collection[int] = (),
        is_accident: Judge = no_accident,
        is_meant: Judge = meant_always,
        refused: Callable[[], int] = int,
        moves_clocks: bool = False,
    ) -> None:
        """``moves_clocks``: whoever asks looks at the test on other days too, so that nothing is left out for that."""
        self._executor = executor
        self._names = names
        self._is_accident = is_accident
        self._is_meant = is_meant
        self._looker = Looker(names, present)
        self._queries = Queries(self._looker.direct)
        self._unknown: dict[tuple[type, str], Query] = {}
        """Methods that somebody would have to try first."""
        self._given_up = False
        """A method has done harm that was thought to do none."""
        self._quarantine = quarantine
        self._refused = refused
        self.forgiven = 0
        """How often something was refused to a method that was only tried: that is not the test's doing."""
        self._wording = RaisedMessages(executor, present, quarantine)
        self._test = TestCase(())
        self._known: dict[tuple[Variable, tuple[str, ...]], SeenFact] = {}
        self._found: list[Assertion] = []
        self._thorough = True
        self._records: set[Variable] = set()
        """Objects that keep what the test gave them: that they do is not worth saying."""
        self._watch = ClockWatch()
        self._moves_clocks = moves_clocks
        self._asked_at: int | None = None
        """The first statement that asked for the date or the time."""
        self._given: frozenset[str] = frozenset()

    def key(self, test: TestCase) -> int:
        """The key under which a test that kills the engine while it is observed is put into quarantine."""
        return _with_looks(test).key()

    def observe(self, test: TestCase, thorough: bool = True) -> Observation:
        """Run ``test``. ``thorough``: at its end, look also where that runs code of the subject, and all along see whether it
        asks for the time, which takes some. Methods that were never called are tried in runs of their own. Raises Spoiled."""
        self._unknown.clear()
        seen = self._observed(test, thorough)
        if self._unknown and thorough and not seen.timed_out:
            refused = self._refused()
            tried = [*self._unknown.values()][:MOST_TRIED]
            for query in tried:
                self._attempt(test, query)
            self.forgiven += self._refused() - refused
            if any(map(self._queries.is_harmless, tried)):
                seen = self._observed(test, thorough)
        if self._given_up:
            seen = self._observed(test, thorough)
        return seen

    def _attempt(self, test: TestCase, query: Query) -> None:
        attempt: Any = TestCase((*test.statements, AttemptAt(query)))  # type: ignore[arg-type]
        if attempt.key() in self._quarantine:
            self._queries.give_up(query)
            return
        refused = self._refused()
        outcome = self._executor.run_with(attempt, {AttemptAt: lambda env, one: self._queries.attempt(one.query, env)})
        if outcome.timed_out or self._refused() > refused:
            self._queries.give_up(query)
        release(outcome)

    def _observed(self, test: TestCase, thorough: bool) -> Observation:
        """One run."""
        self._given_up = False
        self._test, self._thorough = test, thorough
        self._asked_at, self._given = None, _given_in(test)
        self._known.clear()
        self._records.clear()
        self._found.clear()
        self._watch.take()
        if thorough and not self._moves_clocks:
            self._watch.on()
        try:
            outcome = self._executor.run_with(_with_looks(test), {LookAt: self._look})
        finally:
            self._watch.off()
        executed = (outcome.executed + 1) // 2
        if outcome.error is not None:
            executed = outcome.executed // 2
        if outcome.timed_out or outcome.error is None:
            return Observation(executed, self._tidied(), timed_out=outcome.timed_out)
        error, raised, refused = raised_by(outcome.error, self._names, self._wording)
        outcome = outcome._replace(executed=executed)
        accident = self._is_accident(test, outcome)
        if raised is not None and not self._is_meant(test, outcome):
            raised = raised._replace(message=None)  # the words are somebody else's, and others in the next version
        release(outcome)
        kept = tuple(one for one in self._tidied() if one.after < executed)
        return Observation(executed, kept, error, raised, refused=refused, accident=accident)

    def _look(self, env: Environment, statement: Any) -> None:
        index: int = statement.place
        try:
            self._at(index, env)
            if index + 1 == len(self._test) and self._thorough:
                self._at_end(index, env)
        except TestTimeout:
            raise
        except Exception:  # noqa: BLE001 (builtins that the subject has replaced may fail us: then there is nothing to see)
            self._thorough = False

    def _at(self, index: int, env: Environment) -> None:
        """The result of the statement, and what it changed of the variables that it uses."""
        if self._watch.take() and self._asked_at is None:
            self._asked_at = index
        statement = self._test.statements[index]
        variable = defined(statement)
        if variable is not None and variable in env:
            value = env[variable]
            given = _is_given(statement)
            if not given and isinstance(statement, st.Call) and _is_record(statement):
                given = True
                self._records.add(variable)
            alias = None if given else self._alias(variable, value, env, used(statement))
            if alias is not None:
                self._add(index, variable, alias)
            else:
                self._note(index, variable, self._looker.plain(value), told=not given)
        for one in dict.fromkeys(used(statement)):
            if one in env and id(type(env[one])) not in _ALIASED and one != variable:
                self._note(index, one, self._looker.plain(env[one]), told=True)

    def _alias(self, variable: Variable, value: object, env: Environment, near: Iterable[Variable]) -> SeenFact | None:
        """The result is the receiver or an argument itself."""
        if id(type(value)) in _ALIASED:
            return None
        return next((SeenFact((), "is", Ref(one)) for one in near if one != variable and env.get(one) is value), None)

    def _note(self, index: int, variable: Variable, facts: Iterable[SeenFact], told: bool) -> None:
        for fact in facts:
            place = (variable, fact.path)
            if self._known.get(place) != fact or repr(self._known[place]) != repr(fact):  # 1 is not True
                self._known[place] = fact
                if told:
                    self._add(index, variable, fact)

    def _at_end(self, index: int, env: Environment) -> None:
        """Everything about every object that the test has made, the youngest first."""
        seen: set[int] = set()
        for statement in reversed(self._test.statements):
            variable = defined(statement)
            if variable is None or variable not in env or _is_given(statement):
                continue
            value = env[variable]
            if id(type(value)) in _ALIASED and self._looker.direct(value) is not None:
                if statement is self._test.statements[-1]:
                    self._add_vague(index, variable, value)
                continue  # it cannot have changed since
            if id(value) in seen:
                continue
            seen.add(id(value))
            if statement is self._test.statements[-1]:
                self._add_vague(index, variable, value)
            consume = is_iterator(value) and not self._is_used(variable)
            facts = self._looker.full(value, consume)
            if self._watch.take():
                continue  # of a property, or a text, that tells the time
            for fact in facts:
                if self._is_news(variable, fact):
                    self._add(index, variable, fact)

        self._ask_doubles(index, env)
        self._ask_all(index, env)

    def _ask_doubles(self, index: int, env: Environment) -> None:
        """What they were called with, and what was written and logged meanwhile."""
        for statement in self._test.statements:
            if isinstance(statement, st.Ambient) and (look := _CAPTURED.get(statement.place)) is not None:
                path, read = look
                noted = read(env[statement.variable])
                fact = self._looker.direct(noted) if noted else None
                if fact is not None:
                    self._add(index, statement.variable, fact._replace(path=path))
        for variable in doubles_in(self._test.statements):
            double, direct = env.get(variable), self._looker.direct
            fact = calls_of(double, direct)
            facts = () if fact is None else (fact,)
            named = methods_named(self._test.statements, variable)
            opened = objects_given(double, direct, lambda value: self._looker.full(value, consume=False))
            for one in (*facts, *opened, *method_calls_of(double, direct, named), *count_of_calls(double)):
                self._add(index, variable, one)

    def _ask_all(self, index: int, env: Environment) -> None:
        """What the objects answer, the youngest first; what is not known to do no harm is left for runs of its own."""
        given = [value for value in env.values() if type(value) is str or type(value) is int]
        seen: set[int] = set()
        for statement in reversed(self._test.statements):
            variable = defined(statement)
            if variable is None or variable not in env or id(env[variable]) in seen:
                continue
            value = env[variable]
            if _is_given(statement) and not is_written_into(value):
                continue
            seen.add(id(value))
            for query in self._queries.of(variable, value, given):
                if not self._queries.is_known(query):
                    self._unknown.setdefault((query.cls, query.name), query)
                elif self._queries.is_harmless(query):
                    fact = self._queries.answer(query, value)
                    self._given_up |= not self._queries.is_harmless(query)
                    if not self._watch.take() and fact is not None:
                        self._add(index, variable, fact)

    def _is_news(self, variable: Variable, fact: SeenFact) -> bool:
        """A record of what it was given says nothing new."""
        is_known = self._known.get((variable, fact.path)) == fact
        if variable in self._records:
            return not is_known and fact.kind != "isinstance"
        return bool(fact.path) or not is_known

    def _add_vague(self, index: int, variable: Variable, value: object) -> None:
        """What is left to say of a result where the value is another one in the next run."""
        for fact in self._looker.vague(value):
            self._add(index, variable, fact)

    def _is_used(self, variable: Variable) -> bool:
        return any(variable in used(statement) for statement in self._test.statements)

    def _add(self, index: int, variable: Variable, fact: SeenFact) -> None:
        self._found.append(Assertion(index, Observed(variable, fact.path), fact.kind, fact.expected))

    def _tidied(self) -> tuple[Assertion, ...]:
        """In order, without states in the middle of the test that are still the same at its end."""
        last = len(self._test) - 1
        final = {repr(one[1:]) for one in self._found if one.after == last and one.observed.path}
        kept = [one for one in self._found if one.after == last or not one.observed.path or repr(one[1:]) not in final]
        kept = list({repr(one): one for one in kept if self._is_timeless(one)}.values())
        kept.sort(key=lambda one: one.after)
        return tuple(kept[-MOST_CANDIDATES:])

    def _is_timeless(self, assertion: Assertion) -> bool:
        """Whether it will be so tomorrow: it comes before the test asked for the time, or only tells what the test itself gave, how
        long something is, or of which class."""
        if self._asked_at is None or assertion.after < self._asked_at or assertion.kind == "isinstance":
            return True
        expected = assertion.expected
        return isinstance(expected, Ref) or assertion.observed.path[-1:] == ("len",) or repr(expected) in self._given


def _is_given(statement: st.Statement) -> bool:
    """Whether what it makes is given by the test and made by no code of the subject: a literal, or an object of the standard
    library; also a member of an enumeration, which ``enum`` finds."""
    if isinstance(statement, _GIVEN):
        return True
    if not isinstance(statement, st.Call) or statement.callee.kind is not CalleeKind.CLASS:
        return False
    live = statement.callee.live
    if is_runner(live):
        return True
    is_standard = statement.callee.module.partition(".")[0] in sys.stdlib_module_names
    return is_standard or (is_class(live) and derives(live, enum.Enum))


def _is_record(statement: st.Call) -> bool:
    live = statement.callee.live
    return statement.callee.kind is CalleeKind.CLASS and is_class(live) and (is_plain_record(live) or is_exception(live))


def _given_in(test: TestCase) -> frozenset[str]:
    """The texts and numbers that the test gives."""
    values = (one.value for one in test.statements if isinstance(one, st.Literal))
    return frozenset(repr(value) for value in values if type(value) in (str, bytes, int, float))


def _with_looks(test: TestCase) -> TestCase:
    pairs: list[Any] = []
    for index, statement in enumerate(test.statements):
        pairs += (statement, LookAt(index))
    return TestCase(tuple(pairs))
