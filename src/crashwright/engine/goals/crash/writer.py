"""The goal of coming to where a function off the report's chain writes what a guard of the chain reads: Korel's chaining approach
("Automated software test data generation"), for fields and globals.

Where the crash fitness is a plateau, this distance tells runs apart that do nothing for the guard from runs that nearly do.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.frame_goal import FrameGoal, LineDistance, frame_goal
from crashwright.engine.goals.distance import normalise
from crashwright.engine.instrument.trace import ProbedFunction, Trace
from crashwright.engine.subject.flow.control_dependence import ControlDependence

NOT_ENTERED = 1.0


class WriterGoal:
    """One of ``lines`` of function number ``number`` (``function``) begins."""

    def __init__(
        self, number: int, function: ProbedFunction, node: ast.FunctionDef | ast.AsyncFunctionDef, lines: Sequence[int]
    ) -> None:
        flow = ControlDependence(node)
        self._number = number
        self._goals: list[FrameGoal] = [frame_goal(number, function, line, flow, None) for line in lines]

    def distance(self, _outcome: Outcome, trace: Trace) -> float:
        """0 where it was reached, 1 where the function was not entered."""
        found = [
            _scaled(goal.distance(activation))
            for activation in trace.activations
            if activation.function == self._number
            for goal in self._goals
        ]
        return min(found, default=NOT_ENTERED)


def _scaled(line: LineDistance) -> float:
    if line.reached:
        return 0.0
    return 0.5 + 0.49 * normalise(line.value) if line.value > 0 else 0.49 - 0.24 * line.progress
