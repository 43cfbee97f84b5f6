"""Goal policies on the goals of a small module."""

from __future__ import annotations

import ast
import importlib
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from crashwright.core.suite import CRITERIA, ModuleTarget
from crashwright.engine.goals.coverage.callables import CallableFacts
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.goal import Goals, numbers
from crashwright.engine.goals.coverage.integer_operands import IntegerOperands
from crashwright.engine.goals.coverage.selection import goal_policy, guides, representatives
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.subject.mutants.enumeration import Mutant, functions_of, mutants_of
from crashwright.engine.subject.source import Sources

MODULE = "selected_subject"
FILE = Path(__file__).with_name(f"{MODULE}.py")


@dataclass(frozen=True)
class Setting:
    recorder: Recorder
    tree: ast.Module
    mutants: tuple[Mutant, ...]

    def catalogue(self, selection: str, criteria: tuple[str, ...] = CRITERIA) -> Catalogue:
        target = ModuleTarget(MODULE, criteria=criteria, selection=selection)
        facts = [
            CallableFacts(f"{MODULE}:{one.key.qualname}", one.key.qualname, one.key.first_line) for one in self.recorder.functions
        ]
        return Catalogue(self.recorder.functions, Sources(), target, facts, self.mutants)

    def chosen(self, selection: str, algorithm: str = "mosa", criteria: tuple[str, ...] = CRITERIA) -> tuple[Catalogue, Goals]:
        catalogue = self.catalogue(selection, criteria)
        integers = IntegerOperands(self.tree, MODULE)
        return catalogue, goal_policy(catalogue, algorithm, self.mutants, integers).objectives()


@pytest.fixture(scope="module")
def setting() -> Setting:
    recorder = Recorder()
    hook = Instrumentation(recorder, {MODULE: None})
    sys.path.insert(0, str(FILE.parent))
    sys.modules.pop(MODULE, None)
    hook.install()
    try:
        importlib.import_module(MODULE)
    finally:
        hook.uninstall()
        sys.path.remove(str(FILE.parent))
    tree = ast.parse(FILE.read_text(encoding="utf-8"))
    return Setting(recorder, tree, mutants_of(tree, MODULE, [key for key, _ in functions_of(tree, MODULE)]))


def criteria_of(catalogue: Catalogue, goals: Goals) -> set[str]:
    return {catalogue.goals[goal].criterion for goal in numbers(goals)}


def labels(catalogue: Catalogue, goals: Goals, criterion: str) -> list[str]:
    found = [catalogue.goals[goal] for goal in numbers(goals)]
    return [goal.label.partition(f"{criterion} ")[2] for goal in found if goal.criterion == criterion]


def test_all_is_what_was_asked_for(setting: Setting) -> None:
    catalogue, goals = setting.chosen("all")
    assert goals == (1 << len(catalogue.goals)) - 1
    catalogue, goals = setting.chosen("all", criteria=("line", "method"))
    assert criteria_of(catalogue, goals) == {"line", "method"}


def test_representatives_and_subsets(setting: Setting) -> None:
    catalogue, goals = setting.chosen("smart")
    assert criteria_of(catalogue, goals) == {"direct-branch", "line", "weak-mutation", "no-exception"}
    assert goals & catalogue.of("direct-branch") == catalogue.of("direct-branch")
    assert labels(catalogue, goals, "line") == ["long_block:14"]
    assert [label.rpartition(" ror ")[2] for label in labels(catalogue, goals, "weak-mutation") if " ror " in label] == [
        "< -> <=",
        "< -> !=",
        "<= -> <",
        "<= -> ==",
        "<= -> True",
        "== -> >=",
        "== -> <=",
        "== -> False",
        "== -> is",
    ]


def test_arithmetic_mutants_are_dropped_where_operands_are_ints(setting: Setting) -> None:
    catalogue, goals = setting.chosen("smart")
    assert [label.rpartition(" aor ")[2] for label in labels(catalogue, goals, "weak-mutation") if " aor " in label] == ["+ -> *"]
    untyped = goal_policy(catalogue, "mosa", setting.mutants, lambda _: False).objectives()
    assert len([label for label in labels(catalogue, untyped, "weak-mutation") if " aor " in label]) == 6


def test_constants_and_variables_are_dropped(setting: Setting) -> None:
    catalogue, goals = setting.chosen("smart")
    left_out = labels(catalogue, catalogue.asked & ~goals, "weak-mutation")
    assert {label.split()[1] for label in left_out} >= {"constant", "variable"}
    assert {label.split()[1] for label in labels(catalogue, goals, "weak-mutation")} == {"ror", "aor"}


def test_without_subsumption_only_representatives_are_left(setting: Setting) -> None:
    catalogue, goals = setting.chosen("smart-no-subsumption")
    assert criteria_of(catalogue, goals) == {"direct-branch", "no-exception"}


def test_dynamosa_gets_its_branches_back(setting: Setting) -> None:
    for selection in ("all", "smart", "smart-no-subsumption"):
        catalogue, goals = setting.chosen(selection, "dynamosa", ("line", "direct-branch"))
        assert goals & catalogue.of("branch") == catalogue.of("branch")


def test_guides_and_representatives() -> None:
    assert guides(("exception",), "mosa") == guides(("output", "exception"), "whole-suite") == {"branch"}
    assert guides(("line",), "mosa") == frozenset()
    assert guides(("line",), "dynamosa") == {"branch"}
    assert representatives(CRITERIA) == {"direct-branch", "no-exception", "exception", "output"}
    assert representatives(("line", "branch", "method")) == {"branch", "method"}


def test_exceptions_found_on_the_way_are_objectives_too(setting: Setting) -> None:
    catalogue = setting.catalogue("smart")
    policy = goal_policy(catalogue, "mosa", setting.mutants, lambda _: False)
    before = policy.objectives()
    catalogue._shown("exception", f"{MODULE}:compare", ("ValueError",), "ValueError", lambda: catalogue.measure_of(0))
    assert (policy.objectives() & ~before).bit_count() == 1


def test_unknown_selection_is_refused(setting: Setting) -> None:
    with pytest.raises(ValueError, match="unknown selection: clever"):
        setting.chosen("clever")
