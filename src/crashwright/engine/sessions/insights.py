"""What a crash search knows of the preconditions of its frames, from the start and by message: the fitness measures them.

The search is alone until it stands still: then it asks (:class:`StandsStill`). What it would have found by itself is found the same
way with the symbolic engine beside it, test by test.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from crashwright.core.location import CodeKey
from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import Incident, IncidentKind, Insight, StandsStill, Start, Witnessed
from crashwright.core.portions import STILL_EVALUATIONS, STILL_PART
from crashwright.core.precondition import WrittenPreconditions, read
from crashwright.engine.execution.executor import release
from crashwright.engine.goals.crash.fitness import CrashFitness
from crashwright.engine.goals.crash.required_values import MOST, RequiredValue
from crashwright.engine.instrument.probes import Measures
from crashwright.engine.search.crash_goals import Heard, by_frame, crash_fitness, entry_measures
from crashwright.engine.search.witnesses import Witnesses
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.testcase.testcase import TestCase

REFUTED = 20
"""Runs that show that a frame's preconditions are wrong."""
LONGEST_WAIT = 120.0
"""Seconds that a run that is to repeat waits for what it asked for, should it have been lost: it comes in a few."""
_ROUND = 0.25


def measures_at_start(start: Start) -> Measures:
    """Of the frames with preconditions; of all, where some may come."""
    if not start.settings.search.uses(Mechanism.PRECONDITIONS):
        return {}
    known = by_frame(start.target, read(start.preconditions))
    return entry_measures(start.target, {key: found for key, found in known.items() if found or start.insights})


class Insights:
    """A state object of one fork. What it takes in goes into its checkpoints: the next fork is not told again."""

    def __init__(self, subject: CrashSubject, setup: Setup) -> None:
        self._subject = subject
        self._setup = setup
        self._waits = subject.start.insights and subject.start.settings.search.uses(Mechanism.PRECONDITIONS)
        self._written: WrittenPreconditions = subject.start.preconditions
        self._refuted: frozenset[CodeKey] = frozenset()
        self._composed = subject.start.composed
        self._tried = 0
        self._has_asked = False
        self._best, self._since, self._since_share = math.inf, 0, 0.0
        self._heard = Heard()
        self.witnesses = Witnesses(read(self._written)) if subject.start.witnessing else None
        self._is_exact = subject.start.settings.budget.evaluations is not None
        if self._measured():
            self._measure()

    def fitness(self) -> CrashFitness:
        """By what is known now."""
        start, subject = self._subject.start, self._subject
        settings, target = start.settings.search, start.target
        counted = self._measured() if settings.uses(Mechanism.DISTANCE) else frozenset[CodeKey]()
        return crash_fitness(settings, target, subject.recorder.functions, subject.sources, subject.flags, counted)

    def _measured(self) -> frozenset[CodeKey]:
        target = self._subject.start.target
        if not self._subject.start.settings.search.uses(Mechanism.PRECONDITIONS):
            return frozenset()
        return frozenset([key for key, found in by_frame(target, read(self._written)).items() if found]) - self._refuted

    def _measure(self) -> None:
        target = self._subject.start.target
        known = by_frame(target, read(self._written))
        self._subject.recorder.measure_entries(entry_measures(target, known, self._heard, self.witnesses))

    def required(self, test: TestCase) -> list[RequiredValue]:
        """What should be otherwise in the frames that a run of ``test`` enters, of the innermost ones first."""
        if not (self._subject.start.settings.search.uses(Mechanism.REPAIRS) and self._measured()):
            return []
        heard, bench = self._heard, self._setup.bench
        heard.on = True
        self._subject.recorder.reset()
        try:
            release(bench.executor.run_aside(test))
        finally:
            heard.on = False
        self._subject.recorder.drop_wanted()
        self._setup.meter.spend()
        found, heard.required = heard.required[::-1], []
        return found[:MOST]

    def composed(self) -> list[TestCase]:
        """The tests that were composed since this was asked last, as far as they fit the subject."""
        if not self._subject.start.settings.search.uses(Mechanism.COMPOSITION):
            return []
        new, self._tried = self._composed[self._tried :], len(self._composed)
        return self._setup.foreign(new)

    def is_refuted(self, led: Mapping[tuple[int, bool], int]) -> bool:
        """Whether runs have shown other preconditions to be wrong, after which :meth:`fitness` does without: they reached the line
        of a frame again and again, but never with what is said to lead there. ``led``: see ``CrashScorer``."""
        functions = self._subject.recorder.functions
        wrong = {functions[one].key for (one, held), count in led.items() if not held and count >= REFUTED and not led[one, True]}
        new = wrong - self._refuted
        if new:
            self._refuted |= new
            names = ", ".join(sorted(key.qualname for key in new))
            self._setup.bench.channel.send(Incident(IncidentKind.NOTED, f"test runs contradict the preconditions of {names}"))
        return bool(new)

    def shown(self) -> list[Witnessed]:
        """What the runs of this fork show, where sentences are held against them."""
        return [] if self.witnesses is None else [Witnessed(self.witnesses.runs, tuple(self.witnesses.counts))]

    def take(self, best: float) -> bool:
        """Whether something has come, after which :meth:`fitness` is another one. Asks once the ``best`` fitness stays as it is."""
        arrived = self._arrived(best) if self._waits else []
        if not arrived:
            return False
        self._setup.safe.note(arrived[-1])
        if self._is_exact:
            self._setup.safe.keep(())  # a fork that goes on from here would wait for it in vain
        self._composed = arrived[-1].composed
        if arrived[-1].preconditions == self._written:
            return False
        self._written, self._refuted = arrived[-1].preconditions, frozenset()
        self._measure()
        return True

    def _arrived(self, best: float) -> list[Insight]:
        """In a run that is to repeat everything comes at once, and is waited for."""
        if not self._has_asked:
            if not self._stands_still(best):
                return []
            self._has_asked = True
            self._setup.bench.channel.send(StandsStill(self._setup.meter.evaluations))
        if not self._is_exact:
            return self._setup.bench.channel.receive(Insight)
        self._waits = False
        return awaited(self._setup)

    def _stands_still(self, best: float) -> bool:
        meter = self._setup.meter
        if best < self._best:
            self._best, self._since, self._since_share = best, meter.evaluations, meter.share()
        share = meter.share()  # 0 where nothing bounds the search
        return meter.evaluations - self._since >= STILL_EVALUATIONS and not 0.0 < share < self._since_share + STILL_PART


def awaited(setup: Setup, asked_at: int = 0) -> list[Insight]:
    """What is found beside a run that is to repeat, at the count of evaluations at which it is to be there; what answers
    another question is passed over."""
    bench = setup.bench
    arrived: list[Insight] = []
    end = bench.clocks.wall() + LONGEST_WAIT
    bench.waiting(True)
    while not arrived and bench.clocks.wall() < end and not setup.meter.check():
        arrived = [one for one in bench.channel.receive(Insight, _ROUND) if one.asked_at == asked_at]
    bench.waiting(False)
    return arrived
