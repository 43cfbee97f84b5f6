"""Which branches of a module are taken, and by which tests of its file."""

from __future__ import annotations

from collections.abc import Sequence

from crashwright.core.messages import Suite
from crashwright.finishing.suite.file import SuiteFile
from crashwright.workflows.generate.examination import ExaminedTest
from crashwright.workflows.generate.result import ModuleBranch


def module_branches(suite: Suite, examined: Sequence[ExaminedTest], file: SuiteFile) -> tuple[ModuleBranch, ...]:
    """The branches of ``suite``; ``file`` was made of the tests ``examined``, which are some of its tests."""
    places = {id(test): place for place, test in enumerate(suite.tests)}
    names: dict[int, list[str]] = {}
    for one in file.tests:
        for index in one.indices:
            place = places.get(id(examined[index].test))
            if place is not None:
                names.setdefault(place, []).append(one.node)
    taken = [
        ModuleBranch(
            branch.line,
            branch.qualname,
            branch.text,
            True,
            tuple(dict.fromkeys(name for place in branch.tests for name in names.get(place, ()))),
        )
        for branch in suite.taken
    ]
    missed = [
        ModuleBranch(branch.line, branch.qualname, branch.text, False, distance=branch.distance) for branch in suite.open_branches
    ]
    return tuple(sorted([*taken, *missed], key=lambda branch: (branch.line, not branch.taken)))
