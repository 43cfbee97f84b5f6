"""Infection distances as instrumented functions record them, and what narrowing leaves out."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FunctionType

import pytest

from crashwright.engine.goals.coverage.footprint import footprint
from crashwright.engine.instrument import distances
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.infection_measures import OPERATIONS, calculates_differently, relation
from crashwright.engine.instrument.probes import Recorder

SOURCE = """
def compare(a, b):
    return a < b

def add(a, b):
    return a + b

def grow(a, b):
    a += b
    return a

def either(a, b):
    if a or b:
        return 7

def chain(a, b, c):
    return a < b < c

def pick(values):
    return [value for value in values if value == 3]

def choose(value):
    match value:
        case 10:
            return "ten"
        case [one] if one:
            return one
    return None

pair = lambda a, b: a - b; other = lambda a, b: a * b

def around(a, b):
    def within(c):
        return c // b
    return within(a)
"""


class Subject:
    def __init__(self, path: Path) -> None:
        (path / "cwinfected.py").write_text(SOURCE)
        self.recorder = Recorder()
        self.hook = Instrumentation(self.recorder, {"cwinfected": None}, None, None, ("cwinfected",))
        sys.path.insert(0, str(path))
        self.hook.install()
        try:
            self.module = __import__("cwinfected")
        finally:
            self.hook.uninstall()
            sys.path.remove(str(path))

    def run(self, name: str, *arguments: object) -> dict[str, float]:
        """The infection distances of one call."""
        self.recorder.reset()
        function: FunctionType = getattr(self.module, name)
        function(*arguments)
        infections = self.recorder.trace().infections
        return {
            f"{mutant.original}:{mutant.replacement}": infections[mutant.number]
            for mutant in self.hook.mutants
            if mutant.number in infections and mutant.operator not in ("variable", "constant")
        }


@pytest.fixture
def subject(tmp_path: Path) -> Subject:
    sys.modules.pop("cwinfected", None)
    return Subject(tmp_path)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (1, 5, {"<:<=": 4, "<:!=": 5, "<:False": 0}),
        (5, 5, {"<:<=": 0, "<:!=": 1, "<:False": 1}),
        (7, 5, {"<:<=": 2, "<:!=": 0, "<:False": 3}),
        (7.5, 5, {"<:<=": 2.5, "<:!=": 0, "<:False": 3.5}),
    ],
)
def test_relational_distances_are_graded(subject: Subject, left: float, right: float, expected: dict[str, float]) -> None:
    found = subject.run("compare", left, right)
    assert {name: found[name] for name in expected} == expected


def test_arithmetic_differs_in_value_type_or_by_raising(subject: Subject) -> None:
    found = subject.run("add", 2, 2)
    assert {name for name, distance in found.items() if distance} == {"+:*", "+:**"}
    assert found["+:/"] == 0  # 1.0
    assert subject.run("add", "a", "b")["+:-"] == 0  # an error
    assert subject.run("add", 0, 0)["+:-"] == 1


def test_augmented_assignments(subject: Subject) -> None:
    assert subject.run("grow", 0, 0)["+:-"] == 1
    assert subject.run("grow", 1, 2)["+:-"] == 0
    assert subject.run("grow", [1], [2])["+:*"] == 0


def test_or_differs_where_the_second_operand_decided(subject: Subject) -> None:
    assert subject.run("either", 0, 1)["or:and"] == 0
    assert subject.run("either", 0, 0)["or:and"] == 1
    assert "or:and" not in subject.run("either", 1, 0)


def test_chains_and_comprehensions(subject: Subject) -> None:
    assert 0.0 in subject.run("chain", 1, 1, 2).values()
    assert subject.run("pick", [9])["==:>="] == 0
    assert subject.run("pick", [1])["==:>="] == 3


def test_a_subject_is_not_asked(subject: Subject) -> None:
    asked: list[str] = []

    class Quiet:
        def __lt__(self, other: object) -> bool:
            asked.append("lt")
            return True

        def __eq__(self, other: object) -> bool:
            raise AssertionError

        __hash__ = None  # type: ignore[assignment]

    found = subject.run("compare", Quiet(), 3)
    assert asked == ["lt"]
    assert found["<:<="] == 1
    assert found["<:False"] == 0


def test_unwanted_mutants_are_not_measured_and_come_back(subject: Subject) -> None:
    everything = subject.run("compare", 1, 5)
    wanted = frozenset(mutant.number for mutant in subject.hook.mutants if mutant.replacement == "<=")
    subject.recorder.infections.want(wanted)
    assert list(subject.run("compare", 1, 5)) == ["<:<="]
    subject.hook.narrow(frozenset(), wanted)
    assert list(subject.run("compare", 1, 5)) == ["<:<="]
    subject.hook.narrow(None, frozenset())
    assert subject.run("compare", 1, 5) == {}
    subject.hook.narrow(None, None)
    assert subject.run("compare", 1, 5) == everything


def test_only_functions_whose_probes_change_are_compiled(subject: Subject) -> None:
    everything = {mutant.number for mutant in subject.hook.mutants}
    mine = {mutant.number for mutant in subject.hook.mutants if mutant.key.name == "compare"}
    functions = [subject.module.compare, subject.module.add, subject.module.pair, subject.module.around]
    subject.hook.narrow(None, None)
    before = [function.__code__ for function in functions]
    subject.hook.narrow(None, frozenset(everything - mine))
    after = [function.__code__ for function in functions]
    assert [one is other for one, other in zip(before, after, strict=True)] == [False, True, True, True]
    assert subject.run("compare", 1, 5) == {}
    assert subject.run("add", 1, 2)
    subject.hook.narrow(None, None)
    assert [function.__code__ for function in functions] == before


def test_neighbours_on_a_line_and_nested_functions_stay_apart(subject: Subject) -> None:
    full = [subject.run(name, 3, 4) for name in ("pair", "other", "around")]
    assert all(full)
    inside = {mutant.number for mutant in subject.hook.mutants if ".<locals>." in mutant.key.qualname}
    lambdas = [mutant for mutant in subject.hook.mutants if mutant.key.name == "<lambda>"]
    pair = {mutant.number for mutant in lambdas if mutant.position.column < len("pair = lambda a, b: a - b;")}
    subject.hook.narrow(None, frozenset(inside | pair))
    assert [subject.run(name, 3, 4) for name in ("pair", "other")] == [full[0], {}]
    assert subject.run("around", 3, 4) == full[2]
    trace = subject.recorder.trace()
    assert [trace.functions[one.function].key.name for one in trace.activations] == ["around", "within"]
    subject.hook.narrow(frozenset(), frozenset())
    assert subject.run("around", 3, 4) == {}
    assert len(subject.recorder.trace().activations) == 2


def test_runs_are_independent(subject: Subject) -> None:
    assert subject.run("compare", 5, 5)["<:<="] == 0
    assert subject.run("compare", 1, 5)["<:<="] == 4


def test_cases_are_predicates_with_distances(subject: Subject) -> None:
    def outcomes(value: object) -> list[tuple[float | None, float | None]]:
        subject.run("choose", value)
        trace = subject.recorder.trace()
        activation = trace.activations[0]
        predicates = trace.functions[activation.function].predicates
        return [
            (activation.distance_to(number, True), activation.distance_to(number, False))
            for number, predicate in enumerate(predicates)
            if predicate.kind == "case"
        ]

    assert outcomes(10) == [(0, 1), (None, None)]
    assert outcomes(7) == [(3, 0), (1, 0)]
    assert outcomes(1007)[0] == (997, 0)
    assert outcomes([0]) == [(distances.to_equal([0], 10), 0), (0, 1)]
    assert outcomes("x")[1] == (1, 0)


def test_the_distance_of_a_case_is_that_of_a_footprint(subject: Subject) -> None:
    subject.run("choose", 7)
    trace = subject.recorder.trace()
    number = trace.activations[0].function
    merged = footprint(trace).entries[number]
    assert merged is not None
    assert merged[len(trace.functions[number].markers)] == trace.activations[0].true_distance[0] == 3


def test_the_table_of_signs_agrees_with_the_operators() -> None:
    for original in ("<", "<=", ">", ">=", "==", "!="):
        for replacement in ("<", "<=", ">", ">=", "==", "!=", "True", "False"):
            if original == replacement:
                continue
            by_sign = relation(0, original, replacement).by_sign
            assert by_sign is not None
            for place, sign in enumerate((-1, 0, 1)):
                differs = OPERATIONS[original](sign, 0) != OPERATIONS[replacement](sign, 0)
                assert (by_sign[place] == -1) == differs


@pytest.mark.parametrize("operator", ["**", "<<", "*"])
def test_giants_are_not_calculated(operator: str) -> None:
    assert calculates_differently(OPERATIONS[operator], 10**9, 10**9, 0)
    assert calculates_differently(OPERATIONS["*"], "ab", 10**9, 0)
