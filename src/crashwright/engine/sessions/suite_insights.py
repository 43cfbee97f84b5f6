"""Branches that a search for a suite leaves open are put to the symbolic engine: once the cheap phase is over and nothing new
comes, the host is asked for a way to the nearest of them, and the tests that it composes are run as seeds are.

A run that is to repeat exactly takes the answer in at a fixed count of evaluations after the question; any other one as it comes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import Insight, Stalled
from crashwright.core.portions import ASKED_FROM_PART, ASKED_STALLED_PART, ASKED_UNTIL_PART, TAKEN_AFTER
from crashwright.core.suite import WantedBranch
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.coverage import Nearness
from crashwright.engine.goals.coverage.goal import Goals, as_goals, numbers
from crashwright.engine.goals.coverage.measures import BranchDistance
from crashwright.engine.sessions.insights import awaited
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.testcase.testcase import TestCase

MOST_BRANCHES: Final = 12
"""Of one question."""
MOST_QUESTIONS: Final = 3
"""And no more after one whose answer has helped with nothing."""
_UNSEEN: Final = frozenset({"except", "case", "with"})
"""Decisions that are no conditions: what they ask for is no value."""


class SuiteInsights:
    """A state object of one fork. ``open_goals()`` are those that can be aimed at and are not covered, ``covered()`` the others."""

    def __init__(
        self,
        subject: SuiteSubject,
        setup: Setup,
        catalogue: Catalogue,
        nearness: Nearness,
        open_goals: Callable[[], Goals],
        covered: Callable[[], Goals],
    ) -> None:
        settings = subject.start.settings
        self._path = subject.source.path
        self._setup = setup
        self._catalogue = catalogue
        self._nearness = nearness
        self._open_goals = open_goals
        self._covered = covered
        self._is_exact = settings.budget.evaluations is not None
        uses = settings.search.uses
        wanted = subject.start.insights and uses(Mechanism.PRECONDITIONS) and uses(Mechanism.COMPOSITION)
        self._left = MOST_QUESTIONS if wanted else 0
        self._asked: Goals = 0
        self._last: Goals = 0
        """Of these, those of the last question."""
        self._asked_at = -1
        self._branches = 0
        self._newest = 0.0

    def take(self) -> list[TestCase]:
        """Between two generations: tests that have been composed, as far as they fit the subject. Asks, where it is time to."""
        if self._asked_at >= 0:
            return self._answered()
        if self._left and self._is_stalled():
            if self._last and not self._last & self._covered():
                self._left = 0  # the last answer helped with nothing, and the next one takes as long
            else:
                self._ask()
        return []

    def _is_stalled(self) -> bool:
        share = self._setup.meter.share()
        covered = (self._covered() & self._catalogue.of("branch")).bit_count()
        if covered > self._branches:
            self._branches, self._newest = covered, share
        return ASKED_FROM_PART <= share <= ASKED_UNTIL_PART and share - self._newest >= ASKED_STALLED_PART

    def _ask(self) -> None:
        goals = self._nearest()
        if not goals:
            return
        self._last = as_goals(goals)
        self._asked |= self._last
        self._left -= 1
        self._asked_at = self._setup.meter.evaluations
        self._setup.bench.channel.send(Stalled(self._path, tuple(map(self._wanted, goals)), self._asked_at))

    def _nearest(self) -> Sequence[int]:
        """Open branches that were not asked for yet, those that runs came nearest to first."""
        goals = self._open_goals() & self._catalogue.of("branch") & ~self._asked
        found = []
        for goal in numbers(goals):
            measure = self._catalogue.measure_of(goal)
            if isinstance(measure, BranchDistance) and self._kind(measure) not in _UNSEEN:
                distance = self._nearness.distance(goal)
                found.append((distance is None, distance or 0.0, goal))
        return [goal for _, _, goal in sorted(found)[:MOST_BRANCHES]]

    @staticmethod
    def _kind(measure: BranchDistance) -> str:
        return measure.flow.function.predicates[measure.outcome[0]].kind

    def _wanted(self, goal: int) -> WantedBranch:
        measure = self._catalogue.measure_of(goal)
        assert isinstance(measure, BranchDistance)
        return WantedBranch(measure.flow.function.key, measure.place, measure.outcome[1])

    def _answered(self) -> list[TestCase]:
        setup = self._setup
        if not self._is_exact:
            arrived = [one for one in setup.bench.channel.receive(Insight) if one.asked_at == self._asked_at]
        elif setup.meter.evaluations - self._asked_at >= TAKEN_AFTER:
            arrived = awaited(setup, self._asked_at)
        else:
            return []
        if not arrived and not self._is_exact:
            return []
        self._asked_at = -1
        self._newest = setup.meter.share()
        return [test for one in arrived for test in setup.foreign(one.composed)]
