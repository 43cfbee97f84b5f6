"""ReCore's distance to a stack trace with its exception penalty, STDistance (paper 000, definition 2):
|R| - lcp - (1 - StatementDistance) + penalty.

|R| is the number of frames from the target frame to the crash, lcp how many of them are covered, counted from the target frame, and
StatementDistance that of the first one which is not. A frame is covered where its line was reached in the right chain of callers.
The penalty is 1 until an exception of the wanted type is raised at the crash frame's line.

=====================  =========================================================================
|R| + 1                nothing of it was called, or the test timed out
(|R|-lcp, |R|-lcp+1]   the lines of lcp frames are covered, and the exception is not there
1                      all lines are covered, the exception is not there
up to 0.1              all lines are covered and the exception is there, by another way or with another message
0                      reproduced (up to 0.009: other evidence of the report speaks against it)
=====================  =========================================================================
"""

from __future__ import annotations

from collections.abc import Sequence

from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.chain import ChainDistance, chain_distance, coverage_of
from crashwright.engine.goals.crash.frame_goal import FrameGoal, statement_distance
from crashwright.engine.goals.crash.score import CrashJudge, CrashScore, Variant, near_miss, rest
from crashwright.engine.instrument.trace import Trace


class StackTraceDistanceFitness:
    """``goals`` run from the target frame to the crash frame."""

    name = "st-distance"

    def __init__(self, judge: CrashJudge, goals: Sequence[FrameGoal], variant: Variant) -> None:
        self._judge = judge
        self._goals = tuple(goals)
        self._block_coverage = variant.block_coverage
        self._variant = variant

    def score(self, outcome: Outcome, trace: Trace) -> CrashScore:
        """Score one run."""
        judgement = self._judge.judge(outcome)
        count = len(self._goals)
        if judgement.level == 4:
            alike = judgement.ends_alike
            return CrashScore(near_miss(judgement), 4, count, judgement.agreeing, message=judgement.said, ends_alike=alike)
        chain = chain_distance(self._goals, trace.activations, self._variant.flags_of(trace))
        if outcome.timed_out:
            fitness = count + 1.0
        else:
            penalty = 0.0 if judgement.at_line and judgement.same_type else 1.0
            fitness = max(self._uncovered(chain) + penalty, rest(judgement, len(self._judge.want)))
        coverage = coverage_of(self._goals, chain, self._variant.literal) if self._block_coverage else None
        return CrashScore(
            fitness, judgement.level, chain.depth + 1, judgement.agreeing, coverage, chain.standing, missed=chain.missed
        )

    def may_be(self, outcome: Outcome) -> bool:
        """See ``CrashFitness``."""
        return self._judge.may_be(outcome)

    def _uncovered(self, chain: ChainDistance) -> float:
        """|R| - lcp - (1 - StatementDistance); 0 where no frame is uncovered."""
        depth, line, _, _ = chain
        covered = max(depth, 0) + line.reached  # a frame that was entered from the right line has that line covered
        if covered == len(self._goals):
            return 0.0
        # Deviation: the paper's distance, approach level + phi(branch distance), has no bound, so a deep approach level would
        # outweigh a covered frame. It is normalised once more.
        distance = 1.0 if depth < 0 or line.reached else statement_distance(line)
        return len(self._goals) - covered - (1.0 - distance)
