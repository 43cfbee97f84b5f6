"""EvoCrash's crash fitness f(t) = 3 ds + 2 dexc + dtr (paper 001; SPEC 2), on the target frame's line.

Landmarks: above 3 the target line is not reached; 3 it is, without the exception; below 1 the exception is right and the trace is
not; 0 is success.
# Deviation: a right side taken before the run stopped scores better than any wrong side (SPEC 2, the inversion): ds is in [0.5, 1)
for a wrong side and below 0.25 for the right one.
"""

from __future__ import annotations

from collections.abc import Sequence

from crashwright.core.level import Place
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.chain import chain_distance
from crashwright.engine.goals.crash.frame_goal import FrameGoal, normalise
from crashwright.engine.goals.crash.ordered import TIMED_OUT
from crashwright.engine.goals.crash.score import CrashJudge, CrashScore
from crashwright.engine.instrument.trace import Trace

WORST = 6.0


class WeightedSumFitness:
    """``goals`` run from the target frame to the crash frame; only the target frame's line counts, as in the paper."""

    name = "weighted-sum"

    def __init__(self, judge: CrashJudge, goals: Sequence[FrameGoal]) -> None:
        self._judge = judge
        self._goals = tuple(goals)

    def score(self, outcome: Outcome, trace: Trace) -> CrashScore:
        """Score one run."""
        judgement = self._judge.judge(outcome)
        chain = chain_distance(self._goals, trace.activations)
        frames = chain.depth + 1
        if judgement.level == 4:
            return CrashScore(0.0, 4, len(self._goals), judgement.agreeing)
        line = self._line_distance(trace)
        if line > 0:
            fitness = 3 * line + 3
        elif not (judgement.same_type and judgement.at_line):
            fitness = 3.0
        else:
            # A trace that agrees with a message that does not still must not count as success.
            fitness = max(trace_distance(self._judge.want, self._judge.places(outcome.frames)), 0.01 + 0.04 * judgement.message)
        return CrashScore(fitness + (TIMED_OUT if outcome.timed_out else 0.0), judgement.level, frames, judgement.agreeing)

    def may_be(self, outcome: Outcome) -> bool:
        """See ``CrashFitness``."""
        return self._judge.may_be(outcome)

    def _line_distance(self, trace: Trace) -> float:
        goal = self._goals[0]
        best = 1.0
        for activation in trace.activations:
            if activation.function != goal.function:
                continue
            found = goal.distance(activation)
            if found.reached:
                return 0.0
            # Branch distances come arbitrarily near to 0, so there is no smallest wrong side to halve: the two sides have bands.
            best = min(best, 0.5 + 0.5 * normalise(found.value) if found.value > 0 else 0.25 - 0.2 * found.progress)
        return best


def trace_distance(wanted: Sequence[Place], got: Sequence[Place]) -> float:
    """phi of the sum over the wanted frames of the difference to the closest frame: 3 another file, 2 another function, else
    phi(line difference)."""
    total = 0.0
    for place in wanted:
        total += min((_difference(place, other) for other in got), default=3.0)
    return normalise(total)


def _difference(one: Place, other: Place) -> float:
    if one.file != other.file:
        return 3.0
    if one.function != other.function:
        return 2.0
    return normalise(abs(one.line - other.line))
