"""Searches from frames further in, in turns with the one from the chosen frame, within one process: innermost first, and what one
finds is carried outwards.

They share what was read of the package, the probes and the budget; each has a population of its own, which stays from turn to turn.

# Deviation: STAR goes backwards from the crash by symbolic execution, level by level; here each level is searched.
"""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from crashwright.core.mechanisms import Mechanism
from crashwright.core.portions import (
    INNER_AFTER,
    INNER_EARLY_PART,
    INNER_EVALUATIONS_PART,
    INNER_FEWEST,
    INNER_FOUND_PART,
    INNER_PART,
    INNER_STILL_PART,
    INNER_TURN_EVALUATIONS,
    INNER_TURN_PART,
)
from crashwright.core.report import Unknown
from crashwright.engine.search.budget import TurnMeter
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.evaluator import Evaluator
from crashwright.engine.search.learning import Learning
from crashwright.engine.sessions.checkpointing import Checkpointing, Saved
from crashwright.engine.sessions.outwards import Outwards, Receiving
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.subject.api.entry import entries
from crashwright.engine.subject.api.inner_frames import in_turn, inner_frames
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.channel import SilentChannel

OBSERVED_RUNS = 150
"""Tests of each frame's search whose results' classes are noted."""
MOST_OPEN = 10
"""Frames that are searched from at all, the innermost ones."""
CARRIED = 8
"""How often what was found is carried into new tests of one search, once no frame has a turn any more."""
EARLY, FIRST = 4, 250
"""Turns that begin together with the outer search, as long as none has found anything, and evaluations of each frame's first."""
LONGER = 3
"""Turns that one has at once, where each comes nearer."""
AROUND = 60
"""Tests of each kind around the best one, where that is nearer than the one before."""


class InnerProblem(Receiving, Protocol):
    """What a search within another has to do with: ``crash_problem.CrashProblem``."""

    evaluator: Evaluator[Evaluation]

    def begin(self) -> list[TestCase]: ...
    def ask(self) -> list[TestCase]: ...
    def tell(self, scores: Sequence[Evaluation], asked: bool) -> None: ...
    def advance(self) -> None: ...
    def mention(self, test: TestCase) -> None: ...
    def around(self, test: TestCase, most: int) -> None: ...
    @property
    def nearest(self) -> float: ...


@dataclass(slots=True)
class _Inner:
    """A search from the frame of this ``number``, counted from the crash; ``problem`` is None until it has had a turn."""

    number: int
    subject: CrashSubject
    setup: Setup
    meter: TurnMeter
    problem: InnerProblem | None = None
    learning: Learning | None = None
    given_up: bool = False
    turns: int = 0
    nearest: float = math.inf
    """The best fitness when something was carried into it last, and how often that was."""
    carried: int = 0
    around_at: float = math.inf
    """The best fitness when the tests around it were run last."""


