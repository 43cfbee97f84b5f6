"""Islands of real engines: a seed and evaluations repeat them exactly, tests travel, one that stands still holds up nobody."""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from trails import LEDGER

from crashwright.core.messages import Failed, Finished, Incident, IncidentKind, Message, Migrants, Start
from crashwright.core.settings import Budget, EngineSettings, LimitSettings, SearchSettings
from crashwright.crash.readers.registry import read_reports
from crashwright.crash.resolve import resolve
from crashwright.environment.interpreter import inspect_interpreter
from crashwright.supervision.engine_process import SESSION as SEARCH
from crashwright.supervision.engine_process import EngineProcess
from crashwright.supervision.islands import Islands
from crashwright.workflows.reproduce.islands import FirstWins

HERE = Path(__file__).parent
SESSION = str(HERE / "island_session.py")
EVALUATIONS, EPOCH = 6000, 200


class Overheard(EngineProcess):
    """Remembers what it was sent."""

    def __init__(self, python: str, start: Start, session: str) -> None:
        super().__init__(python, start, session)
        self.heard: list[Message] = []

    def send(self, message: Message) -> None:
        self.heard.append(message)
        super().send(message)


@dataclass
class Archipelago:
    """Islands with a search that finds nothing, and what came of it."""

    session: str = SESSION
    engines: list[Overheard] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)

    def launch(self, start: Start) -> EngineProcess:
        self.engines.append(Overheard(sys.executable, start, self.session))
        return self.engines[-1]

    def start(self, seed: int, jobs: int, budget: Budget, report: str = LEDGER) -> Islands:
        target = resolve(read_reports(report)[-1], inspect_interpreter(sys.executable, (str(HERE),)), None, None).target
        limits = LimitSettings(test_seconds=5.0)  # a busy machine must not decide
        settings = EngineSettings(SearchSettings(seed=seed), budget, limits, (str(HERE),))
        return Islands(lambda one, seeds: self.launch(Start(one, target, seeds=seeds)), settings, FirstWins(), EPOCH, jobs)

    def follow(self, islands: Islands, seconds: float = 60.0) -> Finished:
        end = time.monotonic() + seconds
        try:
            while islands.running and time.monotonic() < end:
                message = islands.next(0.25)
                assert not isinstance(message, Failed), message
                if message is not None:
                    self.messages.append(message)
        finally:
            islands.stop()
        assert isinstance(self.messages[-1], Finished), "it did not come to an end"
        return self.messages[-1]

    def trails(self) -> list[str]:
        """The digests of what the engines ran."""
        noted = IncidentKind.NOTED
        return sorted(one.text for one in self.messages if isinstance(one, Incident) and one.kind is noted)

    def arrived(self, number: int) -> list[Migrants]:
        return [message for message in self.engines[number].heard if isinstance(message, Migrants)]


@pytest.mark.nightly
def test_a_seed_repeats_all_islands() -> None:
    told = []
    for _ in range(2):
        world = Archipelago()
        end = world.follow(world.start(1, 2, Budget(None, EVALUATIONS)))
        assert end.evaluations == EVALUATIONS
        told.append(world.trails())
        for number in (0, 1):
            tests = [migrants for migrants in world.arrived(number) if migrants.tests]
            # The last ones may come when it has ended.
            assert len(tests) >= 2
            epochs = [migrants.epoch for migrants in tests]
            assert epochs == sorted(set(epochs))  # some pass by during a turn of a search from further in
    assert told[0] == told[1]
    assert len(told[0]) == 2


@pytest.mark.nightly
def test_an_island_that_stands_still_holds_up_nobody_where_seconds_count() -> None:
    world = Archipelago(SEARCH)
    islands = world.start(1, 2, Budget(3.0))
    while islands.next(0.25) is None or len(world.engines) < 2:
        assert islands.running
    os.killpg(world.engines[1].pid, signal.SIGSTOP)
    end = world.follow(islands, 15.0)
    assert end.reason == "budget"
    assert end.evaluations > 500


@pytest.mark.nightly
@pytest.mark.parametrize("number", [0, 1])
def test_a_killed_island_is_replaced_and_the_others_do_not_wait_for_ever(number: int) -> None:
    many = 8000  # so that it has not finished when it is killed
    world = Archipelago(SEARCH)
    islands = world.start(1, 2, Budget(None, many))
    while len(world.engines) < 2 or not world.arrived(1 - number):
        islands.next(0.05)
        assert islands.running
    os.kill(world.engines[number].pid, signal.SIGKILL)
    end = world.follow(islands)
    assert len(world.engines) == 3
    assert any(isinstance(message, Incident) and message.kind is IncidentKind.DIED for message in world.messages)
    assert many <= end.evaluations < many + EPOCH
