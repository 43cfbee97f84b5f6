"""Passes that choose which of several tests of a crash it is to be: with what the report quotes, with legal arguments."""

from __future__ import annotations

from crashwright.engine.passes.found import FoundTest
from crashwright.engine.testcase.statements import Literal, same_value
from crashwright.engine.testcase.testcase import TestCase

LEGAL_CANDIDATES, LEGAL_STEPS, LEGAL_RUNS = 3000, 3, 200
"""How many mutants are looked at for a legal one, how many mutations away from the test they may be, and how many are run."""


def if_good(found: FoundTest, test: TestCase, other: TestCase) -> TestCase:
    """``other``, if it is another one and good."""
    return other if other is not test and found.good(other) else test


def quoting(found: FoundTest, test: TestCase) -> TestCase:
    """With the literals of the report put back, all of them or one by one."""
    quoted = found.evidence.quoted
    changed = [
        (index, Literal(statement.variable, quoted[statement.variable]))
        for index, statement in enumerate(test.statements)
        if type(statement) is Literal
        and statement.variable in quoted
        and not same_value(quoted[statement.variable], statement.value)
    ]
    for group in (changed, *([change] for change in changed if len(changed) > 1)):
        statements = list(test.statements)
        for index, literal in group:
            statements[index] = literal
        candidate = TestCase(tuple(statements))
        if group and found.good(candidate):
            test = candidate
            if group is changed:
                break
    return test


def legal(found: FoundTest, test: TestCase) -> TestCase:
    """A legal variant, if mutation finds one: an argument of a wrong type is often beside the point of the crash. Only legal ones
    are run."""
    is_legal = found.evidence.is_legal
    if is_legal(test):
        return test
    candidate, runs = test, 0
    for attempt in range(LEGAL_CANDIDATES):
        if runs >= LEGAL_RUNS or found.is_late:
            return test
        if attempt % LEGAL_STEPS == 0:
            candidate = test
        candidate = found.operators.mutate(candidate, found.rng)
        if is_legal(candidate):
            runs += 1
            if found.good(candidate):
                return candidate
    return test


def taken_apart(found: FoundTest, test: TestCase) -> TestCase:
    """As somebody wrote it, but in parts that can be left out one by one."""
    return if_good(found, test, found.evidence.shown.apart(test))
