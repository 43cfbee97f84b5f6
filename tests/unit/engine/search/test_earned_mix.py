"""A mix by success: the ways that were taken to a test earn what it reaches."""

from __future__ import annotations

from crashwright.engine.search.earned_mix import EarnedMix
from crashwright.engine.testcase.editing.mix import CHANGED, DELETED, FIXED, INSERTED
from crashwright.engine.testcase.statements import Literal
from crashwright.engine.testcase.testcase import TestCase


def made(mix: EarnedMix, way: str, *parents: TestCase) -> TestCase:
    test = TestCase((Literal(0, 1),))
    mix.begin()
    mix.took("data", way)
    mix.made(test, *parents)
    return test


def test_it_begins_with_the_fixed_shares() -> None:
    mix = EarnedMix()
    assert (mix.data, mix.calls, mix.circles) == (FIXED.data, FIXED.calls, FIXED.circles)


def test_the_way_to_tests_that_reached_something_is_taken_more_often() -> None:
    mix = EarnedMix()
    mix.settle([(made(mix, DELETED), True) for _ in range(10)] + [(made(mix, CHANGED), False) for _ in range(90)])
    changed, deleted = mix.data
    assert changed < FIXED.data[0]
    assert deleted - changed > FIXED.data[1] - FIXED.data[0]
    assert mix.calls == FIXED.calls, "of this menu nothing was taken"


def test_a_test_has_the_ways_of_the_parent_that_was_made_just_before() -> None:
    mix = EarnedMix()
    crossed = TestCase((Literal(0, 1),))
    mix.begin()
    mix.took("texts crossed", "texts crossed")
    mix.made(crossed)
    others = [made(mix, CHANGED) for _ in range(5)]
    mix.settle([(made(mix, INSERTED, crossed), True), *((one, False) for one in others)])
    assert 1 - mix.data[1] > 1 - FIXED.data[1]


def test_what_was_settled_is_forgotten() -> None:
    mix = EarnedMix()
    test = made(mix, DELETED)
    mix.settle([(test, True), (made(mix, CHANGED), False)])
    shares = mix.data
    mix.settle([(test, True)])
    assert abs(mix.data[0] - shares[0]) < 0.001
