"""A crash search whose runs are witnesses of sentences about the crash: it goes on to the end of its budget, and delivers no
test."""

from __future__ import annotations

from crashwright.core.messages import EndReason, Message
from crashwright.engine.sessions.crash_problem import CrashProblem
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.sources.crash_subject import CrashSubject


class WitnessingProblem(CrashProblem):
    """See ``search.witnesses``."""

    def __init__(self, subject: CrashSubject, setup: Setup) -> None:
        super().__init__(subject, setup, inner=True)
        self._search.scorer.witnesses = self._insights.witnesses

    def is_over(self) -> bool:
        """Not before the budget is used up: of a crash that is found, many runs are wanted."""
        return False

    def finish(self) -> list[Message]:
        """What the runs show."""
        return [*self._insights.shown(), self._telling.finished(self._search, EndReason.BUDGET, ())]
