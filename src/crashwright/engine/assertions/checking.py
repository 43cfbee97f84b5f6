"""Runs a test with assertions and tells which of them hold, each on its own: what is not true does not end the run."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from itertools import islice
from typing import Any, NamedTuple, cast

from crashwright.engine.assertions.assertion import Assertion, Raised
from crashwright.engine.assertions.queries import asked
from crashwright.engine.assertions.raised import Judge, RaisedMessages, no_accident, raised_by
from crashwright.engine.assertions.values import Present, ValueNames
from crashwright.engine.execution.executor import Executor, release
from crashwright.engine.execution.handlers import Environment, expect
from crashwright.engine.execution.limits import TestTimeout
from crashwright.engine.testcase.statements import Display, Expected, Named
from crashwright.engine.testcase.testcase import TestCase

RELATIVE, ABSOLUTE = 1e-6, 1e-12
"""The tolerances of ``pytest.approx``."""
_MOST_ITEMS = 1000
"""A mutant may make an iterator endless."""


class CheckAt(NamedTuple):
    """A statement of ours: check the assertions that stand after the statement with this index."""

    place: int


class Marked(NamedTuple):
    """A statement of ours at the beginning of a test: with it the test has another key, its own in each mutant, which is made live
    there."""

    number: int


class Checked(NamedTuple):
    """``held[i]`` is None where assertion i was not reached. The rest is as in an ``Observation``."""

    held: tuple[bool | None, ...]
    executed: int
    error: str = ""
    raised: Raised | None = None
    timed_out: bool = False
    refused: bool = False
    accident: bool = False


class Checker:
    """Checks tests that ``executor`` runs."""

    def __init__(
        self,
        executor: Executor,
        names: ValueNames,
        present: Present,
        quarantine: Collection[int] = (),
        is_accident: Judge = no_accident,
    ) -> None:
        self._executor = executor
        self._names = names
        self._is_accident = is_accident
        self._wording = RaisedMessages(executor, present, quarantine)
        self._assertions: Sequence[Assertion] = ()
        self._places: dict[int, list[int]] = {}
        self._held: list[bool | None] = []
        self.begin: Callable[[], None] = as_it_is
        """What makes a mutant live in each test that is marked with it."""

    def check(self, test: TestCase, assertions: Sequence[Assertion], keep: bool = False) -> Checked:
        """Run the test once. ``keep``: leave the subject's state as it is then. Raises Spoiled."""
        return self.check_prepared(with_checks(test, assertions), assertions, keep)

    def check_prepared(self, test: TestCase, assertions: Sequence[Assertion], keep: bool = False) -> Checked:
        """The same, for a test that :func:`with_checks` has made."""
        self._assertions = assertions
        self._held = [None] * len(assertions)
        self._places = {}
        for number, assertion in enumerate(assertions):
            self._places.setdefault(assertion.after, []).append(number)
        outcome = self._executor.run_with(test, {CheckAt: self._check, Marked: self._begin}, keep)
        statements: tuple[object, ...] = test.statements[: outcome.executed]
        executed = sum(not isinstance(one, CheckAt | Marked) for one in statements)
        held = tuple(self._held)
        if outcome.timed_out or outcome.error is None:
            return Checked(held, executed, timed_out=outcome.timed_out)
        error, raised, refused = raised_by(outcome.error, self._names, self._wording)
        own = TestCase(tuple([one for one in test.statements if not isinstance(one, CheckAt | Marked)]))
        accident = self._is_accident(own, outcome._replace(executed=executed))
        release(outcome)
        return Checked(held, executed, error, raised, refused=refused, accident=accident)

    def _begin(self, _env: Environment, _statement: Any) -> None:
        self.begin()

    def _check(self, env: Environment, statement: Any) -> None:
        for number in self._places.get(statement.place, ()):
            self._held[number] = holds(self._assertions[number], env)


def as_it_is() -> None:
    """For tests that run as they are."""


def with_checks(test: TestCase, assertions: Sequence[Assertion], mark: int = 0) -> TestCase:
    """``test`` with a look after each statement that has assertions; ``mark`` tells mutants apart."""
    places = {assertion.after for assertion in assertions}
    statements: list[Any] = [Marked(mark)] if mark else []
    for index, statement in enumerate(test.statements):
        statements.append(statement)
        if index in places:
            statements.append(CheckAt(index))
    return TestCase(tuple(statements))


def same_exception(one: Raised | None, other: Raised | None) -> bool:
    """Whether ``pytest.raises`` for the first is content with the second."""
    if one is None or other is None:
        return one is other
    if one.exception != other.exception:
        return False
    return one.message is None or (other.message is not None and one.message in other.message)


def holds(assertion: Assertion, env: Environment) -> bool:
    """Whether the assertion is true of the variables as they are now; false where the look at them raises."""
    try:
        actual = env[assertion.observed.variable]
        for step in assertion.observed.path:
            actual = _step(actual, step)
        return _KINDS[assertion.kind](actual, assertion.expected, env)
    except TestTimeout:
        raise
    except BaseException:  # noqa: BLE001 (whatever the subject raises, SystemExit too: the printed assertion fails as well)
        return False


def _step(value: Any, step: str) -> Any:
    if step.endswith(")"):
        return asked(value, step)
    if step.startswith("."):
        return getattr(value, step[1:])
    if step.startswith("["):
        return value[int(step[1:-1])]
    return _STEPS[step](value)


_STEPS: dict[str, Callable[[Any], Any]] = {
    "len": len,
    "str": str,
    "repr": repr,
    "list": lambda value: list(islice(value, _MOST_ITEMS)),
    "type": lambda value: type(value).__name__,
}


def _equals(actual: Any, expected: Expected, env: Environment) -> bool:
    return bool(actual == expect(expected, env))


def _is(actual: Any, expected: Expected, env: Environment) -> bool:
    return actual is expect(expected, env)


def _approximately(actual: Any, expected: Expected, env: Environment) -> bool:
    if not isinstance(expected, Display):
        return _close(actual, expected)
    wanted = expect(expected, env)
    if expected.kind == "dict":
        return set(actual) == set(wanted) and all(_close(actual[key], value) for key, value in wanted.items())
    return bool(len(actual) == len(wanted)) and all(map(_close, actual, wanted))


def _close(actual: Any, expected: Any) -> bool:
    if bool(actual == expected):
        return True
    if type(expected) not in (float, int, complex) or type(actual) not in (float, int, complex):
        return False
    if not math.isfinite(abs(expected)) or not math.isfinite(abs(actual)):
        return False
    return bool(abs(actual - expected) <= max(RELATIVE * abs(expected), ABSOLUTE))


def _isinstance(actual: Any, expected: Expected, _env: Environment) -> bool:
    return isinstance(actual, cast(type, cast(Named, expected).live))


_KINDS: dict[str, Callable[[Any, Expected, Environment], bool]] = {
    "equals": _equals,
    "approximately": _approximately,
    "is": _is,
    "isinstance": _isinstance,
    "nan": lambda actual, _expected, _env: bool(actual != actual),
}
