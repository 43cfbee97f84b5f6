"""Which tests of a suite say nothing new beside tests that exist (``--existing-tests``).

The existing tests are run with a tracer that knows lines and steps between them, not our goals. A goal of structure counts as
covered where the lines leave no doubt; a test that throws or returns something that was asked for always stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from crashwright.core.suite import SuiteTest
from crashwright.finishing.suite.existing import ExistingCoverage

_LABEL = re.compile(r"(?P<criterion>\S+) (?P<qualname>\S+?)(?::(?P<line>\d+))?(?::\d+)?(?: (?P<rest>.*))?")
_ALWAYS_NEW = frozenset({"exception", "output"})


def new_tests(tests: Iterable[SuiteTest], existing: ExistingCoverage) -> tuple[SuiteTest, ...]:
    """Those that reach something that the existing tests do not."""
    return tuple(test for test in tests if not _is_known(test, existing))


def _is_known(test: SuiteTest, existing: ExistingCoverage) -> bool:
    goals = [match for goal in test.goals if (match := _LABEL.fullmatch(goal)) and match["criterion"] != "weak-mutation"]
    if not goals:  # mutants alone, or an archive whose goals nobody told
        return bool(test.goals) and test.line in existing.lines
    return all(_is_covered(goal, existing) for goal in goals)


def _is_covered(goal: re.Match[str], existing: ExistingCoverage) -> bool:
    criterion, line = goal["criterion"], goal["line"]
    if criterion in _ALWAYS_NEW:
        return False
    if line is None or goal["rest"] == "entry":
        return goal["qualname"] in existing.qualnames
    if criterion == "line":
        return int(line) in existing.lines
    # Both outcomes were taken where two different lines follow that of the predicate.
    return len({after for before, after in existing.arcs if before == int(line)}) > 1
