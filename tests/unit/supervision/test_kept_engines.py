"""Engines that are kept for a search from another frame, with processes that are none."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.messages import Start
from crashwright.core.settings import EngineSettings, SearchSettings
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.supervision.kept_engines import KeptEngines, fits

FRAMES = tuple(
    TargetFrame(CodeKey("shop", name, line), "shop.py", line + 1, "", None, True)
    for name, line in (("main", 1), ("reserve", 10), ("take", 20))
)
OUTER = Start(EngineSettings(), CrashTarget("shop", "ValueError", "too many", FRAMES))
INNER = replace(OUTER, target=replace(OUTER.target, frames=FRAMES[1:]))


@dataclass
class Process:
    started_for: Start
    can_go_on: bool = False
    takes_more: bool = True
    events: list[Any] = field(default_factory=list)

    def go_on(self, start: Start) -> bool:
        self.can_go_on = False
        self.events.append(start)
        return self.takes_more

    def ask_to_stop(self) -> None:
        self.events.append("asked")

    def stop(self, grace: float = 1.0) -> None:
        self.events.append("stopped")


@dataclass
class World:
    processes: list[Process] = field(default_factory=list)

    def launch(self, _python: str, start: Start) -> Any:
        self.processes.append(Process(start))
        return self.processes[-1]


def test_the_search_from_a_frame_further_in_has_the_engine_of_the_one_before() -> None:
    world = World()
    engines = KeptEngines(world.launch)
    first = engines.start("python", OUTER)
    [process] = world.processes
    process.can_go_on = True
    for _ in range(2):
        first.ask_to_stop()
        first.stop()
    assert process.events == []
    innermost = replace(OUTER, target=replace(OUTER.target, frames=FRAMES[2:]))
    for start in (INNER, innermost):
        engine = engines.start("python", start)
        process.can_go_on = True
        engine.stop()
    engines.end()
    assert process.events == [INNER, innermost, "stopped"]
    assert len(world.processes) == 1


def test_one_that_did_not_come_to_its_end_is_ended() -> None:
    world = World()
    engines = KeptEngines(world.launch)
    first = engines.start("python", OUTER)
    first.ask_to_stop()
    first.stop()
    engines.start("python", INNER)
    assert world.processes[0].events == ["asked", "stopped"]
    assert len(world.processes) == 2


def test_one_that_is_gone_after_all_is_replaced() -> None:
    world = World()
    engines = KeptEngines(world.launch)
    first = engines.start("python", OUTER)
    world.processes[0].can_go_on, world.processes[0].takes_more = True, False
    first.stop()
    engines.start("python", INNER)
    assert world.processes[0].events == [INNER, "stopped"]
    assert len(world.processes) == 2


@pytest.mark.parametrize(
    "other",
    [
        replace(INNER, settings=EngineSettings(search=SearchSettings(seed=2))),
        replace(INNER, settings=EngineSettings(path=("elsewhere",))),
        replace(INNER, settings=EngineSettings(allow=frozenset({"network"}))),
        replace(INNER, settings=EngineSettings(search=SearchSettings(flags="interprocedural"))),
        replace(INNER, target=replace(INNER.target, package="depot")),
        replace(INNER, target=replace(INNER.target, frames=FRAMES[:1])),
    ],
)
def test_another_search_has_an_engine_of_its_own(other: Start) -> None:
    assert fits(OUTER, INNER)
    assert not fits(OUTER, other)
    assert not fits(INNER, OUTER)
