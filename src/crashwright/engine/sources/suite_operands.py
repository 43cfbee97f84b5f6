"""What the decisions of a module want is put into the tests of the archive, where it comes from (``sources.operand_stage``)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from crashwright.engine.search.suite.scorer import SuiteRan
from crashwright.engine.sources.operand_probes import OperandProbes
from crashwright.engine.sources.operand_stage import Gain, OperandStage
from crashwright.engine.sources.suite_so_far import SuiteSoFar
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.testcase.testcase import TestCase


class SuiteOperands:
    """See ``sources.source.Source``. It looks at what became of each test, and tells of those that are worth it."""

    def __init__(self) -> None:
        self._stage: _ModuleOperands | None = None

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Iterator[TestCase]:
        """None: those that cover something new are told of at once."""
        if self._stage is None:
            self._stage = _ModuleOperands(subject, so_far, rng)
        self._stage.go_on()
        return iter(())


class _ModuleOperands(OperandStage[SuiteRan]):
    again = False

    def __init__(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> None:
        module, bench = subject.start.target.module, so_far.bench
        probes = OperandProbes(module, bench.guard.redefined.clear, (module,))
        super().__init__(probes, so_far, bench, so_far.quarantine, rng)
        self._so_far = so_far
        self._covered = 0

    def go_on(self) -> None:
        """The tests of the archive are taken up where it covers more."""
        if self._covered != self._so_far.covered:
            self._covered = self._so_far.covered
            self.take_up(self._so_far.archived, 0.0)
        self.advance()

    def _looked_at(self, score: SuiteRan) -> Gain:
        new = self._so_far.is_new(score)
        if new:
            self._so_far.tell([score])
        return Gain(new, 0.0)
