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

from crashwright.core.report import Unknown
from crashwright.engine.search.budget import TurnMeter
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.evaluator import Evaluator
from crashwright.engine.search.learning import Learning
from crashwright.engine.sessions.checkpointing import Checkpointing, Saved
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.lifting import Lifting
from crashwright.engine.subject.api.entry import entries
from crashwright.engine.subject.api.inner_frames import in_turn, inner_frames
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.worker.channel import SilentChannel

SHARE, EVALUATIONS = 0.05, 800
"""What one turn has: of the seconds, and evaluations at most."""
PART = 0.15
"""Of a budget of evaluations: what one turn has at most."""
ALL, FOUND_ALL = 0.12, 0.35
"""What all of them have together, of the whole budget: as long as none has found anything, and then."""
FEWEST = 1600
"""Of a budget of evaluations: what they have in any case, and the parts above of those that were made so far."""
OBSERVED_RUNS = 150
"""Tests of each frame's search whose results' classes are noted."""
MOST_OPEN = 10
"""Frames that are searched from at all, the innermost ones."""
AFTER = 500
"""Evaluations of the outer search without progress after which a frame further in has a turn."""
LATEST, CARRIED = 2, 8
"""Of the tests that were found: how many are carried outwards, the outermost ones; and how often into new tests of the outer
search, once no frame has a turn any more."""
STILL = 0.08
"""Or the part of the seconds without progress, if that is less."""
BASES = 6
"""Tests of the outer search that something is carried into."""


class InnerProblem(Protocol):
    """What a search within another has to do with: ``crash_problem.CrashProblem``."""

    factory: Factory
    evaluator: Evaluator[Evaluation]

    def begin(self) -> list[TestCase]: ...
    def ask(self) -> list[TestCase]: ...
    def tell(self, scores: Sequence[Evaluation], asked: bool) -> None: ...
    def advance(self) -> None: ...
    def is_over(self) -> bool: ...
    def carry(self, tests: Sequence[TestCase]) -> None: ...
    def mention(self, test: TestCase) -> None: ...
    def bases(self) -> list[TestCase]: ...
    @property
    def found(self) -> TestCase | None: ...
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
        self._best = math.inf
        self._since = 0
        self._since_seconds = setup.meter.seconds
        self.found: list[TestCase] = []

    def go_on(self, outer: InnerProblem) -> None:
        """Between two generations of the ``outer`` search: where it has come nearer, what was found is carried into its new tests;
        where it stands still, a frame further in has a turn."""
        evaluations, nearest = self._setup.meter.evaluations, outer.nearest
        if nearest < self._best:
            self._best, self._since, self._since_seconds = nearest, evaluations, self._setup.meter.seconds
            if self.found and self._carried < CARRIED:
                self._carried += 1
                self._carry_into(outer)
        elif evaluations - self._since >= AFTER or self._is_long_ago:
            self.advance(outer)

    @property
    def _is_long_ago(self) -> bool:
        """Where tests are slow: so many of them would take most of the time."""
        seconds = self._setup.budget.seconds
        return seconds is not None and self._setup.meter.seconds - self._since_seconds > STILL * seconds

    def advance(self, outer: InnerProblem) -> bool:
        """Give the next frame a turn, and carry outwards what was found. Whether there was one to give a turn."""
        inner = self._next()
        if inner is None:
            return False
        begun = self._setup.meter.seconds
        self._turn(inner, outer)
        while inner.given_up and (outward := self._outward_of(inner)) is not None:
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
            tests: list[TestCase] | None = inner.problem.begin() if self._give(inner) else []
        else:
            self._give(inner)
            tests = None
        inner.turns += 1
        self._carry_into(inner.problem)
        problem, meter = inner.problem, inner.meter
        while not problem.is_over() and not meter.check():
            scores = problem.evaluator.evaluate_all(problem.ask() if tests is None else tests)
            problem.tell(scores, tests is None)
            problem.advance()
            if inner.learning is not None:
                inner.learning.advance()
            self._carry_again(inner)
            tests = None
        if problem.found is not None:
            inner.given_up = True
            self.found.append(problem.found)
            outer.mention(problem.found)
            outer.carry(self._lifted(problem.found, outer))

    def _give(self, inner: _Inner) -> bool:
        budget = self._setup.budget
        evaluations = EVALUATIONS if budget.evaluations is None else max(1, min(EVALUATIONS, int(PART * budget.evaluations)))
        seconds = None if budget.seconds is None else SHARE * budget.seconds
        inner.meter.give(seconds, evaluations)
        return not inner.meter.stopped

    def _carry_again(self, inner: _Inner) -> None:
        """Where the search from this frame has come nearer since: what fits into its tests now is something else."""
        problem = inner.problem
        if problem is None or not self.found or inner.carried >= CARRIED or problem.nearest >= inner.nearest or problem.is_over():
            return
        inner.nearest = problem.nearest
        inner.carried += 1
        self._carry_into(problem)

    def _carry_into(self, problem: InnerProblem) -> None:
        for test in self.found[-LATEST:]:
            problem.carry(self._lifted(test, problem))

    def _lifted(self, test: TestCase, outer: InnerProblem) -> list[TestCase]:
        factory = outer.factory
        lifting = Lifting(factory.new, lambda statement: type_of(statement, factory.observed))
        return lifting.lifted(test, outer.bases()[:BASES])

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
        budget, most = self._setup.budget, FOUND_ALL if self.found else ALL
        if budget.seconds is not None and self._seconds > most * budget.seconds:
            return False
        spent = sum(one.meter.evaluations for one in self._inner or ())
        return budget.evaluations is None or spent < FEWEST + most * self._setup.meter.evaluations

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
