"""The open texts and data of a module's tests have a search of their own (``sources.text_stage``), while the suite stands still."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from crashwright.core.portions import SUITE_TEXTS_PART
from crashwright.engine.search.suite.scorer import SuiteRan
from crashwright.engine.sources.suite_so_far import SuiteSoFar
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.sources.text_search import Attempt
from crashwright.engine.sources.text_stage import TextStage
from crashwright.engine.sources.wide_probes import WideProbes
from crashwright.engine.testcase.testcase import TestCase


class SuiteOpenTexts:
    """See ``sources.source.Source``. It looks at what became of each text, and tells of those that cover something new."""

    def __init__(self) -> None:
        self._stage: _ModuleTexts | None = None

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002
        """None: those that cover something new are told of at once."""
        if self._stage is None:
            self._stage = _ModuleTexts(subject, so_far)
        self._stage.advance()
        return iter(())


class _ModuleTexts(TextStage[SuiteRan]):
    part = SUITE_TEXTS_PART

    def __init__(self, subject: SuiteSubject, so_far: SuiteSoFar) -> None:
        bench = so_far.bench
        package = subject.start.target.module.partition(".")[0]
        probes = WideProbes(package, (), bench.guard.redefined.clear, tells=False)
        super().__init__(probes, so_far, bench, so_far.quarantine)
        self._so_far = so_far
        self._covered = 0

    def advance(self) -> None:
        """The texts of the archive's tests are taken up where it covers more."""
        if self._covered != self._so_far.covered:
            self._covered = self._so_far.covered
            for test in self._so_far.archived:
                self._take_up(test, (), 1.0)
        self.go_on()

    def _looked_at(self, score: SuiteRan, is_new: Callable[[], bool]) -> Attempt:  # noqa: ARG002 (the archive knows)
        new = self._so_far.is_new(score)
        if new:
            self.earned += 1
            self._so_far.tell([score])
        return Attempt(new, 0.0)
