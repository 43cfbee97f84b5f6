"""What is reported of a search: coverage per criterion, and the branches that are open."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_module import NAME, SmallModule, goals

from crashwright.core.suite import CriterionCoverage, OpenBranch, TakenBranch
from crashwright.engine.goals.coverage.callables import CallableFacts
from crashwright.engine.goals.coverage.coverage import (
    Nearness,
    coverage_of,
    never_returned,
    one_sided,
    open_branches,
    taken_branches,
)
from crashwright.engine.instrument.trace import CallFact

TEXT = """
def f(a, items):
    if a > 3:
        for item in items:
            try:
                item()
            except ValueError:
                pass
    return 2


def g():
    return 4 if f else 3
"""


@pytest.fixture
def module(tmp_path: Path) -> SmallModule:
    return SmallModule(tmp_path, TEXT)


def test_coverage_by_criterion(module: SmallModule) -> None:
    facts = [CallableFacts(f"{NAME}:f", "f"), CallableFacts(f"{NAME}:g", "g")]
    catalogue = module.catalogue("branch", "method", "exception", callables=facts)
    run = catalogue.footprint(
        module.trace(module.call("f", at={"a > 3": (2.0, 0.0)}), calls=[CallFact(f"{NAME}:f", (), "KeyError", "implicit")])
    )
    assert coverage_of(catalogue, catalogue.covered(run)) == (
        CriterionCoverage("branch", 1, 8),
        CriterionCoverage("method", 1, 2),
        CriterionCoverage("exception", 1, 1),
    )
    assert coverage_of(catalogue, 0)[2] == CriterionCoverage("exception", 0, 0)


def test_taken_branches_with_the_tests_that_take_them(module: SmallModule) -> None:
    catalogue = module.catalogue("branch")
    first = goals(catalogue, "branch f:2:7 false")
    both = goals(catalogue, "branch f:2:7 false", "branch g:12:16 true")
    assert taken_branches(catalogue, [first, 0, both], module.sources) == (
        TakenBranch("f", 2, "`a > 3` is false", (0, 2)),
        TakenBranch("g", 12, "`f` is true", (2,)),
    )


def test_a_branch_whose_other_side_is_taken_too_says_nothing_of_the_test(module: SmallModule) -> None:
    catalogue = module.catalogue("branch")
    here = goals(catalogue, "branch f:2:7 false")
    number = here.bit_length() - 1
    assert one_sided(catalogue, number, here | goals(catalogue, "branch g:12:16 true"))
    assert not one_sided(catalogue, number, here | goals(catalogue, "branch f:2:7 true"))


def test_open_branches_with_the_nearest_distance_ever_seen(module: SmallModule) -> None:
    catalogue = module.catalogue("branch")
    nearness = Nearness(catalogue)
    covered = goals(catalogue, "branch f:2:7 false", "branch g:12:16 true", "branch g:12:16 false")
    for away in (7.0, 2.0, 5.0):
        nearness.note([catalogue.footprint(module.trace(module.call("f", at={"a > 3": (away, 0.0)})))], covered)
    assert open_branches(catalogue, covered, nearness, module.sources) == (
        OpenBranch("f", 2, "`a > 3` is true", 2.0),
        OpenBranch("f", 3, "the loop over `items` is entered", None),
        OpenBranch("f", 3, "the loop over `items` comes to its end", None),
        OpenBranch("f", 6, "`except ValueError` is entered", None),
        OpenBranch("f", 6, "`except ValueError` is passed by an exception", None),
    )


def test_noting_nothing_knows_nothing(module: SmallModule) -> None:
    catalogue = module.catalogue("branch")
    nearness = Nearness(catalogue)
    nearness.note([catalogue.footprint(module.trace())], 0)
    assert all(branch.distance is None for branch in open_branches(catalogue, 0, nearness, module.sources))


def test_callables_of_which_every_call_raised_are_named(module: SmallModule) -> None:
    facts = [CallableFacts(f"{NAME}:f", "f"), CallableFacts(f"{NAME}:g", "g")]
    catalogue = module.catalogue("method", "no-exception", callables=facts)
    assert never_returned(catalogue, 0) == ("f", "g")
    [returned] = [goal for goal in catalogue.goals if goal.label == "no-exception g"]
    assert never_returned(catalogue, 1 << returned.number) == ("f",)
