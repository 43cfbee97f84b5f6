"""Suites as a whole: the sums of SPEC 6."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_module import NAME, SmallModule, goals

from crashwright.engine.goals.coverage.callables import CallableFacts
from crashwright.engine.goals.coverage.footprint import Footprint
from crashwright.engine.goals.distance import normalise
from crashwright.engine.instrument.trace import CallFact

TEXT = """
def f(a, b):
    if a > 3:
        if b:
            return 1
    return 2


def g():
    return 3
"""


@pytest.fixture
def module(tmp_path: Path) -> SmallModule:
    return SmallModule(tmp_path, TEXT)


def test_branches(module: SmallModule) -> None:
    catalogue = module.catalogue("branch")
    every = catalogue.of("branch")

    def run(*calls: tuple[float, float]) -> Footprint:
        return catalogue.footprint(module.trace(*[module.call("f", at={"a > 3": one}) for one in calls]))

    nothing = catalogue.footprint(module.trace())
    # Two predicates not evaluated, f not called, g not called.
    assert catalogue.suite_distance([nothing], every) == 2 * 2 + 1 + 1
    # The first evaluated once: 1 for the outcome that is missing.
    assert catalogue.suite_distance([run((4.0, 0.0))], every) == 1 + 2 + 1
    # Twice, by two tests or by two calls of one: now its distance counts.
    for suite in ([run((4.0, 0.0)), run((2.0, 0.0))], [run((4.0, 0.0), (2.0, 0.0))]):
        assert catalogue.suite_distance(suite, every) == normalise(2.0) + 2 + 1
    both = [run((4.0, 0.0)), run((0.0, 2.0))]
    assert catalogue.suite_distance(both, every) == 0 + 2 + 1
    assert catalogue.suite_distance(both, goals(catalogue, "branch f:2:7 true", "branch f:2:7 false")) == 0


def test_lines_are_counted_and_guided_by_their_branches(module: SmallModule) -> None:
    catalogue = module.catalogue("line")
    every = catalogue.of("line")
    once = catalogue.footprint(module.trace(module.call("f", "return 2", at={"a > 3": (4.0, 0.0)}), module.call("g")))
    assert catalogue.suite_distance([once], every) == normalise(2.0) + 1 + 1  # lines 3 and 4, a > 3 once, b never
    assert catalogue.suite_distance([once, once], every) == normalise(2.0) + normalise(4.0) + 1
    rest = catalogue.footprint(module.trace(module.call("f", "if b", "return 1", at={"a > 3": (0.0, 4.0), "b": (0.0, 1.0)})))
    assert catalogue.suite_distance([once, rest], every) == 0


def test_mutants_add_their_least_distance(module: SmallModule) -> None:
    catalogue = module.catalogue("weak-mutation", mutants=[module.change(0, "f", "a > 3")])
    every = catalogue.of("weak-mutation")
    suite = [catalogue.footprint(module.trace(module.call("f"), infections={0: away})) for away in (5.0, 3.0)]
    assert catalogue.suite_distance(suite, every) == normalise(3.0) / 2


def test_calls_count_one_each_and_exceptions_nothing(module: SmallModule) -> None:
    facts = [CallableFacts(f"{NAME}:f", "f"), CallableFacts(f"{NAME}:g", "g")]
    catalogue = module.catalogue("method", "no-exception", "exception", callables=facts)
    raised = catalogue.footprint(module.trace(calls=[CallFact(f"{NAME}:f", (), "ValueError", "explicit")]))
    catalogue.covered(raised)
    fine = catalogue.footprint(module.trace(calls=[CallFact(f"{NAME}:g")]))
    assert catalogue.suite_distance([raised], catalogue.asked) == 3
    assert catalogue.suite_distance([raised, fine], catalogue.asked) == 1
    assert catalogue.suite_distance([fine], catalogue.of("exception")) == 0


def test_a_suite_with_a_run_out_of_time_is_worst(module: SmallModule) -> None:
    catalogue = module.catalogue("branch")
    late = catalogue.footprint(module.trace(timed_out=True))
    assert catalogue.suite_distance([late], catalogue.of("branch")) == float("inf")
