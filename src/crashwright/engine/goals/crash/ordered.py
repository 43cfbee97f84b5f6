"""Our own crash fitness: one ordered scale along the report's call chain.

For n frames the fitness is (frames not yet entered) + (distance within the deepest frame entered in the right chain). Within a
frame:

====================  =============================================================================
[0.50, 1.00]          a predicate on the way took the wrong side (approach level, branch distance)
[0.25, 0.49]          the right sides were taken, but the run stopped earlier (share of the statements on the path that began)
[0.20, 0.25)          the line was reached, not yet its failing sub-expression (conditions inside the statement)
0.15 - 0.19           the sub-expression was reached (or the line completed without calling the next frame)
0.15 - 0.19           crash frame of an index access or division, or of a name that is not to be set: the nearer it was to failing
                      the better
0.06 - 0.19           the cycle of a RecursionError was entered: the more rounds of it the better, whatever was raised then
0.06 - 0.13           crash frame: an exception of another type was raised at the line
0.01 - 0.05           all frames and the type agree, the message does not
0.001 - 0.009         reproduced, but other evidence of the report speaks against it (values of the message)
0                     reproduced
====================  =============================================================================

Where a precondition of the crash is known for the deepest frame entered (``core.precondition``), a tenth of each value from 0.15
on is how far the frame's arguments were from fulfilling it, on the same scale: branch distances say nothing of the state of
objects. It decides between runs that stand nearly alike, and not against what they did: a precondition is one way to the crash,
and may be the wrong one. Runs that reached the line stay ahead of the others, and what leads there counts no more.

What was raised counts only where it was raised in the chain: of two unrelated events in one test, one that went down the chain and
one that raised, the second is passed over.

Without the secondary objective the share of statements, which is progress through basic blocks, is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from crashwright.core.comprehensions import COMPREHENSIONS
from crashwright.core.location import Position
from crashwright.engine.execution.outcome import Outcome, position_of
from crashwright.engine.goals.crash.chain import ChainDistance, chain_distance, coverage_of, raised_in_chain, recursion_depth
from crashwright.engine.goals.crash.evidence import ANOTHER_PLACE
from crashwright.engine.goals.crash.frame_goal import FrameGoal, LineDistance
from crashwright.engine.goals.crash.score import CrashJudge, CrashScore, Judgement, Variant, near_miss
from crashwright.engine.goals.distance import normalise
from crashwright.engine.instrument.trace import Trace

AT_LINE = 0.15
"""From here on the line was not passed as in the report; below, what was raised tells how near it came."""
BEFORE_LINE = 0.25
"""From here on it was not reached."""
ROUNDED = 1e-9
"""Less is 0."""
ARGUMENTS = 0.1
"""What the arguments of a frame weigh, beside what happened in it."""
TIMED_OUT = 1.0
"""Added to the worst value of the scale by a test that had to be stopped."""


class OrderedFitness:
    """``goals`` run from the target frame to the crash frame; ``carets[i]`` is the failing sub-expression of frame i, where
    known."""

    name = "ordered"

    def __init__(self, judge: CrashJudge, goals: Sequence[FrameGoal], carets: Sequence[Position | None], variant: Variant) -> None:
        self._block_coverage = variant.block_coverage
        self._variant = variant
        self._judge = judge
        self._goals = tuple(goals)
        self._carets = tuple(carets)

    def score(self, outcome: Outcome, trace: Trace) -> CrashScore:
        """Score one run."""
        judgement = self._judge.judge(outcome)
        level, agreeing, _, _, _, message, *_ = judgement
        count = len(self._goals)
        if level == 4:
            # A crash in another part of the line stands before the wanted part: runs that come past it are nearer.
            fitness = 0.2 if judgement.against >= ANOTHER_PLACE else near_miss(judgement)
            return CrashScore(fitness, 4, count, agreeing, message=judgement.said, ends_alike=judgement.ends_alike)
        if level == 3:
            return CrashScore(0.01 + 0.04 * message, 3, count, agreeing, message=judgement.said)
        chain = chain_distance(self._goals, trace.activations, self._variant.flags_of(trace))
        depth = chain[0]
        if depth < 0:
            fitness = float(count)
        else:
            within = self._within(chain, judgement, outcome, trace)
            if self._goals[depth].entry is not None and within >= AT_LINE:
                within = _with_arguments(within, chain.line)
            fitness = count - 1 - depth + within
        if outcome[3]:  # timed out
            fitness += TIMED_OUT
        coverage = coverage_of(self._goals, chain, self._variant.literal) if self._block_coverage else None
        return CrashScore(fitness, level, depth + 1, agreeing, coverage, chain.standing, led=self._led(chain), missed=chain.missed)

    def may_be(self, outcome: Outcome) -> bool:
        """See ``CrashFitness``."""
        return self._judge.may_be(outcome)

    def _led(self, chain: ChainDistance) -> tuple[int, bool] | None:
        line = chain.line
        return (self._goals[chain.depth].function, line.way < ROUNDED) if line.reached and line.way is not None else None

    def _within(self, chain: ChainDistance, judgement: Judgement, outcome: Outcome, trace: Trace) -> float:
        depth, (reached, value, progress, guard, site, *_), _, _ = chain
        if not reached:
            if value > 0:
                return 0.5 + 0.5 * normalise(value)
            return 0.49 - 0.24 * progress if self._block_coverage else 0.49
        if guard > 0:
            return 0.2 + 0.05 * normalise(guard)
        last = depth == len(self._goals) - 1
        if last and self._judge.recursion and not (judgement.at_line and judgement.same_type):
            return 0.06 + 0.13 / (1.0 + recursion_depth(self._goals, trace.activations) / 10.0)
        raised_here = bool(outcome.frames) and (
            not self._variant.one_chain or raised_in_chain(self._goals, chain, outcome.frames, trace)
        )
        if last and judgement.at_line and raised_here:
            return 0.06 + 0.07 * judgement.kinship if not judgement.same_type else 0.055
        goal = self._goals[depth]
        raised = self._sub_expression(goal, self._carets[depth], outcome, trace) if raised_here else None
        if raised is not None:
            return raised
        # An access that could not be measured counts as farthest, or the search would look for such.
        return 0.15 + 0.04 * normalise(site) if last and goal.is_graded else 0.15

    def _sub_expression(self, goal: FrameGoal, caret: Position | None, outcome: Outcome, trace: Trace) -> float | None:
        """None where nothing was raised there."""
        key = trace.functions[goal.function].key
        file = None
        for code, line, instruction in outcome.frames:
            if code.co_name == key.name and code.co_firstlineno == key.first_line:
                file = code.co_filename
                if line == goal.line:
                    if caret is None:
                        return 0.18
                    place = position_of(code, instruction)
                    return 0.17 if place is not None and _inside(place, caret) else 0.2
            elif caret is not None and code.co_filename == file and code.co_name in COMPREHENSIONS:
                # It runs in a frame of its own (until 3.12), on whatever line of the statement.
                place = position_of(code, instruction)
                if place is not None and _inside(place, caret):
                    return 0.17
        return None


def _with_arguments(within: float, line: LineDistance) -> float:
    """A place on the scale moved by the arguments of the frame, before the line and behind it."""
    least, most = (AT_LINE, BEFORE_LINE) if line.reached else (BEFORE_LINE, 1.0)
    return (1.0 - ARGUMENTS) * within + ARGUMENTS * (least + (most - least) * line.entry)


def _inside(place: Position, caret: Position) -> bool:
    return (place.line, place.column) >= (caret.line, caret.column) and (place.end_line, place.end_column) <= (
        caret.end_line,
        caret.end_column,
    )
