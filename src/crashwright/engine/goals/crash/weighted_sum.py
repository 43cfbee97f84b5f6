"""EvoCrash's crash fitness f(t) = 3 ds + 2 dexc + dtr (paper 001; paper 000, definition 1).

ds is the distance to the target frame's line, dexc 0 where the exception has the wanted type and else 1, dtr the distance of the
stack traces, of which only the frames from the target frame to the crash count. dexc counts only where ds = 0, dtr only where
dexc = 0; until then each is at its largest value, 1.

==========  ==================================================================
6           the target frame's function was not called, or the test timed out
above 3     its line was not reached
3           it was, without an exception of the wanted type
below 1     an exception of that type, with another trace or message
0           reproduced (up to 0.009: other evidence of the report speaks against it)
==========  ==================================================================
"""

from __future__ import annotations

from collections.abc import Sequence

from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.block_coverage import Coverage
from crashwright.engine.goals.crash.chain import chain_distance, covered
from crashwright.engine.goals.crash.frame_goal import FlagReader, FrameGoal, LineDistance, statement_distance
from crashwright.engine.goals.crash.score import CrashJudge, CrashScore, Variant, near_miss, rest
from crashwright.engine.goals.crash.trace_distance import TRACE_DISTANCES
from crashwright.engine.instrument.trace import Activation, Trace

WORST = 6.0


class WeightedSumFitness:
    """``goals`` run from the target frame to the crash frame; only the target frame's line counts, as in the paper."""

    name = "weighted-sum"

    def __init__(self, judge: CrashJudge, goals: Sequence[FrameGoal], variant: Variant) -> None:
        self._judge = judge
        self._goals = tuple(goals)
        self._trace_distance = TRACE_DISTANCES[variant.trace_distance]
        self._block_coverage = variant.block_coverage
        self._variant = variant

    def score(self, outcome: Outcome, trace: Trace) -> CrashScore:
        """Score one run."""
        judgement = self._judge.judge(outcome)
        flags = self._variant.flags_of(trace)
        chain = chain_distance(self._goals, trace.activations, flags)
        level, agreeing = judgement.level, judgement.agreeing
        if level == 4:
            alike = judgement.ends_alike
            return CrashScore(near_miss(judgement), 4, len(self._goals), agreeing, message=judgement.said, ends_alike=alike)
        line, coverage = self._line(trace.activations, flags)
        if outcome.timed_out:
            fitness = WORST
        elif line > 0:
            fitness = 3 * line + 2 + 1
        elif not judgement.same_type:
            fitness = 3 * 0 + 2 + 1.0
        else:
            wanted = self._judge.want
            fitness = max(self._trace_distance(wanted, self._judge.places(outcome.frames)), rest(judgement, len(wanted)))
        return CrashScore(fitness, level, chain.depth + 1, agreeing, coverage, chain.standing, missed=chain.missed)

    def may_be(self, outcome: Outcome) -> bool:
        """See ``CrashFitness``."""
        return self._judge.may_be(outcome)

    def _line(self, activations: Sequence[Activation], flags: FlagReader | None) -> tuple[float, Coverage | None]:
        """ds, and the block coverage of the activation that it comes from."""
        if not self._goals:
            return 0.0, None  # a crash at import: no function, no line to guide to
        goal = self._goals[0]
        best: LineDistance | None = None
        nearest: Activation | None = None
        for activation in activations:
            if activation.function == goal.function:
                found = goal.distance(activation, flags)
                if best is None or found.reached or (found.value, -found.progress) < (best.value, -best.progress):
                    best, nearest = found, activation
                    if found.reached:
                        break
        if best is None or nearest is None:
            return 1.0, Coverage(0, goal.blocks, b"") if self._block_coverage else None
        if not self._block_coverage or best.reached:
            return statement_distance(best), None
        return statement_distance(best), covered(0, goal, best, nearest, self._variant.literal)
