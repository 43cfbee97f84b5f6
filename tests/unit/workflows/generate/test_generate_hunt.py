"""The search for a suite with replayed engines: what is kept when, and what comes after the death of an engine."""

from __future__ import annotations

import pytest
from hand_clock import Clock
from replayed_suites import READY, Launches, Step, archived, call, finished, progress, suite

from crashwright.core.errors import EngineFailure, EnvironmentProblem
from crashwright.core.messages import Failed, FailureKind, Incident, IncidentKind, Migrants, Stop
from crashwright.core.settings import Budget, EngineSettings
from crashwright.supervision.islands import LIVES
from crashwright.workflows.generate.events import SuiteEvent, SuiteSearching
from crashwright.workflows.generate.hunt import FAREWELL, GRACE, SuiteHunt
from crashwright.workflows.generate.time import SuiteTime

ONE, TWO, THREE = call("halve", 1), call("halve", 2), call("halve", 3)
DEAD = Failed(FailureKind.INTERNAL, "the engine ended without a result (SIGKILL)")


class World:
    """One hunt with its replayed engines."""

    def __init__(self, *scripts: list[Step], budget: Budget | None = None) -> None:
        self.clock = Clock()
        self.launches = Launches(list(scripts), self.clock)
        self.events: list[SuiteEvent] = []
        self.wanted = False
        budget = budget or Budget(30.0)
        time = SuiteTime(self.clock, 0.0, budget.seconds)
        settings = EngineSettings(budget=budget)
        self.hunt = SuiteHunt("tiny_shop", settings, self.launches.start, time, self.events.append, lambda: self.wanted)

    def run(self) -> SuiteHunt:
        self.hunt.run()
        assert all(engine.stopped for engine in self.launches.engines)
        return self.hunt

    def want_an_end(self) -> None:
        self.wanted = True


def world_ends() -> None:
    """The pipe ends without a word (the replayed engine has nothing more to give)."""


def kept_by(hunt: SuiteHunt) -> list[object]:
    return [one.test for one in hunt.tests]


def test_suite_of_the_engine_is_taken() -> None:
    world = World([READY, archived(ONE, TWO), progress(50), suite(THREE), finished(120)])
    hunt = world.run()
    assert kept_by(hunt) == [THREE]
    assert hunt.evaluations == 120
    assert [one.criterion for one in hunt.coverage] == ["branch", "exception"]
    [searching] = [event for event in world.events if isinstance(event, SuiteSearching)]
    assert searching.tests_per_second == 50.0


def test_engine_that_dies_is_followed_by_one_that_begins_with_the_archive() -> None:
    world = World(
        [READY, archived(ONE), progress(40), archived(ONE, TWO), DEAD], [READY, suite(ONE, TWO, evaluations=60), finished(60)]
    )
    hunt = world.run()
    assert world.launches.seeds == [(), (ONE, TWO)]
    assert kept_by(hunt) == [ONE, TWO]
    assert hunt.evaluations == 100
    [incident] = hunt.incidents
    assert incident == "the engine ended without a result (SIGKILL); another engine was started in its place"
    first, second = world.launches.settings
    assert first.budget.seconds == 30.0
    assert second.budget.seconds is not None
    assert 0.0 < second.budget.seconds < 30.0
    assert second.search.seed != first.search.seed


def test_archive_is_the_suite_where_all_engines_die() -> None:
    hunt = World(*[[READY, archived(ONE), DEAD]] * LIVES).run()
    assert [one.subject for one in hunt.tests] == ["halve"], "what no suite says is read from the test"
    assert kept_by(hunt) == [ONE]
    assert hunt.suite is None


def test_engines_that_die_with_nothing_archived_are_a_failure() -> None:
    with pytest.raises(EngineFailure):
        World(*[[READY, DEAD]] * LIVES).run()


def test_death_after_the_suite_is_no_loss() -> None:
    hunt = World([READY, suite(ONE), DEAD]).run()
    assert (kept_by(hunt), hunt.incidents) == ([ONE], [])


def test_evaluations_are_shared_by_the_lives_and_no_clock_counts() -> None:
    world = World([READY, archived(ONE, evaluations=70), DEAD], [READY, finished(30)], budget=Budget(None, 100))
    world.clock.now = 1e6
    assert world.run().evaluations == 100
    assert [settings.budget for settings in world.launches.settings] == [Budget(None, 100), Budget(None, 30)]


