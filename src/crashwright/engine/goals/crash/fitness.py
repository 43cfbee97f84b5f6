"""The crash fitness functions by name: the extension point ``CrashFitness`` and its registry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from crashwright.core.location import Position
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.frame_goal import FrameGoal
from crashwright.engine.goals.crash.ordered import OrderedFitness
from crashwright.engine.goals.crash.score import CrashJudge, CrashScore, Variant
from crashwright.engine.goals.crash.st_distance import StackTraceDistanceFitness
from crashwright.engine.goals.crash.weighted_sum import WeightedSumFitness
from crashwright.engine.instrument.trace import Trace


class CrashFitness(Protocol):
    """Scores one run against a crash; 0 only where it is reproduced in full."""

    @property
    def name(self) -> str:
        """As given to ``--fitness``."""

    def score(self, outcome: Outcome, trace: Trace) -> CrashScore:
        """Score one run; pure."""

    def may_be(self, outcome: Outcome) -> bool:
        """Whether the outcome might be the crash, judged quickly: true wherever the score's level is above 0."""


Maker = Callable[[CrashJudge, Sequence[FrameGoal], Sequence[Position | None], Variant], CrashFitness]

FITNESS: dict[str, Maker] = {
    "ordered": OrderedFitness,
    "weighted-sum": lambda judge, goals, _carets, variant: WeightedSumFitness(judge, goals, variant),
    "st-distance": lambda judge, goals, _carets, variant: StackTraceDistanceFitness(judge, goals, variant),
}
