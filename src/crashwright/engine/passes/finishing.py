"""Runs the passes of the table over a found test, with one clock."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator

from crashwright.engine.passes.evidence import ValueEvidence
from crashwright.engine.passes.found import FoundTest, Measure, Mutating, See
from crashwright.engine.passes.table import Stage, passes_of
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.testcase.testcase import TestCase

SECONDS = 4.5
"""How long all of it may take if time is the budget: half a second later the host judges what it has been told of ..."""
FIRST_SECONDS = 3.0
"""... and what of that may go before it is told of the first smaller test."""
PARTIAL_SECONDS = 0.7
"""How long a test that falls short of the crash is made smaller: others wait, searches from frames further in."""


class Finishing:
    """For one search. ``measure`` runs a test and scores it, ``see`` says what became of it after the crash; ``without``
    are names of passes that are left out."""

    def __init__(
        self,
        measure: Measure,
        operators: Mutating,
        evidence: ValueEvidence,
        meter: BudgetMeter,
        rng: random.Random,
        see: See,
        without: Collection[str] = (),
    ) -> None:
        self._measure = measure
        self._operators = operators
        self._evidence = evidence
        self._meter = meter
        self._rng = rng
        self._see = see
        self._without = without

    def made_of(self, evaluation: Evaluation) -> Iterator[Evaluation]:
        """Better versions of the test, the best one last; none if it does not repeat: the smaller ones would mean nothing."""
        now = self._measure(evaluation.test)
        if now.level == evaluation.score.level:
            # Calls that the report shows may be known only since: what a test lacks of them counts for all or for none.
            evaluation = evaluation._replace(score=evaluation.score._replace(fitness=now.fitness))
        found = FoundTest(evaluation, self._measure, self._operators, self._evidence, self._meter, self._rng, self._see)
        if not found.good(evaluation.test):
            return
        whole = evaluation.score.level == 4
        first, last = (FIRST_SECONDS, SECONDS) if whole else (PARTIAL_SECONDS, PARTIAL_SECONDS)
        found.end_after(last)
        ran = TestCase(evaluation.test.statements[: evaluation.ran or None])
        test = ran if found.good(ran) else evaluation.test
        for row in passes_of(Stage.CHOICE, whole, self._without):
            test = row.run(found, test)
        found.hold(test)
        told = evaluation.test
        passes = passes_of(Stage.CHANGE, whole, self._without)
        for number, row in enumerate(passes):
            found.end_after(last if number else first)
            test = row.run(found, test)
            found.improved(test)
            if number in (0, len(passes) - 1) and test is not told:
                told = test
                yield Evaluation(test, self._measure(test))
