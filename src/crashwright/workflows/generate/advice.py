"""Tests for branches that a search for a suite leaves open, composed beside it by the symbolic engine when the search asks.

As for crashes (``reproduce.foresight``) it never holds up the search, works in a process of its own that is killed at its limit,
and answers as a whole where a run is to repeat. Each question is one such process; nothing is left of it once the search is over.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from crashwright.core.messages import Insight, Stalled
from crashwright.core.precondition import WrittenPreconditions
from crashwright.core.settings import Budget
from crashwright.environment.imported_sources import with_imported
from crashwright.workflows.hunting.foresight import Foresight, RunningWalk, patience_of, seconds_of

if TYPE_CHECKING:
    from crashwright.symbolic.composition.branch_job import BranchOrder

BeginBranches = Callable[["BranchOrder"], RunningWalk]
_NOTHING: Final = WrittenPreconditions()


@dataclass(slots=True)
class Advice:
    """Of one search for the suite of ``module``. ``problem`` says why a question was not answered, or not wholly."""

    module: str
    budget: Budget
    begin: BeginBranches
    clock: Callable[[], float]
    problem: str = ""
    _foresight: Foresight | None = None
    _asked_at: int = 0
    _answers: list[Insight] = field(default_factory=list)

    def ask(self, question: Stalled) -> None:
        """Begins to look for an answer. One that is still looked for is given up: who asked for it is gone."""
        from crashwright.symbolic.composition.branch_job import BranchOrder

        self.stop()
        self._asked_at = question.evaluations
        seconds = seconds_of(self.budget)
        exact = self.budget.evaluations is not None
        try:
            order = BranchOrder(
                self.module.partition(".")[0],
                question.branches,
                with_imported({self.module: question.path}),
                seconds,
                exact,
                1.0 if exact else patience_of(self.budget, seconds),
            )
            self._foresight = Foresight(self.begin(order), self.clock, exact, asked=True)
        except (OSError, UnicodeError, SyntaxError) as error:
            self.problem = str(error)
            self._answers.append(Insight(_NOTHING, asked_at=self._asked_at))

    def news(self) -> Insight | None:
        """What there is to tell the engine."""
        if self._answers:
            return self._answers.pop()
        if self._foresight is None:
            return None
        news = self._foresight.news()
        self.problem = self.problem or self._foresight.problem
        return None if news is None else Insight(_NOTHING, news.composed, self._asked_at)

    def stop(self) -> None:
        """No answer is wanted any more."""
        if self._foresight is not None and self._foresight.walk is not None:
            self._foresight.walk.stop()
        self._foresight = None


@contextlib.contextmanager
def advice_of(module: str, budget: Budget, begin: BeginBranches | None, clock: Callable[[], float]) -> Iterator[Advice | None]:
    """Nothing is left of it afterwards."""
    advice = None if begin is None else Advice(module, budget, begin, clock)
    try:
        yield advice
    finally:
        if advice is not None:
            advice.stop()
