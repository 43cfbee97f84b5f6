"""What a test started from, in words for the user: the call that the report echoes, or a seed that it still holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Display, Ref, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined

ECHOED = "the echoed call"
AT_RANDOM = "random calls"
DOCUMENTED = "an example in the documentation or the tests"
CANDIDATE = "a candidate"
EARLIER = "a test of an earlier run"
REPORTED = "the local values of the report"
COMPOSED = "the conditions of the crash"
REQUESTED = "requests or commands that the application takes"
_TELLING = ("the message", REPORTED, ECHOED, "a constant on the path", DOCUMENTED, "a constant of the module")
"""Origins of seeds, the most telling first."""


class Origins:
    """Knows the seeds of one search. Edits keep the variables of statements, and variables are unique: a test that shares one that
    calls something with a seed descends from it."""

    def __init__(
        self,
        pool: SeedPool,
        echoed: Iterable[TestCase],
        documented: Iterable[TestCase] = (),
        earlier: Iterable[TestCase] = (),
        reported: Iterable[TestCase] = (),
        requested: Iterable[TestCase] = (),
        composed: Iterable[TestCase] = (),
        suggested: Iterable[TestCase] = (),
    ) -> None:
        self._pool = pool
        self._echoed = frozenset(variable for test in echoed for variable in _calling(test.statements))
        self._reported = frozenset(variable for test in reported for variable in _calling(test.statements))
        self._earlier = frozenset(variable for test in earlier for variable in _calling(test.statements))
        self._requested = frozenset(variable for test in requested for variable in _calling(test.statements))
        self._composed = frozenset(variable for test in composed for variable in _calling(test.statements))
        self._suggested = frozenset(variable for test in suggested for variable in _calling(test.statements))
        self._documented = frozenset(variable for test in documented for variable in _calling(test.statements))

    def of(self, test: TestCase) -> str:
        """What ``test`` started from."""
        if not self._suggested.isdisjoint(_calling(test.statements)):
            return CANDIDATE
        if not self._earlier.isdisjoint(_calling(test.statements)):
            return EARLIER
        if not self._composed.isdisjoint(_calling(test.statements)):
            return COMPOSED
        if not self._reported.isdisjoint(_calling(test.statements)):
            return REPORTED
        if not self._echoed.isdisjoint(_calling(test.statements)):
            return ECHOED
        if not self._requested.isdisjoint(_calling(test.statements)):
            return REQUESTED
        if not self._documented.isdisjoint(_calling(test.statements)):
            return DOCUMENTED
        origins = {self._pool.origin(value) for value in _literals(test)}
        return next((origin for origin in _TELLING if origin in origins), AT_RANDOM)


def _calling(statements: Iterable[Statement]) -> Iterator[Variable]:
    """The variables of statements that do something, rather than hold a value."""
    for statement in statements:
        variable = defined(statement)
        if variable is not None and type(statement) is not st.Literal and type(statement) is not st.Reference:
            yield variable


def _literals(test: TestCase) -> Iterator[Value]:
    for statement in test.statements:
        if isinstance(statement, st.Literal):
            yield from _parts(statement.value)


def _parts(value: Value) -> Iterator[Value]:
    """Every literal in a tree that is more than a reference, None or a boolean."""
    if isinstance(value, Display):
        for item in value.items:
            for part in cast(tuple[Value, ...], item) if type(item) is tuple else (cast(Value, item),):
                yield from _parts(part)
    elif value is not None and not isinstance(value, bool | Ref):
        yield value
