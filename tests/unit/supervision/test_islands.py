"""Islands with replayed engines: what is merged, who wins, who hears of whom, and what a death costs."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hand_clock import Clock

from crashwright.core.location import CodeKey
from crashwright.core.messages import (
    BestTests,
    EndReason,
    Failed,
    FailureKind,
    Finished,
    Found,
    Incident,
    IncidentKind,
    Insight,
    Message,
    Migrants,
    Progress,
    Ready,
    Start,
)
from crashwright.core.precondition import WrittenPreconditions
from crashwright.core.settings import Budget, EngineSettings, SearchSettings
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.supervision.island import Seeds, island_seed
from crashwright.supervision.islands import LIVES, SILENCE, Islands
from crashwright.workflows.reproduce.islands import LATE, OTHERS_AFTER, FirstWins

READY = Ready("3.11", 0.1, "shop.reserve")
TARGET = CrashTarget("shop", "ValueError", "too many", (TargetFrame(CodeKey("shop", "reserve", 1), "shop.py", 3, "", None, True),))
BEGUN = Migrants(0)


@dataclass
class ReplayedEngine:
    """Says what it is given, as long as there is something; DEATH ends it."""

    start: Start
    pipe: int
    script: deque[Message] = field(default_factory=deque)
    heard: list[Message] = field(default_factory=list)
    was_killed: bool = False
    running: bool = True
    stopped: bool = False

    def fileno(self) -> int:
        return self.pipe

    def next(self, seconds: float | None = 0.0) -> Message | None:
        if not self.script or not self.running:
            return None
        message = self.script.popleft()
        self.running = not isinstance(message, Finished | Failed)
        self.was_killed = isinstance(message, Failed) and message.detail == "killed"
        return message

    def send(self, message: Message) -> None:
        self.heard.append(message)

    def ask_to_stop(self) -> None:
        self.stopped = True

    def stop(self, grace: float = 1.0) -> None:
        self.stopped = True
        self.running = False


@dataclass
class World:
    pipe: int
    clock: Clock = field(default_factory=lambda: Clock(100.0))
    engines: list[ReplayedEngine] = field(default_factory=list)

    def launch(self, settings: EngineSettings, seeds: Seeds) -> ReplayedEngine:
        self.engines.append(ReplayedEngine(Start(settings, TARGET, seeds=seeds), self.pipe))
        return self.engines[-1]

    def islands(self, jobs: int, evaluations: int | None = None, seconds: float | None = None, epoch: int = 100) -> Islands:
        settings = EngineSettings(search=SearchSettings(seed=7), budget=Budget(seconds, evaluations))
        return Islands(self.launch, settings, FirstWins(), epoch, jobs, clock=self.clock)

    def say(self, number: int, *messages: Message) -> None:
        self.engines[number].script.extend(messages)

    def begin(self, islands: Islands, jobs: int) -> None:
        """All engines run and are ready."""
        self.say(0, READY, BEGUN)
        told(islands)
        for number in range(1, jobs):
            self.say(number, READY, BEGUN)
        told(islands)


@pytest.fixture
def world() -> Iterator[World]:
    reading, writing = os.pipe()
    os.write(writing, b"x")  # always readable: no test waits
    yield World(reading)
    os.close(reading)
    os.close(writing)


def told(islands: Islands) -> list[Message]:
    """All that comes without waiting."""
    messages = []
    while islands.running and (message := islands.next(0.0)) is not None:
        messages.append(message)
    return messages


def progress(evaluations: int, distance: float = 1.0) -> Progress:
    return Progress(1.0, evaluations, 1, 2, distance, f"at {distance}")


def found(name: str, level: int, evaluations: int) -> Found:
    return Found(encoded(name), level, 1, 0.0, evaluations, 1.0)


def encoded(name: str) -> dict[str, Any]:
    return {"name": name}


def killed() -> Failed:
    return Failed(FailureKind.INTERNAL, "the engine ended without a result (SIGKILL)", "killed")


def names(messages: list[Message]) -> list[str]:
    return [message.test["name"] for message in messages if isinstance(message, Found)]


def test_one_job_is_one_engine_whose_messages_go_through(world: World) -> None:
    islands = world.islands(1, evaluations=500)
    script = [
        READY,
        progress(10),
        found("a", 2, 12),
        Incident(IncidentKind.REFUSED, "x"),
        Finished(EndReason.BUDGET, 500, 3.0, ("hint",)),
    ]
    world.say(0, *script)
    messages = told(islands)
    assert [type(message) for message in messages] == [type(message) for message in script]
    assert messages[-1] == script[-1]
    assert not islands.running
    [engine] = world.engines
    assert engine.start.settings.migration == 0
    assert engine.start.settings.search.seed == 7
    assert engine.start.settings.budget == Budget(None, 500)


def test_others_start_once_the_first_tests_have_not_solved_it(world: World) -> None:
    islands = world.islands(3, evaluations=10)
    world.say(0, READY)
    told(islands)
    assert len(world.engines) == 1
    world.say(0, BEGUN)
    told(islands)
    assert [engine.start.settings.budget.evaluations for engine in world.engines] == [4, 3, 3]
    seeds = [engine.start.settings.search.seed for engine in world.engines]
    assert seeds[0] == 7
    assert len(set(seeds)) == 3
    assert all(engine.start.settings.migration == 100 for engine in world.engines)


def test_others_are_not_kept_waiting_for_slow_first_tests(world: World) -> None:
    islands = world.islands(2, seconds=50.0)
    world.say(0, READY)
    told(islands)
    world.clock.now += OTHERS_AFTER
    told(islands)
    assert len(world.engines) == 2
    assert world.engines[1].start.settings.budget.seconds == pytest.approx(50.0 - OTHERS_AFTER)


def test_easy_crash_costs_one_engine(world: World) -> None:
    islands = world.islands(4, seconds=50.0)
    world.say(0, READY, found("a", 4, 5), Finished(EndReason.REPRODUCED, 5, 0.1))
    messages = told(islands)
    assert messages[-1] == Finished(EndReason.REPRODUCED, 5, 0.1)
    assert len(world.engines) == 1


def test_progress_is_the_best_of_all_and_the_sum(world: World) -> None:
    islands = world.islands(2, seconds=50.0)
    world.begin(islands, 2)
    world.say(0, progress(100, 0.5))
    world.say(1, progress(70, 0.9))
    last = told(islands)[-1]
    assert isinstance(last, Progress)
    assert (last.evaluations, last.distance, last.furthest) == (170, 0.5, "at 0.5")


def test_same_incident_of_several_islands_is_told_once(world: World) -> None:
    islands = world.islands(2, seconds=50.0)
    world.begin(islands, 2)
    world.say(0, Incident(IncidentKind.REFUSED, "x"), Incident(IncidentKind.REFUSED, "x"))
    world.say(1, Incident(IncidentKind.REFUSED, "x"), Incident(IncidentKind.REFUSED, "y"))
    assert [message.text for message in told(islands) if isinstance(message, Incident)] == ["x", "x", "y"]


def test_survivors_are_the_best_of_all_in_turn(world: World) -> None:
    islands = world.islands(2, seconds=50.0)
    world.begin(islands, 2)
    world.say(0, BestTests(9, 1.0, (encoded("a"), encoded("b"))))
    world.say(1, BestTests(9, 1.0, (encoded("c"),)))
    last = told(islands)[-1]
    assert isinstance(last, BestTests)
    assert [test["name"] for test in last.tests] == ["a", "c", "b"]


def test_migrants_go_round_the_ring_also_to_islands_that_are_still_starting(world: World) -> None:
    islands = world.islands(3, seconds=50.0)
    world.say(0, READY, BEGUN, Migrants(1, (encoded("a"),)))
    told(islands)
    assert world.engines[1].heard == []
    world.say(1, READY, BEGUN)
    world.say(2, READY, BEGUN, Migrants(1, (encoded("c"),)))
    told(islands)
    assert world.engines[1].heard == [Migrants(1, (encoded("a"),))]
    assert world.engines[0].heard == [Migrants(1, (encoded("c"),))]
    assert world.engines[2].heard == []


def test_next_island_hears_of_the_end_of_one(world: World) -> None:
    islands = world.islands(2, evaluations=1000)
    world.begin(islands, 2)
    world.say(0, progress(250), Finished(EndReason.BUDGET, 500, 1.0))
    told(islands)
    assert world.engines[1].heard == [Migrants(5, last=True)]


def test_next_island_does_not_wait_for_a_silent_one(world: World) -> None:
    islands = world.islands(2, evaluations=1000)
    world.begin(islands, 2)
    world.say(0, progress(250))
    told(islands)
    world.clock.now += SILENCE + 1
    world.say(1, progress(10))
    told(islands)
    assert world.engines[1].heard == [Migrants(2, last=True)]
    assert world.engines[0].heard == []


@pytest.mark.parametrize("first", [0, 1])
def test_with_evaluations_the_fewest_win_whoever_comes_first(world: World, first: int) -> None:
    islands = world.islands(2, evaluations=1000)
    world.begin(islands, 2)
    late = [progress(300, 0.1), found("late", 4, 320), Finished(EndReason.REPRODUCED, 320, 1.0)]
    early = [
        progress(100, 0.3),
        found("partial", 2, 150),
        found("early", 4, 200),
        found("small", 4, 200),
        Finished(EndReason.REPRODUCED, 200, 1.0),
    ]
    for number in (first, 1 - first):
        world.say(number, *(late if number == 0 else early))
        messages = told(islands)
        if number == first:
            # Who comes first by the clock waits for the others to pass its count.
            assert names(messages) == []
            assert islands.running
    assert names(messages) == ["partial", "early", "small"]
    assert messages[-1] == Finished(EndReason.REPRODUCED, 400, 1.0)


def test_with_evaluations_what_others_found_later_does_not_count(world: World) -> None:
    islands = world.islands(2, evaluations=1000)
    world.begin(islands, 2)
    world.say(0, progress(50), found("later", 2, 300), found("sooner", 1, 60), progress(400))
    world.say(1, progress(50), found("won", 4, 100), Finished(EndReason.REPRODUCED, 100, 1.0))
    messages = told(islands)
    assert names(messages) == ["sooner", "won"]
    assert messages[-1] == Finished(EndReason.REPRODUCED, 200, 1.0)


def test_with_evaluations_a_win_by_the_first_tests_is_the_same_with_or_without_others(world: World) -> None:
    islands = world.islands(2, evaluations=1000)
    world.say(0, READY)
    told(islands)
    world.clock.now += OTHERS_AFTER
    told(islands)
    world.say(1, READY, BEGUN, progress(80), found("other", 2, 3))
    told(islands)
    world.say(0, found("first", 4, 30), Finished(EndReason.REPRODUCED, 30, 1.0))
    messages = told(islands)
    assert names(messages) == ["first"]
    assert messages[-1] == Finished(EndReason.REPRODUCED, 30, 1.0)


def test_with_evaluations_others_have_their_share_also_where_the_first_was_quick(world: World) -> None:
    islands = world.islands(2, evaluations=300)
    world.say(0, READY, Finished(EndReason.BUDGET, 150, 1.0))
    told(islands)
    assert len(world.engines) == 2
    world.say(1, READY, found("b", 1, 9), Finished(EndReason.BUDGET, 150, 1.0))
    assert told(islands)[-1] == Finished(EndReason.BUDGET, 300, 1.0)


def test_with_seconds_the_first_to_come_wins(world: World) -> None:
    islands = world.islands(2, seconds=50.0)
    world.begin(islands, 2)
    world.say(0, progress(50))
    world.say(1, found("won", 4, 100), Finished(EndReason.REPRODUCED, 100, 1.0))
    messages = told(islands)
    assert names(messages) == ["won"]
    assert messages[-1] == Finished(EndReason.REPRODUCED, 150, 1.0)


def test_hints_are_those_of_the_best_island(world: World) -> None:
    islands = world.islands(2, seconds=50.0)
    world.begin(islands, 2)
    world.say(0, progress(50, 0.9), Finished(EndReason.BUDGET, 60, 1.0, ("far",)))
    told(islands)
    assert islands.running
    world.say(1, progress(50, 0.2), Finished(EndReason.BUDGET, 70, 1.0, ("near",)))
    assert told(islands)[-1] == Finished(EndReason.BUDGET, 130, 1.0, ("near",))


def test_island_that_does_not_end_in_time_is_not_waited_for(world: World) -> None:
    islands = world.islands(2, seconds=50.0)
    world.begin(islands, 2)
    world.say(1, progress(5, 0.1))
    world.clock.now += 50.0
    world.say(0, progress(50, 0.9), Finished(EndReason.BUDGET, 60, 50.0, ("far",)))
    told(islands)
    assert islands.running
    world.clock.now += LATE + 0.1
    assert told(islands)[-1] == Finished(EndReason.BUDGET, 65, 50.0, ("far",))


def test_killed_engine_is_replaced_with_its_survivors_and_the_rest_of_its_budget(world: World) -> None:
    islands = world.islands(1, evaluations=1000)
    world.say(0, READY, progress(250, 0.4), BestTests(240, 1.0, (encoded("a"),)), killed())
    messages = told(islands)
    assert isinstance(messages[-1], Incident)
    second = world.engines[1]
    assert second.start.seeds == (encoded("a"),)
    assert second.start.settings.budget.evaluations == 750
    assert second.start.settings.search.seed != 7
    assert world.engines[0].stopped
    world.say(1, READY, progress(10, 0.4), found("b", 4, 20), Finished(EndReason.REPRODUCED, 20, 1.0))
    messages = told(islands)
    assert [message.evaluations for message in messages if isinstance(message, Found | Progress)] == [260, 270]
    assert messages[-1] == Finished(EndReason.REPRODUCED, 270, 1.0)
    assert not any(isinstance(message, Ready) for message in messages)


def test_engine_that_is_always_killed_is_given_up(world: World) -> None:
    islands = world.islands(1, evaluations=1000)
    for life in range(LIVES):
        world.say(life, READY, killed())
        messages = told(islands)
    assert len(world.engines) == LIVES
    assert isinstance(messages[-1], Failed)
    assert not islands.running


def test_epochs_count_on_after_a_death(world: World) -> None:
    islands = world.islands(2, seconds=50.0)
    world.begin(islands, 2)
    world.say(0, progress(250), killed())
    told(islands)
    world.say(2, READY, BEGUN, Migrants(1, (encoded("a"),)))
    world.say(1, Migrants(3, (encoded("b"),)))
    told(islands)
    # Its second life is two epochs behind the first: both sides count as before.
    assert world.engines[1].heard == [Migrants(2), Migrants(3, (encoded("a"),))]
    assert world.engines[2].heard == [Migrants(1, (encoded("b"),))]


def test_visitors_that_died_with_an_engine_are_sent_to_the_next_one(world: World) -> None:
    """It may be waiting for just these, and whoever sent them for it."""
    islands = world.islands(2, seconds=50.0)
    world.begin(islands, 2)
    world.say(1, Migrants(1, (encoded("a"),)), Migrants(2, (encoded("b"),)))
    told(islands)
    world.say(0, progress(150), killed())
    told(islands)
    world.say(2, READY, BEGUN)
    told(islands)
    assert [message for message in world.engines[2].heard if isinstance(message, Migrants) and message.tests] == [
        Migrants(0, (encoded("a"),)),
        Migrants(1, (encoded("b"),)),
    ]


def test_failure_of_one_island_is_a_note_and_of_all_a_failure(world: World) -> None:
    islands = world.islands(2, seconds=50.0)
    world.begin(islands, 2)
    world.say(0, Failed(FailureKind.TARGET, "25 engines in a row"))
    world.say(1, progress(5), Finished(EndReason.BUDGET, 5, 1.0))
    messages = told(islands)
    assert messages[-2:] == [
        Incident(IncidentKind.ISLAND, "an engine stopped early: 25 engines in a row"),
        Finished(EndReason.BUDGET, 5, 1.0),
    ]
    other = world.islands(2, seconds=50.0)
    world.say(2, Failed(FailureKind.IMPORT, "no module x"))
    assert told(other) == [Failed(FailureKind.IMPORT, "no module x")]


def test_stop_gives_out_what_was_found(world: World) -> None:
    islands = world.islands(2, evaluations=1000)
    world.begin(islands, 2)
    world.say(0, found("a", 2, 50))
    assert told(islands) == []
    assert names(list(islands.stop())) == ["a"]
    assert all(engine.stopped for engine in world.engines)
    assert not islands.running


def test_seeds_of_islands_differ() -> None:
    seeds = {island_seed(seed, number, life) for seed in range(5) for number in range(4) for life in (1, 2)}
    assert len(seeds) == 40


def test_with_evaluations_the_first_tests_win_also_over_fewer_evaluations_of_another_island(world: World) -> None:
    islands = world.islands(2, evaluations=1000)
    world.say(0, READY)
    told(islands)
    world.clock.now += OTHERS_AFTER
    told(islands)
    world.say(1, READY, BEGUN, found("other", 4, 10), Finished(EndReason.REPRODUCED, 10, 1.0))
    told(islands)
    assert islands.running
    world.say(0, found("first", 4, 30), Finished(EndReason.REPRODUCED, 30, 1.0))
    assert names(told(islands)) == ["first"]


def test_what_all_are_told_reaches_those_that_come_later(world: World) -> None:
    islands = world.islands(2, seconds=50.0)
    world.say(0, READY, BEGUN)
    told(islands)
    insight = Insight(WrittenPreconditions())
    islands.inform(insight)
    world.say(1, READY, BEGUN)
    told(islands)
    assert [insight in engine.heard for engine in world.engines] == [True, True]
    world.say(1, killed())
    told(islands)
    world.say(2, READY, BEGUN)
    told(islands)
    assert insight in world.engines[2].heard
