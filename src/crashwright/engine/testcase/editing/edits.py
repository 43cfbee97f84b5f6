"""The operators of the search on tests: pure, ``(TestCase, ...) -> TestCase``, and whatever they return is valid.

``mutate`` is the body of EvoCrash's Algorithm 4; the loops that insist on a call of the entry are the search's.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from math import log, log1p
from random import Random

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.changes import change
from crashwright.engine.testcase.editing.crossover import crossover
from crashwright.engine.testcase.editing.deletion import delete, prune
from crashwright.engine.testcase.editing.mix import CHANGED, DELETED, FIXED, INSERTED, Mix
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.insertion import insert
from crashwright.engine.testcase.operators import BINARY, REFLECTED
from crashwright.engine.testcase.statements import Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined, used

__all__ = [
    "change",
    "chop",
    "crossover",
    "delete",
    "end_of_entry",
    "has_entry",
    "insert",
    "mutate",
    "mutate_evenly",
    "prune",
    "truncate",
]

_DATA = frozenset({st.Literal, st.FileFixture, st.Ambient, st.StubCallable})


def has_entry(test: TestCase, entry: AbstractSet[Callee], things: AbstractSet[st.Named] = frozenset()) -> bool:
    """Does a statement call one of ``entry`` (or read the property, or call a method of that name whose callee is not known), or
    refer to one of ``things``, objects that lead there when they are called?"""
    return any(_enters(statement, entry, things) for statement in reversed(test.statements))  # the entry is mostly the last


def _enters(statement: Statement, entry: AbstractSet[Callee], things: AbstractSet[st.Named]) -> bool:
    if isinstance(statement, st.Literal):
        return False
    if isinstance(statement, st.Reference):
        return statement.named in things
    if isinstance(statement, st.Call | st.CallValue):
        return statement.callee in entry
    if isinstance(statement, st.Definition):
        return any(isinstance(bound, st.Named) and _is_one(bound, entry) for _, bound in statement.names)
    if isinstance(statement, st.MethodCall):
        callee = statement.callee
        return callee in entry or (callee is None and any(statement.name == known.name for known in entry))
    if isinstance(statement, st.Operation):
        return len(statement.operands) == 2 and any(
            statement.operator == BINARY.get(known.name, REFLECTED.get(known.name)) for known in entry
        )
    return isinstance(statement, st.GetAttribute | st.SetAttribute | st.DeleteAttribute) and any(
        known.kind is CalleeKind.PROPERTY and known.name == statement.name for known in entry
    )


def end_of_entry(test: TestCase, entry: AbstractSet[Callee], things: AbstractSet[st.Named] = frozenset()) -> int:
    """How many statements there are up to the last call of one of ``entry``, or the last use of what such a call gave, or of one of
    ``things``, directly or not; all of them where there is no such call."""
    given: set[Variable] = set()
    end = 0
    for count, statement in enumerate(test.statements, 1):
        if _enters(statement, entry, things) or (given and not given.isdisjoint(used(statement))):
            end = count
            variable = defined(statement)
            if variable is not None:
                given.add(variable)
    return end or len(test.statements)


def _is_one(named: st.Named, entry: AbstractSet[Callee]) -> bool:
    return any((known.module, known.qualname) == named[:2] for known in entry)


def mutate(test: TestCase, factory: Factory, rng: Random, mix: Mix = FIXED) -> TestCase:
    """Each statement is, with probability 1/n, deleted, changed, or has another inserted after it, as often as ``mix`` says."""
    # Deviation: the paper draws the three alike. Values are changed eight times of ten, since they decide most crashes of Python
    # code; and where no statement is drawn, one is, since a clone would be run for nothing.
    random = rng.random
    size = len(test.statements)
    if size == 0:
        return insert(test, 0, factory, rng)
    # The gap to the next one drawn is geometric: one number a gap instead of one a statement.
    scale = 1.0 / log1p(-1.0 / size) if size > 1 else 0.0
    index = size - 1 - int(log(1.0 - random()) * scale)
    if index < 0:
        return _edit(test, int(random() * size), factory, rng, mix)
    while index >= 0:  # last to first: an edit moves only what comes after it
        test = _edit(test, index, factory, rng, mix)
        index -= 1 + int(log(1.0 - random()) * scale)
    return test


def mutate_evenly(test: TestCase, factory: Factory, rng: Random) -> TestCase:
    """Algorithm 4 as it stands: each statement, with probability 1/n, is deleted, changed or has another inserted before it, the
    three alike; perhaps none is drawn."""
    if not test.statements:
        return insert(test, 0, factory, rng)
    size = len(test.statements)
    for index in reversed(range(size)):  # an edit moves only what comes after it
        if rng.random() * size >= 1:
            continue
        roll = int(rng.random() * 3)
        if roll == 0:
            test = delete(test, index, rng, factory.observed)
        elif roll == 1:
            test = change(test, index, factory, rng)
        else:
            test = insert(test, index, factory, rng)
    return test


def _edit(test: TestCase, index: int, factory: Factory, rng: Random, mix: Mix) -> TestCase:
    roll = rng.random()
    is_data = type(test.statements[index]) in _DATA
    change_below, delete_below = mix.data if is_data else mix.calls
    menu = "data" if is_data else "calls"
    if roll < change_below:
        mix.took(menu, CHANGED)
        return change(test, index, factory, rng)
    if roll < delete_below and len(test.statements) > 1:
        mix.took(menu, DELETED)
        return delete(test, index, rng, factory.observed)
    mix.took(menu, INSERTED)
    # Never at the end: what decides is what comes before the last call.
    return insert(test, min(index + 1, len(test.statements) - 1), factory, rng)


def truncate(test: TestCase, length: int) -> TestCase:
    """The first ``length`` statements."""
    return test if len(test.statements) <= length else TestCase(test.statements[:length])


def chop(test: TestCase, count: int) -> TestCase:
    """The first ``count`` statements: those that ran, and the one that raised. What comes after it has no effect."""
    return truncate(test, max(1, count))
