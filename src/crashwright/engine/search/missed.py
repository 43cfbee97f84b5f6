"""The condition on the way to a line that no test met, in words for the user: approach levels (paper 000, section 2.1) read back
into the source."""

from __future__ import annotations

from crashwright.core.report import Unknown
from crashwright.core.target import TargetFrame
from crashwright.engine.goals.coverage.coverage import on_one_line
from crashwright.engine.subject.flow.cfg import Branch, BranchKind
from crashwright.engine.subject.flow.control_dependence import ControlDependence
from crashwright.engine.subject.source import Sources

LONGEST = 100
"""Characters of a condition that are shown."""
_NEVER = {
    (BranchKind.CONDITION, True): "{} was never true",
    (BranchKind.CONDITION, False): "{} was never false",
    (BranchKind.FOR, True): "the loop over {} never had an item",
    (BranchKind.FOR, False): "the loop over {} never came to its end",
    (BranchKind.CASE, True): "the pattern {} never matched",
    (BranchKind.CASE, False): "the pattern {} always matched",
    (BranchKind.EXCEPT, True): "{} never caught an exception",
    (BranchKind.EXCEPT, False): "{} caught every exception",
    (BranchKind.SUPPRESS, True): "{} never suppressed an exception",
    (BranchKind.SUPPRESS, False): "{} suppressed every exception",
}


def condition(frame: TargetFrame, level: int, sources: Sources) -> str | None:
    """What was never met on the way to the frame's line, such as "`count > 3` was never true (line 12)": the decisions of an
    approach ``level``. None where the source does not say."""
    node, source = sources.node_of(frame.key), sources.of_module(frame.key.module)
    if node is None or isinstance(source, Unknown):
        return None
    flow = ControlDependence(node)
    statement = flow.statement_at(frame.line)
    if statement is None:
        return None
    lines = source.text.split("\n")
    found = [_in_words(branch, lines) for branch, at in flow.first_approach(statement) if at == level]
    return " and ".join(found[:2]) or None


def _in_words(branch: Branch, lines: list[str]) -> str:
    shown = on_one_line(branch.position, lines)
    if branch.kind in (BranchKind.EXCEPT, BranchKind.SUPPRESS):
        shown = shown.partition(":")[0]
    if len(shown) > LONGEST:
        shown = f"{shown[: LONGEST - 3]}..."
    return f"{_NEVER[branch.kind, branch.outcome].format(f'`{shown}`')} (line {branch.position[0]})"
