"""Distances of flag branches in real runs: each kind of flag has a gradient where the probe itself sees only true or false."""

from __future__ import annotations

from itertools import pairwise

import pytest
from flag_bench import FlagBench, climb


@pytest.fixture(scope="module")
def bench() -> FlagBench:
    return FlagBench()


def falling(values: list[float | None]) -> bool:
    """Whether all are known and each is nearer than the one before."""
    known = [value for value in values if value is not None]
    return len(known) == len(values) and all(one > other > 0 for one, other in pairwise(known))


def test_result_of_a_call_falls_as_its_condition_comes_nearer(bench: FlagBench) -> None:
    assert falling([bench.distance("twice", "if is_large(item)", True, item) for item in (0, 2000, 3900, 4000)])
    assert falling([bench.distance("twice", "if is_large(item)", False, item) for item in (9000, 5000, 4001)])


@pytest.mark.parametrize(
    ("function", "line", "outcome", "arguments"),
    [
        ("by_property", "if shelf", True, [(0,), (4000,), (4999,)]),
        ("by_truth", "if shelf", True, [(0,), (6000,), (6999,)]),
    ],
)
def test_property_and_truth_of_an_object(bench, function, line, outcome, arguments) -> None:
    assert falling([bench.distance(function, line, outcome, bench.module.Shelf(*values)) for values in arguments])


@pytest.mark.parametrize(
    ("function", "line", "outcome"),
    [("by_contains", "if item in", True), ("by_not_contains", "if item not in", False), ("by_equality", "if shelf ==", True)],
)
def test_operators_of_a_class(bench, function, line, outcome) -> None:
    shelf = bench.module.Shelf(0)
    assert falling([bench.distance(function, line, outcome, shelf, item) for item in (0, 5000, 6999)])


@pytest.mark.parametrize(
    "function",
    ["by_local", "by_constant", "by_stored", "by_kept", "by_annotated", "by_annotated_result", "by_gathered_result"],
)
def test_locals_constants_and_stored_flags(bench, function) -> None:
    assert falling([bench.distance(function, "if ", True, item) for item in (0, 2000, 2900)])


def test_results_that_a_local_gathers(bench: FlagBench) -> None:
    assert falling([bench.distance("by_gathering_any", "if found", True, items) for items in ([0], [0, 2000], [0, 2000, 3900])])
    assert falling([bench.distance("by_gathering_any", "if found", False, [0, item]) for item in (9000, 5000, 4001)])
    assert falling([bench.distance("by_gathering_all", "if valid", True, [9000, item]) for item in (0, 2000, 3900)])
    assert falling([bench.distance("by_gathering_all", "if valid", False, [9000, item]) for item in (9000, 4500, 4001)])


def test_stored_flag_that_must_not_be_set(bench: FlagBench) -> None:
    assert falling([bench.distance("by_stored", "if ", False, item) for item in (9000, 4000, 3001)])


def test_negated_result_of_another_call(bench: FlagBench) -> None:
    assert falling([bench.distance("by_forwarded", "if not", False, item) for item in (0, 3000, 3999)])


def test_none_or_object(bench: FlagBench) -> None:
    assert falling([bench.distance("by_none", "if find", False, items, 10) for items in ([], [1], [9])])
    assert falling([bench.distance("by_none", "if find", True, items, 10) for items in ([99], [12])])


def test_any_and_all(bench: FlagBench) -> None:
    assert falling([bench.distance("by_any", "if any", True, items) for items in ([], [1, 2], [1, 3999])])
    assert falling([bench.distance("by_all", "if all", True, items) for items in ([9000, 1], [9000, 3999])])
    assert falling([bench.distance("by_all", "if all", False, items) for items in ([9000, 8000], [9000, 4001])])


def test_the_farthest_result_decides_where_all_must_agree(bench: FlagBench) -> None:
    near = bench.distance("by_any", "if any", False, [1, 4001])
    far = bench.distance("by_any", "if any", False, [1, 9000])
    assert near is not None
    assert far is not None
    assert near < far


def test_an_exception_in_the_callee_is_progress(bench: FlagBench) -> None:
    """No raising run evaluates the branch; the one that got further is nearer, and returning the wrong result nearer yet."""
    assert falling([bench.distance("by_raising", "if parsed", True, text) for text in ("", "ab", "abc", "100", "499")])


def test_passing_the_first_of_two_calls_is_nearer_than_failing_it(bench: FlagBench) -> None:
    assert falling([bench.distance("by_both", "if both", True, *pair) for pair in ((0, 0), (3999, 0), (4001, 0), (4001, 3999))])


def test_call_sites_do_not_mix(bench: FlagBench) -> None:
    """The first call of ``is_large`` returns False in either run; the second site must not see its distances."""
    far = bench.distance("twice", "if is_large(item - 2000)", True, 0)
    near = bench.distance("twice", "if is_large(item - 2000)", True, 3999)
    own = bench.distance("twice", "if is_large(item)", True, 3999)
    assert far is not None
    assert near is not None
    assert own is not None
    assert own < near < far


def test_recursion_ends(bench: FlagBench) -> None:
    found = [bench.distance("by_recursion", "if reaches", True, depth) for depth in (3, 6)]
    assert all(value is not None and 0 < value < 1 for value in found)


def test_library_without_source_stays_a_plain_flag(bench: FlagBench) -> None:
    assert bench.distance("by_library", "if str", True, "x") is None


def test_covered_outcome_is_not_asked_of_the_callee(bench: FlagBench) -> None:
    assert bench.distance("twice", "if is_large(item)", True, 5000) is None


@pytest.mark.parametrize("line", ["for index in range", "return keys[index]"])
def test_listings_of_the_paper_are_covered_by_flags_alone(bench: FlagBench, line: str) -> None:
    """Evaluations bound both: with the gradient >= 9 of 10 seeds, with the plain distance <= 2."""
    number = next(number for number, text in enumerate(bench.lines, 1) if line in text)
    seeds = range(10)
    assert sum(climb(bench.line_distance("get", number, True), seed, 3000) for seed in seeds) >= 9
    assert sum(climb(bench.line_distance("get", number, False), seed, 3000) for seed in seeds) <= 2
