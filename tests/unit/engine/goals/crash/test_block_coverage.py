"""Basic block coverage on the example of the paper and on what the paper leaves to the reader."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as some
from shelf_crash import FAR, NEAR, SILENT, called, chain, fitness_of, probed, taken, trace

from crashwright.engine.goals.crash.block_coverage import Coverage, EffectiveBlocks, compare, compare_literally
from crashwright.engine.goals.crash.frame_goal import frame_goal
from crashwright.engine.instrument.trace import Activation
from crashwright.engine.search.crash_search import SECONDARY
from crashwright.engine.subject.flow.control_dependence import ControlDependence

FROM_MAP = """
def from_map(self, mapping, into):
    for prop in self.fields():
        name = prop.name()
        value = mapping.get(name)
        if value is not None:
            if isinstance(value, list):
                made = prop.many(value)
            elif isinstance(value, str):
                made = prop.parsed(value)
            else:
                made = prop.from_value(value)
            into.put(name, made)
    return into
"""
"""The method of the paper's listing 1.1; line 12 is its 413, lines 4 to 6 are its block 404-406."""


def paper_blocks() -> tuple[EffectiveBlocks, list[int]]:
    """The effective blocks for line 12, and the line of each marker."""
    [scope] = ast.parse(FROM_MAP).body
    function = probed(scope)
    goal = frame_goal(0, function, 12, ControlDependence(scope), None)  # type: ignore[arg-type]
    return goal.blocks, [marker.line for marker in function.markers]


def covering(lines: Iterable[int]) -> Coverage:
    _, markers = paper_blocks()
    begun = set(lines)
    return Coverage(0, SHARED, SHARED.begun([int(line in begun) for line in markers]))


SHARED, _ = paper_blocks()


def test_the_example_of_the_paper() -> None:
    """T1 stops in ``name()`` (404), T2 in ``mapping.get`` (405): the same blocks, one statement more."""
    first, second = covering([3, 4]), covering([3, 4, 5])
    assert compare(first, second) == 1
    assert compare(second, first) == -1


def test_the_same_coverage_is_no_preference() -> None:
    assert compare(covering([3, 4]), covering([3, 4])) == 0


def test_who_covers_more_blocks_and_all_of_the_others_wins_by_their_number() -> None:
    assert compare(covering([3]), covering([3, 4])) == 1
    assert compare(covering([3, 4]), covering([3, 4, 5, 6, 7, 9])) == 2  # not by the letter of listing 1.3: see the module
    assert compare(covering([3, 4, 5, 6, 7, 8, 13]), covering([3, 4, 5, 6, 7])) == -2


def test_different_paths_cannot_be_compared() -> None:
    many, parsed = covering([3, 4, 5, 6, 7, 8]), covering([3, 4, 5, 6, 7, 9, 10])
    assert compare(many, parsed) == compare(parsed, many) == 0


def test_blocks_that_do_not_lead_to_the_line_do_not_count() -> None:
    assert compare(covering([3]), covering([3, 14])) == 0


def test_the_line_itself_belongs_to_the_last_block() -> None:
    assert compare(covering([3, 4, 5, 6, 7, 9]), covering([3, 4, 5, 6, 7, 9, 12])) == 1


def blocks(*sizes: int) -> EffectiveBlocks:
    """Blocks of these sizes, the closest first."""
    numbers = iter(range(sum(sizes)))
    return EffectiveBlocks([[next(numbers) for _ in range(size)] for size in sizes])


def begun(shape: EffectiveBlocks, *marks: Sequence[int]) -> Coverage:
    return Coverage(0, shape, shape.begun([mark for block in marks for mark in block]))


def test_the_closest_semi_covered_block_decides_by_its_statements() -> None:
    shape = blocks(3, 4, 2)
    one = begun(shape, (1, 0, 0), (1, 1, 1, 0), (1, 1))
    other = begun(shape, (1, 1, 0), (1, 0, 0, 0), (1, 1))
    assert compare(one, other) == 1  # the farther block does not count
    assert compare(begun(shape, (1, 0, 0), (1, 0, 0, 0), (1, 1)), begun(shape, (1, 0, 0), (1, 1, 1, 0), (1, 1))) == 0


def test_of_the_same_blocks_more_fully_covered_ones_win() -> None:
    shape = blocks(2, 2)
    assert compare(begun(shape, (1, 0), (1, 0)), begun(shape, (1, 1), (1, 0))) == 1
    assert compare(begun(shape, (1, 0), (1, 1)), begun(shape, (1, 1), (1, 0))) == 0


def test_a_branchless_function_is_one_block() -> None:
    early, late = called(1, (8,), caller=taken(), caller_line=5), called(1, (), caller=taken(), caller_line=5)
    fitness = fitness_of("st-distance")

    def coverage(inner: Activation) -> object:
        assert inner.caller is not None
        return fitness.score(SILENT, trace(inner.caller, inner)).coverage

    assert compare(coverage(late), coverage(early)) == 1


