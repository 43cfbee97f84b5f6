"""Calls that run out of time, told by what they are given: a reader that is handed an endless source hangs, whatever else is done.

A test that hangs costs as much as a thousand others, and its relatives are bred again and again. A callable alone is rarely to
blame, so calls are told apart by the *kinds* of their arguments: the types of literals, the class of an object and what it was made
from, what stands in for a callable and what that returns. A kind of call that ran out of time a few times and hardly ever ended is
mostly not run any more. Now and then one is: a slow machine, or a subject that was cold, may have been the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Arguments, Display, Ref, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import argument_refs, defined

PROVEN = 3
"""Tests that a kind of call has to hang in before others are left out."""
SHARE = 4
"""So many of its calls have to hang for each that ended."""
TRIED = 10
"""One in so many is run all the same."""
DEPTH = 3
"""How far back it is told what an argument was made from."""

Kind = tuple[object, ...]


class Hanging:
    """What hung in one search, and how often the same kind of call ended."""

    def __init__(self) -> None:
        self._hung: Counter[Kind] = Counter()
        self._ended: Counter[Kind] = Counter()
        self._names: set[object] = set()
        self._skipped = 0

    def skips(self, test: TestCase) -> bool:
        """Whether ``test`` is not worth being run: it makes a kind of call that hangs."""
        if not self._names or not any(self._is_hanging(kind) for kind in self._suspects(test.statements, len(test.statements))):
            return False
        self._skipped += 1
        return self._skipped % TRIED != 0

    def note(self, test: TestCase, outcome: Outcome) -> None:
        """``test`` was run."""
        if outcome.timed_out:
            kind = _call_kind(test.statements, outcome.executed)
            if kind is not None:
                self._hung[kind] += 1
                self._names.add(kind[0])
        elif self._names:
            # What raised has ended, too.
            self._ended.update(self._suspects(test.statements, outcome.executed + 1))

    def _is_hanging(self, kind: Kind) -> bool:
        hung = self._hung[kind]
        return hung >= PROVEN and hung >= SHARE * self._ended[kind]

    def _suspects(self, statements: Sequence[Statement], end: int) -> Iterator[Kind]:
        for index, statement in enumerate(statements[:end]):
            if _name(statement) in self._names:
                kind = _call_kind(statements, index)
                if kind is not None and kind in self._hung:
                    yield kind


def _name(statement: Statement) -> object:
    """What is called, None where nothing is."""
    if type(statement) is st.Call:
        return statement.callee
    return statement.name if type(statement) is st.MethodCall else None


def _call_kind(statements: Sequence[Statement], index: int) -> Kind | None:
    if index >= len(statements) or _name(statements[index]) is None:
        return None
    return _made(statements, index, DEPTH)


def _made(statements: Sequence[Statement], index: int, depth: int) -> Kind:
    """What the statement at ``index`` makes its value from."""
    statement = statements[index]
    before = statements[:index]
    match statement:
        case st.Call():
            return (statement.callee, *_arguments(before, statement.arguments, depth))
        case st.MethodCall():
            receiver = _kind(before, statement.receiver, depth)
            return (statement.name, receiver, *_arguments(before, statement.arguments, depth))
        case st.Literal():
            return _value(before, statement.value, depth)
        case st.Reference():
            return (statement.named,)
        case st.StubCallable():
            return ("stub", statement.raises, _value(before, statement.result, depth))
        case st.StubClass():
            members = [(name, kind, _value(before, value, depth)) for name, kind, value in statement.members]
            return ("stub class", *members)
        case _:
            return (type(statement),)


def _kind(statements: Sequence[Statement], variable: Variable, depth: int) -> Kind:
    if depth > 0:
        for index in range(len(statements) - 1, -1, -1):
            if defined(statements[index]) == variable:
                return _made(statements, index, depth - 1)
    return ()


def _arguments(statements: Sequence[Statement], arguments: Arguments, depth: int) -> Iterator[Kind]:
    for variable in argument_refs(arguments):
        yield _kind(statements, variable, depth)
    yield tuple(name for name, _ in arguments.keywords)


def _value(statements: Sequence[Statement], value: Value, depth: int) -> Kind:
    """Of texts and numbers the type, but whether they are empty: an empty one often ends what goes on with any other."""
    if type(value) is Ref:
        return _kind(statements, value.variable, depth)
    if type(value) is Display:
        return (value.kind, bool(value.items))
    return (type(value), bool(value))
