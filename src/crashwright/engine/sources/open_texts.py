"""The open texts of tests have a search of their own (``sources.text_search``): ahead of the first generation, and in turns
with the generations while the search stands still."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Sequence
from random import Random

from crashwright.engine.execution.executor import release
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.search.crash_goals import guiding_frames
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.source import When
from crashwright.engine.sources.text_search import Attempt, ComparedTexts, TextSearch
from crashwright.engine.sources.values.samples import Hole, Template, filled, holes_of
from crashwright.engine.sources.wide_probes import WideProbes
from crashwright.engine.testcase.statements import FileFixture, Literal, Variable
from crashwright.engine.testcase.testcase import TestCase

FRUITLESS, EARNED = 150, 50
"""Attempts in a row without anything, after which it is given up, and how many more for each text that was kept."""
PROMISING = 3
"""Texts that are kept before functions off the path are looked for again: that takes a second in a large package."""
SAMPLES = 40
"""Samples that it begins with."""
BEST = 3
"""Tests of the population whose texts are taken up."""

Place = tuple[TestCase, Hole]


class OpenTexts:
    """See ``sources.source.Source``. It looks at what became of each text, and gives tests that reached something new."""

    def __init__(self) -> None:
        self._stage: _Stage | None = None

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002
        """None: those that reach something are told of at once."""
        if self._stage is None:
            self._stage = _Stage(subject, so_far)
        if so_far.moment is When.AHEAD:
            samples = [sample.content for sample in subject.samples[:SAMPLES]]
            self._stage.begin(so_far.templates, samples, so_far.reached)
            so_far.reached += self._stage.reached
        else:
            self._stage.advance()
        return iter(())


class _Stage:
    """Of one search; ``reached`` are the tests that reached something new on the path."""

    def __init__(self, subject: CrashSubject, so_far: CrashSoFar) -> None:
        target = subject.start.target
        chain = [frame.key for frame in guiding_frames(target)]
        self.reached: list[TestCase] = []
        self._so_far = so_far
        self._probes = WideProbes(target.package.partition(".")[0], chain, so_far.bench.guard.redefined.clear)
        self._search = TextSearch(self)
        self._taken = math.inf

    def begin(self, templates: Sequence[Template], texts: Iterable[str | bytes], reached: Sequence[TestCase]) -> None:
        """Ahead of the search, in the holes of ``templates``, from these ``texts`` and from what samples ``reached``."""
        places = [(test, hole) for test, quoted in templates for hole in holes_of(test, quoted)]
        if not places or self._so_far.is_over:
            return
        self._probes.on()
        try:
            for text in texts:
                for place in places:
                    if self._so_far.is_spent:
                        return
                    self._search.begin(place, _plain(text))
            for test in reached:
                self._take_up(test, (), 1.0)
            self._search.advance(lambda: self._so_far.is_spent or self._is_fruitless)
        finally:
            self._probes.off()

    def advance(self) -> None:
        """Between two generations. The texts of the best tests are taken up where these have become better."""
        so_far = self._so_far
        if self._taken > so_far.best:
            self._taken = so_far.best
            for test in so_far.survivors()[:BEST]:
                self._take_up(test, so_far.seeds.quoted, so_far.best)
        if not len(self._search) or so_far.is_over or self._is_fruitless:
            return
        self._probes.on()
        try:
            self._search.advance(lambda: so_far.is_spent)
        finally:
            self._probes.off()

    def _take_up(self, test: TestCase, quoted: Container[Variable], fitness: float) -> None:
        """The texts of a test that the search has found."""
        for hole in holes_of(test, quoted):
            statement = test.statements[hole.place]
            if isinstance(statement, Literal | FileFixture):
                value = statement.value if isinstance(statement, Literal) else statement.content
                if type(value) is str or type(value) is bytes:
                    self._search.keep((test, hole), _plain(value), fitness)

    @property
    def _is_fruitless(self) -> bool:
        return self._search.fruitless > FRUITLESS + EARNED * self._search.kept

    # See ``text_search.Tries``

    def attempt(self, place: Place, text: str) -> Attempt | None:
        """One evaluation."""
        test = _with(place, text)
        if test is None:
            return None
        self._probes.begin()
        evaluations = self._so_far.run([test])
        if not evaluations:
            return None
        [one] = evaluations
        new = (self._probes.is_new() or one.novel) and not one.hung
        self._tell_of(one, new)
        return Attempt(new, one.score.fitness)

    def _tell_of(self, one: Evaluation, new: bool) -> None:
        score: CrashScore = one.score
        if new or score.level:
            self._so_far.tell([one])
        if one.novel:
            self.reached.append(one.test)

    def compared(self, place: Place, text: str) -> ComparedTexts:
        """Twice: which functions are run through, and what they compare."""
        test = _with(place, text)
        if test is None or self._so_far.quarantine.holds(test):
            return ComparedTexts((), ())
        if self._search.kept >= PROMISING or not self._probes:
            self._probes.discover(lambda: self._run(test))
        notes = self._probes.compared(text, lambda: self._run(test))
        return ComparedTexts([*notes.wants], [*notes.words])

    def _run(self, test: TestCase) -> None:
        release(self._so_far.bench.executor.run_aside(test))


def _plain(value: object) -> str:
    """Bytes as the text of the same numbers."""
    return value.decode("latin-1") if type(value) is bytes else str(value)


def _with(place: Place, text: str) -> TestCase | None:
    test, hole = place
    if hole.takes_text:
        made = filled(test, hole, text)
    else:
        made = filled(test, hole, text.encode("latin-1", "replace"))
    return made if made is not None and made.is_valid() else None
