"""Generated suites in a screenful: labelled rows of text, for the terminal and for a pipe alike."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from crashwright.core.suite import CriterionCoverage, OpenBranch
from crashwright.finishing.crash.header import visible
from crashwright.reporting.pytest_command import pytest_command
from crashwright.reporting.story import StoryRow, confinement_rows, incident_rows
from crashwright.workflows.generate.events import SubjectFound
from crashwright.workflows.generate.result import WRITTEN, ModuleSuite, SuiteResult

_GAP = "   "
_MOST_DROPPED = 5
_MOST_NAMED = 2
_MOST_RETURNED = 5
_MOST_SURVIVORS = 4
_MOST_DEFECTS = 4


def subject_rows(found: SubjectFound) -> list[StoryRow]:
    """What tests are generated for."""
    several = f", {_count(len(found.modules), 'module')}" if found.modules != (found.subject,) else ""
    return [
        StoryRow("subject", f"{found.subject}{several}; Python {found.python}"),
        *(StoryRow("", note, "dim") for note in found.notes),
    ]


def suite_rows(result: SuiteResult, whole: bool = False) -> list[StoryRow]:
    """The result. Several modules have a line or two each, and long lists are shortened, unless it is to be the ``whole`` story."""
    rows: list[StoryRow] = []
    if len(result.modules) == 1:
        rows += module_rows(result.modules[0], result, whole)
    else:
        for suite in result.modules if whole else ():
            rows += [StoryRow("module", suite.module), *module_rows(suite, result, whole)]
        rows += _modules_rows(result)
        rows.append(_sum_row(result))
    rows.append(StoryRow("repeat", result.command, "dim"))
    return rows


def module_rows(suite: ModuleSuite, result: SuiteResult, whole: bool = False) -> list[StoryRow]:
    """One module in full."""
    rows = [_search_row(suite, result.seed)] if suite.evaluations else []
    rows += _time_rows(suite)
    rows += [StoryRow("" if number else "coverage", line) for number, line in enumerate(_coverage_lines(suite.coverage))]
    existing = [f"{one.criterion} {one.existing}" for one in suite.coverage if one.existing]
    if existing:
        rows.append(StoryRow("", f"existing tests cover: {', '.join(existing)}", "dim"))
    if suite.mutants_total is not None:
        rows.append(StoryRow("mutants", _mutants_text(suite, suite.mutants_total)))
    rows += _survivor_rows(suite, whole)
    rows += _returned_rows(suite, whole)
    rows += _defect_rows(suite, whole)
    rows += _open_rows(suite)
    rows += _elsewhere_rows(suite)
    rows += _dropped_rows(suite, whole)
    rows += confinement_rows(suite.confined, refusals=True)
    rows += incident_rows([visible(text) for text in suite.incidents], whole)
    rows += _end_rows(suite, result)
    return rows


def package_rows(suite: ModuleSuite) -> list[StoryRow]:
    """One of several modules, in a line or two."""
    if not suite.file:
        return [_no_suite_row([suite])]
    branches = next((_share(one) for one in suite.coverage if one.criterion == "branch"), "")
    parts = [suite.module, f"branches {branches}" if branches else "", _count(suite.tests, "test"), suite.file]
    return [StoryRow("wrote", _GAP.join(filter(None, parts)), "good")]


def _modules_rows(result: SuiteResult) -> Iterator[StoryRow]:
    """What was written, then why nothing was, once for each reason, and what helps."""
    by_problem: dict[str, list[ModuleSuite]] = {}
    for suite in result.modules:
        if suite.file:
            yield from package_rows(suite)
        else:
            by_problem.setdefault(suite.problem, []).append(suite)
    for suites in by_problem.values():
        yield _no_suite_row(suites)
        if suites[0].advice:
            yield StoryRow("", visible(suites[0].advice), "dim")


def _no_suite_row(suites: list[ModuleSuite]) -> StoryRow:
    return StoryRow("", f"{_named([one.module for one in suites])}{_GAP}no suite: {visible(suites[0].problem)}", "bad")


def _sum_row(result: SuiteResult) -> StoryRow:
    written = [suite for suite in result.modules if suite.file]
    tests = sum(suite.tests for suite in written)
    covered = [one for suite in result.modules for one in suite.coverage if one.criterion == "branch"]
    share = f"branches {sum(one.covered for one in covered)}/{sum(one.total for one in covered)}" if covered else ""
    parts = [f"{len(written)} of {_count(len(result.modules), 'module')}", share, _count(tests, "test"), f"{result.seconds:.1f} s"]
    return StoryRow("in all", _GAP.join(filter(None, parts)), "good" if written else "bad")


def _search_row(suite: ModuleSuite, seed: int) -> StoryRow:
    parts = [f"{suite.timing.search:.1f} s", f"{suite.evaluations:,} tests run", f"{suite.tests_per_second:,.0f}/s", f"seed {seed}"]
    return StoryRow("search", _GAP.join(parts))


def _time_rows(suite: ModuleSuite) -> Iterator[StoryRow]:
    """What followed the search."""
    time = suite.timing
    phases = {"made smaller": time.minimising, "examined": time.examination, "verified": time.verification, "written": time.writing}
    if suite.evaluations:
        parts = [f"{phase} {seconds:.1f} s" for phase, seconds in phases.items()]
        yield StoryRow("", _GAP.join([*parts, f"total {time.total:.1f} s"]), "dim")


def _coverage_lines(coverage: Iterable[CriterionCoverage]) -> Iterator[str]:
    """All criteria, a few to a line."""
    cells = [f"{one.criterion} {_share(one)}" for one in coverage]
    for start in range(0, len(cells), 4):
        yield _GAP.join(cells[start : start + 4])


def _share(one: CriterionCoverage) -> str:
    if one.total == 0:
        return "none"
    if one.criterion == "exception":
        return f"{one.covered} found"
    return f"{one.covered}/{one.total} ({100 * one.covered / one.total:.0f} %)"


def _returned_rows(suite: ModuleSuite, whole: bool) -> Iterator[StoryRow]:
    """Which callables are tested by their exceptions alone."""
    names = [f"`{visible(name)}`" for name in suite.never_returned]
    if names:
        shown = names if whole else names[:_MOST_RETURNED]
        more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
        yield StoryRow("", f"{', '.join(shown)}{more} returned in no test: every call raised an exception, or there was none")


def _defect_rows(suite: ModuleSuite, whole: bool) -> Iterator[StoryRow]:
    """What Python raises that nobody seems to have meant."""
    found = suite.possible_defects
    shown = found if whole else found[:_MOST_DEFECTS]
    for number, one in enumerate(shown):
        text = f"`{visible(one.call)}` raises {visible(one.error)} in line {one.line}"
        yield StoryRow("" if number else "defects?", text)
    if len(found) > len(shown):
        yield StoryRow("", f"... and {len(found) - len(shown)} more", "dim")


def _open_rows(suite: ModuleSuite) -> Iterator[StoryRow]:
    for number, branch in enumerate(suite.open_branches):
        yield StoryRow("" if number else "not taken", _open_text(branch))
    more = suite.open_count - len(suite.open_branches)
    if more > 0:
        yield StoryRow("", f"... and {_count(more, 'more branch', 'more branches')}", "dim")


def _open_text(branch: OpenBranch) -> str:
    return f"{branch.qualname}:{branch.line}  {visible(branch.text)}  ({nearest(branch.distance)})"


def nearest(distance: float | None) -> str:
    """How near the search came to a branch that no test takes."""
    if distance is None:
        return "never evaluated"
    if distance == 0:
        return "reached only before an accidental exception; see --accidental-exceptions"
    return "reached, but never close" if math.isinf(distance) else f"nearest distance {distance:.3g}"


def _mutants_text(suite: ModuleSuite, total: int) -> str:
    parts = [f"{suite.mutants_killed} of {total} in the whole module are killed"]
    if suite.mutants_untried:
        parts.append(f"{suite.mutants_untried:,} of them were not tried, because the time was up")
    if suite.mutants_excluded:
        parts.append(f"{suite.mutants_excluded} more are left out, because they change no code")
    return "; ".join(parts)


def _survivor_rows(suite: ModuleSuite, whole: bool) -> Iterator[StoryRow]:
    """The changes of the module that no test notices, by line."""
    found = [f"line {one.line}: {visible(text)}" for one in suite.mutants for text in one.survived]
    shown = found if whole else found[:_MOST_SURVIVORS]
    for number, text in enumerate(shown):
        yield StoryRow("" if number else "unnoticed", text)
    if len(shown) < len(found):
        yield StoryRow("", f"... and {_count(len(found) - len(shown), 'more change', 'more changes')}", "dim")


def _elsewhere_rows(suite: ModuleSuite) -> Iterator[StoryRow]:
    """Which tests depended on where and when they ran."""
    found = suite.elsewhere
    parts = [f"{found.weakened} assert less" * bool(found.weakened), f"{found.dropped} left out" * bool(found.dropped)]
    if any(parts):
        tests = _count(found.weakened + found.dropped, "test")
        yield StoryRow(
            "elsewhere", f"{tests} did not pass with another date, environment or folder: {', '.join(filter(None, parts))}"
        )


def _dropped_rows(suite: ModuleSuite, whole: bool) -> Iterator[StoryRow]:
    """What was left out, once for each reason."""
    by_reason: dict[str, list[str]] = {}
    for one in suite.dropped:
        by_reason.setdefault(one.reason, []).append(one.test)
    most = len(by_reason) if whole else _MOST_DROPPED
    for number, (reason, tests) in enumerate(list(by_reason.items())[:most]):
        named = ", ".join(map(visible, tests)) if whole else _named(tests)
        yield StoryRow("" if number else "dropped", f"{named}: {visible(reason)}", "dim")
    more = sum(map(len, list(by_reason.values())[most:]))
    if more > 0:
        yield StoryRow("", f"... and {_count(more, 'more test')}", "dim")


def _named(tests: list[str]) -> str:
    """The first names and how many more there are; a number alone where there is but one word for all of them."""
    if len(tests) > 1 and len(set(tests)) == 1:
        return f"{_count(len(tests), 'test')}{visible(tests[0].removeprefix('a test'))}"
    shown = ", ".join(map(visible, tests[:_MOST_NAMED]))
    return f"{shown} and {len(tests) - _MOST_NAMED} more" if len(tests) > _MOST_NAMED else shown


def _end_rows(suite: ModuleSuite, result: SuiteResult) -> Iterator[StoryRow]:
    if not suite.file:
        yield StoryRow("not written" if suite.text else "no suite", visible(suite.problem), "bad")
        if suite.advice:
            yield StoryRow("", suite.advice)
        yield from (StoryRow("", line) for line in suite.text.splitlines())
        return
    contents = f"{_count(suite.tests, 'test')}, {_count(suite.assertions, 'assertion')}"
    mood = "good" if suite.exit_code is WRITTEN else "plain"
    command = pytest_command([suite.file], result.interpreter, result.import_path, result.has_pytest)
    yield StoryRow("wrote", f"{suite.file}{_GAP}{contents}{_GAP * 2}try it:  {command}", mood)
    if suite.replaced:
        yield StoryRow("", f"it replaced {suite.replaced}", "dim")


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