class InnerTurns:
    """``make`` makes the problem of a frame. ``found``: the tests that make the crash from further in, innermost first."""

    def __init__(self, subject: CrashSubject, setup: Setup, make: Callable[[CrashSubject, Setup], InnerProblem]) -> None:
        self._subject = subject
        self._setup = setup
        self._make = make
        self._inner: list[_Inner] | None = None
        self._chosen: frozenset[int] = frozenset()
        self._seconds = 0.0
        self._carried = 0
        self._looks_around = subject.start.settings.search.uses(Mechanism.AROUND)
        self._is_begun = False
        self._is_early = False
        self._best = math.inf
        self._since = 0
        self._since_seconds = setup.meter.seconds
        flows = subject.start.settings.search.uses(Mechanism.FLOW)
        self._outwards = Outwards(subject.start.target.package_frames, flows, lambda: setup.meter.evaluations)

    @property
    def found(self) -> list[TestCase]:
        """The tests."""
        return self._outwards.found

    def go_on(self, outer: InnerProblem) -> None:
        """Between two generations of the ``outer`` search: where it has come nearer, what was found is carried into its new tests;
        where it stands still, a frame further in has a turn."""
        evaluations, nearest = self._setup.meter.evaluations, outer.nearest
        if nearest < self._best:
            self._best, self._since, self._since_seconds = nearest, evaluations, self._setup.meter.seconds
            if self.found and self._carried < CARRIED:
                self._carried += 1
                self._outwards.carry_into(outer)
        elif evaluations - self._since >= INNER_AFTER or self._is_long_ago:
            self.advance(outer)
        if not self._is_begun:
            self._is_begun = self._is_early = True
            for _ in range(EARLY):
                if self.found or outer.found is not None or not self.advance(outer):
                    break
            self._is_early = False

    @property
    def _is_long_ago(self) -> bool:
        """Where tests are slow: so many of them would take most of the time."""
        seconds = self._setup.budget.seconds
        return seconds is not None and self._setup.meter.seconds - self._since_seconds > INNER_STILL_PART * seconds

    def advance(self, outer: InnerProblem) -> bool:
        """Give the next frame a turn, and carry outwards what was found. Whether there was one to give a turn."""
        inner = self._next()
        if inner is None:
            return False
        begun = self._setup.meter.seconds
        self._turn(inner, outer)
        while inner.given_up and outer.found is None and (outward := self._outward_of(inner)) is not None:
            inner = outward
            self._turn(inner, outer)
        self._since, self._since_seconds = self._setup.meter.evaluations, self._setup.meter.seconds
        self._seconds += self._since_seconds - begun
        return True

    def _outward_of(self, inner: _Inner) -> _Inner | None:
        """The next frame further out; None where nothing is left for it."""
        if self._setup.meter.stopped or not self._have_time:
            return None
        further = [one for one in self._inner or () if one.number > inner.number and not one.given_up]
        return min(further, key=lambda one: one.number, default=None)

    def _turn(self, inner: _Inner, outer: InnerProblem) -> None:
        if inner.problem is None:
            inner.problem = self._make(inner.subject, inner.setup)
            inner.learning = Learning(
                inner.problem.factory, inner.setup.bench.executor, inner.subject.recorder, OBSERVED_RUNS, inner.setup.scratch
            )
            tests = inner.problem.begin() if self._give(inner) else []
            self._give(inner)
            self._generation(inner, inner.problem, tests)
        problem, nearest, given = inner.problem, inner.problem.nearest, 1
        self._give(inner)
        inner.turns += 1
        self._outwards.carry_into(problem)
        self._look_around(inner)
        while not problem.is_over():
            if inner.meter.check():
                if problem.nearest >= nearest or given > LONGER or not self._have_time or not self._give(inner):
                    break
                nearest, given = problem.nearest, given + 1
            else:
                self._generation(inner, problem)
            self._carry_again(inner)
            self._look_around(inner)
        if problem.found is not None:
            inner.given_up = True
            self._outwards.note(inner.number, problem.found, problem)
            outer.mention(problem.found)
            self._outwards.carry_into(outer, 1)

    @staticmethod
    def _generation(inner: _Inner, problem: InnerProblem, tests: list[TestCase] | None = None) -> None:
        scores = problem.evaluator.evaluate_all(problem.ask() if tests is None else tests)
        problem.tell(scores, tests is None)
        problem.advance()
        if inner.learning is not None:
            inner.learning.advance()

    def _give(self, inner: _Inner) -> bool:
        budget = self._setup.budget
        most = FIRST if inner.turns == 0 else INNER_TURN_EVALUATIONS
        evaluations = most if budget.evaluations is None else max(1, min(most, int(INNER_EVALUATIONS_PART * budget.evaluations)))
        seconds = None if budget.seconds is None else INNER_TURN_PART * budget.seconds
        inner.meter.give(seconds, evaluations)
        return not inner.meter.stopped

    def _look_around(self, inner: _Inner) -> None:
        """One change away from the best test, where it has come nearer."""
        problem = inner.problem
        if problem is None or inner.meter.stopped or problem.is_over() or problem.nearest >= inner.around_at:
            return
        if self._looks_around and (best := problem.bases()[:1]):
            inner.around_at = problem.nearest
            problem.around(best[0], AROUND)

    def _carry_again(self, inner: _Inner) -> None:
        """Where the search from this frame has come nearer since: what fits into its tests now is something else."""
        problem = inner.problem
        if problem is None or inner.meter.stopped or problem.is_over() or problem.nearest >= inner.nearest:
            return
        if not self.found or inner.carried >= CARRIED:
            return
        inner.nearest = problem.nearest
        inner.carried += 1
        self._outwards.carry_into(problem)

    def _next(self) -> _Inner | None:
        """Two turns for the innermost one, then two for each further out, and again."""
        if self._inner is None:
            self._inner = self._open()
            self._chosen = frozenset(in_turn([one.number for one in self._inner]))
        open_ones = [one for one in self._inner if not one.given_up and one.number in self._chosen]
        if not open_ones or self._setup.meter.stopped or not self._have_time:
            return None
        return min(open_ones, key=lambda one: (one.turns // 2, one.number))

    @property
    def _have_time(self) -> bool:
        """Whether there is something left of what they have together."""
        budget, most = self._setup.budget, INNER_FOUND_PART if self.found else INNER_PART
        if budget.seconds is not None and self._seconds > most * budget.seconds:
            return False
        spent = sum(one.meter.evaluations for one in self._inner or ())
        if budget.evaluations is None:
            return True
        limit = INNER_FEWEST + most * self._setup.meter.evaluations
        return spent < (min(limit, INNER_EARLY_PART * budget.evaluations) if self._is_early else limit)

    def _open(self) -> list[_Inner]:
        start, api = self._subject.start, self._subject.api
        found: list[_Inner] = []
        for number in inner_frames(start.target)[-MOST_OPEN:]:
            target = start.target.from_frame(number)
            entry = entries(api, target, self._subject.sources)
            if isinstance(entry, Unknown) or not entry.callees:
                continue
            inner = replace(start, target=target, seeds=(), composed=(), insights=False, candidates=(), suggests=False)
            meter = TurnMeter(self._setup.meter, self._setup.bench.clocks.wall)
            found.append(_Inner(number, self._subject._replace(start=inner, entry=entry), self._within(number, meter), meter))
        return found

    def _within(self, number: int, meter: TurnMeter) -> Setup:
        """The surroundings of a search that says nothing and keeps nothing."""
        setup = copy.copy(self._setup)
        setup.bench = replace(setup.bench, channel=SilentChannel())
        setup.meter = meter
        setup.saved = []
        setup.seed = f"{self._setup.seed}/frame {number}"
        setup.rng = random.Random(setup.seed)
        setup.safe = Checkpointing(setup.bench.channel, meter, Saved(0, []), setup.watch, lambda _waits: None)
        return setup
