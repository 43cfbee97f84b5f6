"""The page of suites: the source of each module with its branches, by which tests they are taken, and the mutants that survive.

It is made from the JSON document of ``generate``, also from one that was saved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from crashwright.core.codec import from_json
from crashwright.core.suite import LineMutants
from crashwright.reporting.html.page import page
from crashwright.reporting.html.source import SourceLine, source_lines
from crashwright.reporting.suite import module_rows, nearest
from crashwright.workflows.generate.result import WRITTEN, ModuleBranch, ModuleSuite, SuiteResult

_MOST_TESTS = 6
"""Names of tests that are told for a branch."""


class Remark(NamedTuple):
    """A branch of a line in words, ``mood`` is good, bad or dim, and what there is to say of it."""

    mood: str
    text: str
    detail: str


class MarkedLine(NamedTuple):
    """A line of source: ``state`` is taken, part or open where it has branches, else ""; ``mutants`` is such as "3 of 4"."""

    line: SourceLine
    state: str
    remarks: tuple[Remark, ...]
    mutants: str
    survived: tuple[str, ...]


class ModuleView(NamedTuple):
    """What the page shows of a module; ``key`` is its name on the page."""

    key: str
    suite: ModuleSuite
    lines: list[MarkedLine]
    story: list[tuple[str, list[str]]]
    tests: list[SourceLine]
    taken: int
    left_out: list[tuple[str, str]]


def suite_page(document: Mapping[str, Any]) -> str:
    """The page of a JSON document of ``generate``. Raises Undecodable where it is none."""
    result = from_json(SuiteResult, dict(document))
    return page(
        "suite.html.j2",
        verdict=str(document.get("verdict", "")),
        mood="good" if result.exit_code is WRITTEN else "bad",
        result=result,
        modules=[_view(number, one, result) for number, one in enumerate(result.modules, start=1)],
    )


def marked_lines(suite: ModuleSuite) -> list[MarkedLine]:
    """The source with what is known of each line."""
    branches = {line: list(group) for line, group in groupby(sorted(suite.branches, key=_line), key=_line)}
    mutants = {one.line: one for one in suite.mutants}
    return [_marked(line, branches.get(line.number, ()), mutants.get(line.number)) for line in source_lines(suite.source)]


def _line(branch: ModuleBranch) -> int:
    return branch.line


def _marked(line: SourceLine, branches: Sequence[ModuleBranch], mutants: LineMutants | None) -> MarkedLine:
    taken = sum(one.taken for one in branches)
    state = "" if not branches else "taken" if taken == len(branches) else "part" if taken else "open"
    told = "" if mutants is None else f"{mutants.killed} of {mutants.killed + len(mutants.survived)}"
    return MarkedLine(line, state, tuple(map(_remark, branches)), told, mutants.survived if mutants is not None else ())


def _remark(branch: ModuleBranch) -> Remark:
    if not branch.taken:
        return Remark("bad", branch.text, f"not taken, {nearest(branch.distance)}")
    if not branch.tests:
        return Remark("dim", branch.text, "taken only by tests that are not in the suite")
    more = len(branch.tests) - _MOST_TESTS
    named = ", ".join(branch.tests[:_MOST_TESTS]) + (f" and {more} more" if more > 0 else "")
    return Remark("good", branch.text, f"taken by {named}")


def _view(number: int, suite: ModuleSuite, result: SuiteResult) -> ModuleView:
    story: list[tuple[str, list[str]]] = []
    for row in module_rows(suite, result):
        if row.label or not story:
            story.append((row.label, []))
        story[-1][1].append(row.text)
    tests = source_lines(suite.printed or suite.text) if suite.printed or suite.text else []
    left_out = [(one.test, one.reason) for one in suite.dropped]
    taken = sum(one.taken for one in suite.branches)
    return ModuleView(f"module-{number}", suite, marked_lines(suite), story, tests, taken, left_out)
