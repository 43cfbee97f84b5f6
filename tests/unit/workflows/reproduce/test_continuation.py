"""A run that was killed, and the next one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hand_clock import Clock

from crashwright.core.messages import BestTests
from crashwright.workflows.reproduce.cache import Cache
from crashwright.workflows.reproduce.continuation import Continuation

KEY, SEED = "abcd", 7
TESTS: tuple[dict[str, Any], ...] = ({"callees": [], "statements": [["Literal", 0, 1]]},)


class Runs:
    """Runs of one search in one folder, one after the other. ``locks`` of a run that was killed are given up by the system."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = Clock()

    def begin(self, seed: int = SEED, evaluations: int | None = None) -> Continuation:
        self.cache = Cache.open(self.folder)
        return Continuation(self.cache, KEY, seed, evaluations, self.clock)

    def kill(self) -> None:
        for descriptor in self.cache._locks.values():
            os.close(descriptor)


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path)


def keep(runs: Runs, run: Continuation, evaluations: int = 500) -> None:
    runs.clock.now += 1.0
    run.keep(BestTests(evaluations, 1.0, TESTS))


def test_a_killed_run_is_gone_on_with(runs: Runs) -> None:
    first = runs.begin()
    assert (first.seeds, first.evaluations, first.notes) == ((), 0, ())
    keep(runs, first)
    runs.kill()
    second = runs.begin()
    assert (second.seeds, second.evaluations) == (TESTS, 500)
    assert "500 tests" in second.notes[0]


def test_a_run_that_came_to_its_end_leaves_nothing(runs: Runs, tmp_path: Path) -> None:
    first = runs.begin()
    keep(runs, first)
    first.end()
    assert list(tmp_path.iterdir()) == []
    assert runs.begin().seeds == ()


def test_another_seed_is_another_search(runs: Runs) -> None:
    keep(runs, runs.begin())
    runs.kill()
    assert runs.begin(seed=8).seeds == ()


def test_a_state_without_evaluations_left_is_of_no_use(runs: Runs) -> None:
    keep(runs, runs.begin())
    runs.kill()
    assert runs.begin(evaluations=500).seeds == ()
    runs.kill()
    assert runs.begin(evaluations=501).seeds == TESTS


def test_short_runs_write_no_files(runs: Runs, tmp_path: Path) -> None:
    run = runs.begin()
    run.keep(BestTests(5, 0.1, TESTS))
    assert list(tmp_path.iterdir()) == []
