"""The goal of getting past a function that is not on the report's chain: a constructor or a helper that raises before the chain is
entered, or before it goes on. Korel's chaining approach calls such a thing a problem node; here it is one that ends the run.

Where crash fitness is a plateau, this distance tells runs apart that ended in the same function: first by how far they came in it,
then by the branch distance away from what raised.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from crashwright.engine.execution.outcome import Outcome, RaisedFrame
from crashwright.engine.goals.crash.frame_goal import Decision, away_from
from crashwright.engine.instrument.trace import Activation, ProbedFunction, Trace
from crashwright.engine.subject.flow.conditions import position_of
from crashwright.engine.subject.flow.control_dependence import ControlDependence
from crashwright.engine.subject.walking import walk

BlockerDistance = Callable[[Outcome, Trace], float]
NOT_ENTERED, PASSED = 1.0, 0.0


class BlockerGoal:
    """Function number ``number`` (``function``) is left without an exception."""

    def __init__(self, number: int, function: ProbedFunction, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._number = number
        self._key = function.key
        self._flow = ControlDependence(node)
        self._markers = function.markers
        self._predicates = {
            predicate.position: index for index, predicate in enumerate(function.predicates) if predicate.kind != "site"
        }
        self._ways: dict[int, tuple[int, tuple[Decision, ...]]] = {}

    def distance(self, outcome: Outcome, trace: Trace) -> float:
        """0 where it was entered and did not end the run, 1 where it was not entered."""
        frame = self._raised(outcome)
        latest: Activation | None = None
        for activation in trace.activations:
            if activation.function == self._number:
                latest = activation
        if latest is None or outcome.timed_out:
            return NOT_ENTERED
        if frame is None:
            return PASSED
        rank, decisions = self._way(frame.line)
        return 1.0 - (rank + 1.0 - away_from(decisions, latest)) / (len(self._markers) + 1.0)

    def _raised(self, outcome: Outcome) -> RaisedFrame | None:
        """Its innermost frame in the traceback."""
        key = self._key
        for frame in reversed(outcome.frames):
            code = frame.code
            if code.co_name == key.name and code.co_firstlineno == key.first_line and code.co_qualname == key.qualname:
                return frame
        return None

    def _way(self, line: int) -> tuple[int, tuple[Decision, ...]]:
        """How many statements stand before that line, and the last decisions that led to it."""
        found = self._ways.get(line)
        if found is None:
            rank = sum(marker.line < line for marker in self._markers)
            # Of the decisions further up many would only lead to what raises before that.
            branches = tuple(
                (self._predicates[branch.position], branch.outcome)
                for branch in self._flow.dependences(line)
                if branch.position in self._predicates
            )
            found = self._ways[line] = rank, branches
        return found


def can_be_passed(node: ast.FunctionDef | ast.AsyncFunctionDef, line: int) -> bool:
    """Whether runs that end there can be told apart: by a decision on the way, or, where nothing is raised on purpose, by how many
    statements went well before."""
    flow = ControlDependence(node)
    place = flow.statement_at(line)
    if place is None:
        return False
    on_purpose = any(isinstance(part, ast.Raise) and position_of(part) == place for part in walk(node))
    return bool(flow.approach(place)) or (not on_purpose and len(flow.path_positions(place)) > 1)
