"""The stage of a crash search that searches the open texts of tests (``search.text_search``): ahead of the first generation, and
in turns with the generations while the search stands still."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Sequence

from crashwright.engine.execution.executor import release
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.search.crash_goals import guiding_frames
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.crash_search import CrashSearch
from crashwright.engine.search.evaluator import Evaluator
from crashwright.engine.search.samples import Hole, Template, filled, holes_of
from crashwright.engine.search.text_search import Attempt, Compared, TextSearch
from crashwright.engine.search.wide_probes import WideProbes
from crashwright.engine.sessions.crash_parts import Parts
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.testcase.statements import FileFixture, Literal, Variable
from crashwright.engine.testcase.testcase import TestCase

AHEAD = 0.12
"""Part of the budget that the stage may take before the first generation ..."""
FRUITLESS, EARNED = 150, 50
"""... as long as it finds anything: attempts in a row without, and how many more for each text that was kept."""
PROMISING = 3
"""Texts that are kept before functions off the path are looked at too: that takes a second in a large package."""
SAMPLES = 40
"""Samples that it begins with."""
TURN = 40
"""Attempts between two generations."""
PATIENCE = 300
"""Evaluations without a better test after which it has its turns."""
BEST = 3
"""Tests of the population whose texts are taken up."""

Place = tuple[TestCase, Hole]


class TextStage:
    """``tell`` lets the search know of tests that reached something; ``reached`` are those."""

    def __init__(
        self,
        setup: Setup,
        evaluator: Evaluator[Evaluation],
        recorder: Recorder,
        tell: Callable[[list[Evaluation]], None],
        probes: WideProbes,
        is_over: Callable[[], bool],
    ) -> None:
        self.reached: list[TestCase] = []
        self._setup = setup
        self._evaluator = evaluator
        self._recorder = recorder
        self._tell = tell
        self._probes = probes
        self._is_over = is_over
        self._search = TextSearch(self)
        self._best = math.inf
        self._taken = math.inf
        self._since = 0

    @classmethod
    def of(cls, parts: Parts, setup: Setup, search: CrashSearch, is_over: Callable[[], bool]) -> TextStage:
        """For the crash of ``parts``."""
        target = parts.start.target
        chain = [frame.key for frame in guiding_frames(target)]
        probes = WideProbes(target.package.partition(".")[0], chain, setup.bench.guard.redefined.clear)
        return cls(setup, search.evaluator, parts.recorder, search.tell, probes, is_over)

    # Before the first generation

    def begin(self, templates: Sequence[Template], texts: Iterable[str | bytes], reached: list[TestCase]) -> None:
        """Search the holes of ``templates``, from these ``texts``, and from what samples ``reached``; what it reaches is added."""
        places = [(test, hole) for test, quoted in templates for hole in holes_of(test, quoted)]
        if not places or self._over():
            return
        self._turn_on()
        meter = self._setup.meter
        until = meter.share() + AHEAD
        try:
            for text in texts:
                for place in places:
                    if self._over() or meter.share() > until:
                        return
                    self._search.begin(place, _plain(text))
            for test in reached:
                self.take_up(test, (), 1.0)
            self._search.advance(lambda: self._over() or meter.share() > until or self._is_fruitless)
        finally:
            self._turn_off()
            reached += self.reached

    # Between two generations

    def is_due(self, fitness: float) -> bool:
        """Whether the search stands still at this ``fitness``."""
        if fitness < self._best:
            self._best, self._since = fitness, self._setup.meter.evaluations
        return self._setup.meter.evaluations - self._since >= PATIENCE

    def take_up(self, test: TestCase, quoted: Container[Variable], fitness: float) -> None:
        """The texts of a test that the search has found."""
        for hole in holes_of(test, quoted):
            statement = test.statements[hole.place]
            if isinstance(statement, Literal | FileFixture):
                value = statement.value if isinstance(statement, Literal) else statement.content
                if type(value) is str or type(value) is bytes:
                    self._search.keep((test, hole), _plain(value), fitness)

    def advance(self, survivors: Callable[[], Sequence[TestCase]], quoted: Container[Variable], attempts: int = TURN) -> None:
        """So many attempts. The texts of the best tests are taken up where these have become better."""
        if self._taken > self._best:
            self._taken = self._best
            for test in survivors()[:BEST]:
                self.take_up(test, quoted, self._best)
        if not len(self._search) or self._over() or self._is_fruitless:
            return
        self._turn_on()
        meter = self._setup.meter
        until = meter.evaluations + attempts
        try:
            self._search.advance(lambda: self._over() or meter.evaluations >= until)
        finally:
            self._turn_off()

    @property
    def _is_fruitless(self) -> bool:
        return self._search.fruitless > FRUITLESS + EARNED * self._search.kept

    def _over(self) -> bool:
        return self._setup.meter.stopped or self._is_over()

    # See ``text_search.Tries``

    def attempt(self, place: Place, text: str) -> Attempt | None:
        """One evaluation."""
        test = _with(place, text)
        if test is None:
            return None
        self._probes.begin()
        evaluations = self._evaluator.evaluate_all([test], once=True)
        if not evaluations:
            return None
        [one] = evaluations
        new = (self._probes.is_new() or one.novel) and not one.hung
        self._tell_of(one, new)
        return Attempt(new, one.score.fitness)

    def _tell_of(self, one: Evaluation, new: bool) -> None:
        score: CrashScore = one.score
        if new or score.level:
            self._tell([one])
        if one.novel:
            self.reached.append(one.test)

    def compared(self, place: Place, text: str) -> Compared:
        """Twice: which functions are run through, and what they compare."""
        test = _with(place, text)
        if test is None or self._setup.quarantine.holds(test):
            return Compared((), ())
        if self._search.kept >= PROMISING:
            self._probes.discover(lambda: self._run(test))
        pairs, words = self._probes.compared(lambda: self._run(test))
        known = self._recorder.answers()
        plain = [(_plain(given), _plain(wanted)) for given, wanted in (*known, *pairs) if _is_text(given) and _is_text(wanted)]
        return Compared([*dict.fromkeys(reversed(plain))], [_plain(word) for word in words if _is_text(word)])

    def _run(self, test: TestCase) -> None:
        release(self._setup.bench.executor.run_aside(test))

    def _turn_on(self) -> None:
        self._probes.on()

    def _turn_off(self) -> None:
        self._probes.off()


def _is_text(value: object) -> bool:
    return type(value) is str or type(value) is bytes


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
