"""What the decisions of a run want is put into the test where it comes from (``sources.operand_stage``): ahead of the first
generation, and in turns with the generations."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.search.crash_goals import guiding_frames
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.operand_stage import Gain, OperandStage
from crashwright.engine.sources.source import When
from crashwright.engine.testcase.testcase import TestCase

BEGUN_WITH, BEST = 4, 2
"""Tests that it begins with, and tests of the population that are taken up where the search has come nearer."""


class Operands:
    """See ``sources.source.Source``. It looks at what became of each test, and tells of those that are worth it."""

    def __init__(self) -> None:
        self._stage: _CrashOperands | None = None

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:
        """None: those that reach something are told of at once."""
        if self._stage is None:
            self._stage = _CrashOperands(subject, so_far, rng)
        self._stage.go_on()
        return iter(())


class _CrashOperands(OperandStage[Evaluation]):
    def __init__(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> None:
        target = subject.start.target
        chain = [frame.key for frame in guiding_frames(target)]
        so_far.operand_probes.watch(chain)
        super().__init__(so_far.operand_probes, so_far, so_far.bench, so_far.quarantine, rng)
        self._so_far = so_far
        self._taken = math.inf

    def go_on(self) -> None:
        """The best tests are taken up where these have become better."""
        so_far = self._so_far
        if so_far.moment is When.AHEAD:
            self.take_up(so_far.begun_with(BEGUN_WITH), math.inf)
        best = so_far.search.scorer.best
        if best is not None and best.score.fitness < self._taken:
            self._taken = best.score.fitness
            self.take_up((best.test, *so_far.survivors()[:BEST]), self._taken)
        self.advance()

    def _looked_at(self, score: Evaluation) -> Gain:
        crash: CrashScore = score.score
        if score.novel or crash.level or crash.fitness < self._so_far.best:
            self._so_far.tell([score])
        if score.novel:
            self._so_far.reached.append(score.test)
        return Gain(score.novel and not score.hung, crash.fitness)