def test_the_deeper_frame_is_looked_at() -> None:
    """A run that stopped in the second function against one that never came out of the first."""
    fitness = fitness_of("st-distance")
    outer = taken()
    deep = fitness.score(SILENT, trace(outer, called(1, (8,), caller=outer, caller_line=5))).coverage
    shallow = fitness.score(SILENT, trace(called(0, (3, 4), {FAR: 0.0, NEAR: 0.0}))).coverage
    assert deep is not None
    assert shallow is not None
    assert (deep.frame, shallow.frame) == (1, 0)
    assert compare(shallow, deep) == 1
    assert compare(deep, shallow) == -1


@pytest.mark.parametrize("name", ["ordered", "st-distance", "weighted-sum"])
def test_runs_that_turned_away_at_the_same_decision_are_alike(name: str) -> None:
    fitness = fitness_of(name)
    detour, straight = called(0, (3, 4), {FAR: 1.0}), called(0, (3,), {FAR: 1.0})
    one, other = (fitness.score(SILENT, trace(activation)) for activation in (detour, straight))
    assert one.fitness == other.fitness
    assert compare(one.coverage, other.coverage) == 0


@pytest.mark.parametrize("name", ["ordered", "st-distance", "weighted-sum"])
def test_to_the_letter_the_detour_before_the_wrong_turn_counts(name: str) -> None:
    fitness = fitness_of(name, literal=True)
    detour, straight = called(0, (3, 4), {FAR: 1.0}), called(0, (3,), {FAR: 1.0})
    one, other = (fitness.score(SILENT, trace(activation)) for activation in (detour, straight))
    assert one.fitness == other.fitness
    assert SECONDARY["bbc-literal"] is compare_literally
    assert compare_literally(one.coverage, other.coverage) < 0


def test_to_the_letter_a_run_that_stopped_in_a_block_is_not_compared_with_one_that_passed_it() -> None:
    stopped, passed = covering([3, 4]), covering([3, 4, 5, 6, 7, 9])
    assert compare_literally(stopped, passed) == compare_literally(passed, stopped) == 0
    assert compare_literally(covering([3]), covering([3, 4])) == 1


def test_weighted_sum_looks_at_the_target_frame() -> None:
    fitness = fitness_of("weighted-sum")
    early, late = called(0, (3,), {0: 0.0}), called(0, (3, 4), {0: 0.0})
    one, other = (fitness.score(SILENT, trace(activation)) for activation in (early, late))
    assert one.fitness == other.fitness
    assert compare(one.coverage, other.coverage) > 0
    assert fitness.score(SILENT, trace(*chain(0))).coverage is None


def test_nothing_to_compare_is_no_preference() -> None:
    all_reached = fitness_of("st-distance").score(SILENT, trace(*chain(2))).coverage
    assert all_reached is None
    assert compare(None, covering([3])) == compare(covering([3]), None) == compare(None, None) == 0


SHAPE = blocks(1, 2, 3)
COVERAGES = some.builds(
    lambda frame, marks: Coverage(frame, SHAPE, SHAPE.begun(marks)),
    some.integers(0, 1),
    some.lists(some.integers(0, 1), min_size=6, max_size=6),
) | some.integers(0, 2).map(lambda frame: Coverage(frame, SHAPE, b""))


@given(COVERAGES, COVERAGES)
def test_the_sign_turns_with_the_order(one: Coverage, other: Coverage) -> None:
    for better in (compare, compare_literally):
        assert better(one, other) == -better(other, one)


@given(COVERAGES, COVERAGES, COVERAGES)
def test_better_never_runs_in_circles(one: Coverage, other: Coverage, third: Coverage) -> None:
    for better in (compare, compare_literally):
        if better(one, other) > 0 and better(other, third) > 0:
            assert better(one, third) > 0


@given(COVERAGES, COVERAGES)
def test_it_agrees_with_listing_1_3_wherever_that_has_a_preference(one: Coverage, other: Coverage) -> None:
    """The listing, written out on sets."""
    if one.frame != other.frame or not one.begun or not other.begun:
        return
    (full, semi), (other_full, other_semi) = _sets(one.begun), _sets(other.begun)
    if (full, semi) == (other_full, other_semi):
        closest = min(semi, default=None)
        wanted = 0 if closest is None else sum(_block(other.begun, closest)) - sum(_block(one.begun, closest))
        assert compare(one, other) == compare_literally(one, other) == wanted
    elif (full <= other_full and semi <= other_semi) or (other_full <= full and other_semi <= semi):
        assert compare(one, other) == len(other_full | other_semi) - len(full | semi)
        assert compare_literally(one, other) == compare(one, other)
    else:
        assert compare_literally(one, other) == 0


def _sets(marks: bytes) -> tuple[set[int], set[int]]:
    covered = {number for number in range(3) if _block(marks, number)[0]}
    full = {number for number in covered if _block(marks, number)[-1]}
    return full, covered - full


def _block(marks: bytes, number: int) -> bytes:
    return (marks[0:1], marks[1:3], marks[3:6])[number]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_statements(count: int) -> None:
    shape = EffectiveBlocks([[number] for number in range(count)])
    assert shape.begun([1, 1]) == b"\1" * count
