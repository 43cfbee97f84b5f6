"""Tests that ended by an accident (``search.suite.accidents``): what they met does not count, and yet shows where to go."""

from __future__ import annotations

from collections.abc import Sequence

from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.coverage import Nearness
from crashwright.engine.goals.coverage.footprint import Footprint
from crashwright.engine.goals.coverage.goal import Goals, numbers
from crashwright.engine.search.suite.archive import Archive
from crashwright.engine.search.suite.problem import Ran
from crashwright.engine.search.suite.scorer import SuiteEvaluator, SuiteRan
from crashwright.engine.testcase.testcase import TestCase


class MishapMeasure:
    """Measures tests as if what they meet on the way to an accident counted, and nothing else did."""

    def __init__(self, evaluator: SuiteEvaluator) -> None:
        self._evaluator = evaluator

    def measure(self, test: TestCase) -> SuiteRan:
        """See ``search.suite.reduction.Measure``."""
        run = self._evaluator.measure(test)
        return run._replace(covered=run.mishap, mishap=0)


class Mishaps:
    """The best such test for each goal that one has met. The goals stay open, for tests that come to an end; those behind them
    may be aimed at."""

    def __init__(self, catalogue: Catalogue, evaluator: SuiteEvaluator, nearness: Nearness) -> None:
        self._catalogue = catalogue
        self._evaluator = evaluator
        self._nearness = nearness
        self._archive: Archive[TestCase, Footprint] = Archive()

    def take(self, runs: Sequence[SuiteRan], covered: Goals) -> list[SuiteRan]:
        """Note what ``runs`` met; ``covered`` is by others. The runs of those without the statement that raised that may cover
        something new are returned."""
        met = [run for run in runs if run.mishap]
        begun = []
        for run in met:
            placed = self._archive.add(run._replace(covered=run.mishap))
            if placed is None:
                continue
            self._nearness.note([run.footprint], covered)
            if placed.goals & self._catalogue.essential & ~covered and len(run.individual.statements) > 1:
                begun.append(self._evaluator.measure(TestCase(run.individual.statements[:-1])))
        if met:
            self._catalogue.meet(self._archive.covered)
        return begun

    def best(self, goals: Goals) -> dict[int, Ran[TestCase, None]]:
        """By goal, the test that met it."""
        return {number: self._archive.best(number) for number in numbers(goals & self._archive.covered)}
