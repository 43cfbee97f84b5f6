"""Passes that take away what a crash does not need, and give what is left values that somebody would write."""

from __future__ import annotations

from crashwright.engine.passes.found import FoundTest
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.testcase.editing.minimise import minimise
from crashwright.engine.testcase.testcase import TestCase

MINIMISE_CHECKS = 400
"""How many candidates the minimiser may run for one test."""


def minimised(found: FoundTest, test: TestCase) -> TestCase:
    """Statements, then values."""
    return minimise(test, found.good, MINIMISE_CHECKS, found.evidence.kept)


def repaired(found: FoundTest, test: TestCase) -> TestCase:
    """With what the report suggests: a value that a larger test computed may stand in the smaller one as a literal, and can be
    replaced there. What is found so is made smaller in its turn."""
    near = Evaluation(test, found.measure(test))
    if near.score.level < 4 or near.score.fitness <= 0:
        return test
    best, least = test, near.score.fitness
    for one in found.evidence.repairs(near):
        score = found.measure(one)
        if score.level == 4 and score.agreeing >= near.score.agreeing and score.fitness < least:
            best, least = one, score.fitness
        if found.is_late:
            break
    if best is test:
        return test
    found.replaced_by(best)
    return minimised(found, best)


def usual(found: FoundTest, test: TestCase) -> TestCase:
    """With usual values for arguments that are odd."""
    ordinary = found.evidence.ordinary
    return test if ordinary is None else ordinary.made_of(test, found.good, lambda: not found.is_late)


def plain(found: FoundTest, test: TestCase) -> TestCase:
    """With values that somebody would type for what evolution has left, if any value does."""
    looks = found.evidence.plain
    return test if looks is None else looks.made_of(test, found.good, lambda: not found.is_late)


def standard(found: FoundTest, test: TestCase) -> TestCase:
    """With dates and amounts as people write them."""
    return test if found.evidence.standard is None else found.evidence.standard(test, found.good)


def with_other_keys(found: FoundTest, test: TestCase) -> TestCase:
    """With the other keys of the record that lacks one."""
    records = found.evidence.records
    return test if records is None else records.completed(test, found.good)


def working_after(found: FoundTest, test: TestCase) -> TestCase:
    """With what lets a run go on after the crash, once its cause is gone."""
    past = found.evidence.past
    return test if past is None else past.made_of(test, found.good, found.see, lambda: not found.is_late)
