"""The fast lane alone, in this process: a crash that takes objects which several calls make is found within N calls in k of 10
seeds. Nothing tells it types, and no probe says how near a call came."""

from __future__ import annotations

import sys
from itertools import count
from random import Random

import pytest
from trial import SUBJECTS, target_of

from crashwright.core.report import Unknown
from crashwright.engine.execution.executor import Executor
from crashwright.engine.search.crash_goals import crash_judge
from crashwright.engine.search.lane.combinations import Combinations
from crashwright.engine.search.lane.lane import Lane, Roads
from crashwright.engine.search.lane.live import Pool
from crashwright.engine.search.lane.sightings import Sighting, Sightings
from crashwright.engine.sessions.scouting import first_tests, makers_for, plain_values
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.entry import entries
from crashwright.engine.subject.source import Sources
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.testcase import TestCase

SEEDS = range(10)


def lane_of(subject: str, seed: int, calls: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[Sighting]]:
    """How many calls it made, and what it found."""
    monkeypatch.syspath_prepend(str(SUBJECTS))
    __import__(subject)
    target, rng = target_of(subject), Random(seed)
    api = ApiModel(subject, [subject])
    entry = entries(api, target, Sources())
    assert not isinstance(entry, Unknown)
    factory = Factory(api, SeedPool(), entry.callees, fresh=count())
    pool, sightings = Pool(frozenset({subject})), Sightings(crash_judge(target), inside=False)
    combinations = Combinations(pool, factory.accepts, lambda _callee, _name: (), plain_values(pool, factory), rng)
    roads = Roads(factory.entry, makers_for(factory, lambda _callee, _name: ()), factory.methods_of, factory.max_length)
    lane = Lane(roads, pool, combinations, sightings, Executor().step, lambda: None, rng, fresh=factory.fresh)
    lane.begin_with(first_tests(factory, iter(()), rng), calls // 4)
    lane.go_on(calls, lambda: None)
    monkeypatch.undo()
    sys.modules.pop(subject)
    return lane.calls, sightings.best(5)


@pytest.mark.parametrize(
    ("subject", "calls", "least"),
    [
        pytest.param("foundry", 3_000, 9, id="an object that methods of two other classes make"),
        pytest.param("turnstile", 8_000, 5, id="methods in the right order, on one object whose state stays"),
    ],
)
def test_found_by_plain_calls(subject: str, calls: int, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = 0
    for seed in SEEDS:
        made, best = lane_of(subject, seed, calls, monkeypatch)
        assert made <= calls + 100
        whole = [one for one in best if one.rank.level == 4]
        assert all(TestCase(recipe).is_valid() for one in whole for recipe in one.recipes)
        found += any(repeats(recipe, subject) for one in whole for recipe in one.recipes)
    assert found >= least, found


def repeats(recipe: tuple[object, ...], subject: str) -> bool:
    """Whether a recipe, run from the start in a fresh state, ends as the report does."""
    outcome = Executor().run(TestCase(recipe))  # type: ignore[arg-type]
    return crash_judge(target_of(subject)).judge(outcome).level == 4


def test_one_seed_makes_the_same_calls_again(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (lane_of("foundry", 3, 2_000, monkeypatch) for _ in range(2))
    assert one[0] == other[0]
    assert [found.rank for found in one[1]] == [found.rank for found in other[1]]