def test_module_that_cannot_be_imported_is_an_error_of_the_environment() -> None:
    with pytest.raises(EnvironmentProblem, match="no module x"):
        World([Failed(FailureKind.IMPORT, "no module x")]).run()
    timeout = Failed(FailureKind.SLOW_IMPORT, "took too long")
    with pytest.raises(EnvironmentProblem, match="took too long"):
        World([timeout]).run()


def test_module_without_anything_to_aim_at_is_told_in_words() -> None:
    with pytest.raises(EnvironmentProblem, match="nothing to call"):
        World([READY, Failed(FailureKind.TARGET, "there is nothing to call")]).run()


def test_interrupt_asks_the_engine_for_its_suite() -> None:
    world = World([READY, archived(ONE), world_ends, progress(1), suite(TWO), finished()])
    world.launches.scripts[0][2] = world.want_an_end
    assert kept_by(world.run()) == [TWO]
    assert world.launches.engines[0].told == [Stop(0.0)]


def test_interrupt_leaves_the_archive_where_the_engine_does_not_listen() -> None:
    world = World([READY, archived(ONE), *[progress(1)] * 1000])
    world.launches.scripts[0].insert(3, world.want_an_end)
    assert kept_by(world.run()) == [ONE]
    assert world.clock.now < 1 + FAREWELL


def test_interrupt_during_the_import_waits_for_nothing() -> None:
    world = World([world_ends, world_ends, READY, archived(ONE)])
    world.wanted = True
    assert kept_by(world.run()) == []
    assert world.launches.engines[0].told == []


def test_islands_share_evaluations_and_what_they_found_becomes_one_suite() -> None:
    world = World(
        [READY, archived(ONE), progress(40), Migrants(1, (ONE,)), suite(ONE, evaluations=50), finished(50)],
        [READY, archived(TWO), archived(THREE, evaluations=20), *[progress(30)] * 5, DEAD],
        [READY, *[progress(1)] * 20, archived(THREE, evaluations=20), finished(20)],
        [READY, suite(ONE, TWO, THREE), finished(9000)],
        budget=Budget(None, 101),
    )
    world.hunt.islands = 2
    hunt = world.run()
    assert [one.budget.evaluations for one in world.launches.settings] == [51, 50, 20]
    assert len({one.search.seed for one in world.launches.settings}) == 3
    assert world.launches.engines[1].told == [Migrants(1, (ONE,)), Migrants(0, last=True)]
    assert world.launches.seeds[2] == (TWO, THREE)
    assert kept_by(hunt) == [ONE, TWO, THREE]
    assert hunt.evaluations == 50 + 30 + 20
    hunt.minimise(3.0)
    assert world.launches.seeds[3] == (ONE, TWO, THREE)
    assert [one.test for one in hunt.suite.tests] == [ONE, TWO, THREE] if hunt.suite is not None else False


def test_archive_without_a_suite_is_made_smaller_by_another_engine() -> None:
    world = World([READY, archived(ONE, TWO), world_ends], [READY, progress(2000), suite(TWO), finished(2000)])
    hunt = world.run()
    evaluations = hunt.evaluations
    hunt.minimise(3.0)
    assert kept_by(hunt) == [TWO]
    assert world.launches.seeds[1] == (ONE, TWO)
    assert world.launches.settings[1].budget == Budget(20.0, 1002)
    assert hunt.evaluations == evaluations
    hunt.minimise(3.0)
    assert len(world.launches.engines) == 2


def test_making_an_archive_smaller_may_fail() -> None:
    world = World([READY, archived(ONE), world_ends], [Failed(FailureKind.IMPORT, "not any more")])
    world.run().minimise(3.0)
    assert kept_by(world.hunt) == [ONE]
    assert world.hunt.incidents == ["an engine ended early: the engine ended without a result", "not any more"]


def test_engine_that_overruns_its_budget_is_stopped() -> None:
    world = World([READY, archived(ONE), *[progress(1)] * 10000])
    world.run()
    assert 30 < world.clock.now < 30 + 4.5 + GRACE + FAREWELL + 1


def test_slow_import_shortens_the_search() -> None:
    slow = READY.__class__("3.11.7", 10.0, "tiny_shop")
    world = World([slow, archived(ONE), *[progress(1)] * 10000])
    world.run()
    assert world.clock.now < 27 + FAREWELL
    [told] = world.launches.engines[0].told
    assert isinstance(told, Stop)
    assert told.seconds >= 2.0, "what it has is still made small"


def test_incidents_are_kept_and_told() -> None:
    world = World([READY, Incident(IncidentKind.KILLED, "a test was killed"), suite(ONE), finished()])
    assert world.run().incidents == ["a test was killed"]
