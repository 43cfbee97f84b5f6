"""The open texts of tests have a search of their own (``sources.text_stage``): ahead of the first generation, and in turns
with the generations while the search stands still."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from random import Random

from crashwright.engine.goals.crash.novelty import Novelty
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.search.crash_goals import guiding_frames
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.source import When
from crashwright.engine.sources.text_search import Attempt
from crashwright.engine.sources.text_stage import Place, TextStage
from crashwright.engine.sources.values.samples import holes_of
from crashwright.engine.sources.wide_probes import WideProbes
from crashwright.engine.testcase.testcase import TestCase

SAMPLES = 40
"""Samples that it begins with."""
BEST = 3
"""Tests of the population whose texts are taken up."""


class OpenTexts:
    """See ``sources.source.Source``. It looks at what became of each text, and gives tests that reached something new."""

    def __init__(self) -> None:
        self._stage: _CrashTexts | None = None

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002
        """None: those that reach something are told of at once."""
        if self._stage is None:
            self._stage = _CrashTexts(subject, so_far)
        if so_far.moment is When.AHEAD:
            samples = [sample.content for sample in subject.samples[:SAMPLES]]
            places = [(test, hole) for test, quoted in so_far.templates for hole in holes_of(test, quoted)]
            self._stage.begin(places, samples, so_far.reached)
            so_far.reached += self._stage.reached
        else:
            self._stage.advance()
        return iter(())


class _CrashTexts(TextStage[Evaluation]):
    def __init__(self, subject: CrashSubject, so_far: CrashSoFar) -> None:
        target = subject.start.target
        chain = [frame.key for frame in guiding_frames(target)]
        probes = WideProbes(target.package.partition(".")[0], chain, so_far.bench.guard.redefined.clear)
        super().__init__(probes, so_far, so_far.bench, so_far.quarantine)
        self._so_far = so_far
        self._novelty = Novelty()
        self._taken = math.inf
        self._best = math.inf

    def advance(self) -> None:
        """The texts of the best tests are taken up where these have become better."""
        so_far = self._so_far
        if self._taken > so_far.best:
            self._taken = so_far.best
            for test in so_far.survivors()[:BEST]:
                self._take_up(test, so_far.seeds.quoted, so_far.best)
        self.go_on()

    def attempt(self, place: Place, text: str) -> Attempt | None:
        """New is also what none of its texts reached, though other tests did: a text can only go on from there if one is kept."""
        scorer = self._so_far.search.scorer
        scorer.aside = self._novelty
        try:
            return super().attempt(place, text)
        finally:
            scorer.aside = None

    def _looked_at(self, score: Evaluation, is_new: Callable[[], bool]) -> Attempt:
        new = (is_new() or score.novel or self._so_far.search.scorer.new_aside) and not score.hung
        crash: CrashScore = score.score
        self.earned += score.novel or crash.fitness < self._best
        self._best = min(self._best, crash.fitness)
        if new or crash.level:
            self._so_far.tell([score])
        if score.novel:
            self.reached.append(score.test)
        return Attempt(new, crash.fitness)
