"""The condition on the way to a line that no test met, in words for the user: approach levels (paper 000, section 2.1) read back
into the source."""

from __future__ import annotations

import os
from typing import NamedTuple

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


class Unmet(NamedTuple):
    """What was never met, such as "`count > 3` was never true (line 12)", and the place of it."""

    text: str
    place: str


def condition(frame: TargetFrame, level: int, sources: Sources) -> Unmet | None:
    """What was never met on the way to the frame's line: the decisions of an approach ``level``. None where the source does not
    say."""
    node, source = sources.node_of(frame.key), sources.of_module(frame.key.module)
    if node is None or isinstance(source, Unknown):
        return None
    flow = ControlDependence(node)
    statement = flow.statement_at(frame.line)
    if statement is None:
        return None
    found = [branch for branch, at in flow.first_approach(statement) if at == level][:2]
    if not found:
        return None
    line = found[0].position[0]
    lines = source.text.split("\n")
    alike = len(found) == 2 and all(branch[1:] == (BranchKind.CONDITION, True) for branch in found)
    if alike and found[1].position[0] == line:
        text = f"neither {' nor '.join(_shown(branch, lines) for branch in found)} was ever true (line {line})"
    else:
        text = " and ".join(_in_words(branch, lines) for branch in found)
    return Unmet(text, f"{os.path.basename(frame.path)}:{line}")


def _shown(branch: Branch, lines: list[str]) -> str:
    shown = on_one_line(branch.position, lines)
    if branch.kind in (BranchKind.EXCEPT, BranchKind.SUPPRESS):
        shown = shown.partition(":")[0]
    if len(shown) > LONGEST:
        shown = f"{shown[: LONGEST - 3]}..."
    return f"`{shown}`"


def _in_words(branch: Branch, lines: list[str]) -> str:
    return f"{_NEVER[branch.kind, branch.outcome].format(_shown(branch, lines))} (line {branch.position[0]})"
