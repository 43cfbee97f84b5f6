"""Replayed engines for the stories of ``generate``: they give out messages, on a clock that passes only when told."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hand_clock import Clock

from crashwright.core.messages import Archived, EndReason, Finished, Message, Ready, Suite, SuiteProgress
from crashwright.core.settings import EngineSettings
from crashwright.core.suite import CriterionCoverage, OpenBranch, SuiteTest
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.statements import Arguments, Call, Literal
from crashwright.engine.testcase.testcase import TestCase
from crashwright.supervision.island import Seeds

Step = Message | Callable[[], None]
_ALWAYS_READABLE = os.open(os.devnull, os.O_RDONLY)


@dataclass
class ReplayedSuiteEngine:
    """Gives out messages, each after ``tick`` seconds and when it is asked once more; a callable among them is called."""

    script: list[Step]
    clock: Clock = field(default_factory=Clock)
    tick: float = 0.1
    stopped: bool = False
    was_killed: bool = False
    told: list[Message] = field(default_factory=list)
    _pauses: bool = True

    @property
    def running(self) -> bool:
        return bool(self.script)

    def fileno(self) -> int:
        return _ALWAYS_READABLE

    def next(self, seconds: float | None = 0.0) -> Message | None:
        self._pauses = not self._pauses
        if self._pauses and not seconds:
            return None
        self.clock.now += self.tick
        step = self.script.pop(0)
        if callable(step):
            step()
            return None
        return step

    def send(self, message: Message) -> None:
        self.told.append(message)

    def ask_to_stop(self) -> None:
        self.stopped = True

    def stop(self, grace: float = 1.0) -> None:
        self.stopped = True


@dataclass
class Launches:
    """What engines were started with; each gets the next script."""

    scripts: list[list[Step]]
    clock: Clock = field(default_factory=Clock)
    engines: list[ReplayedSuiteEngine] = field(default_factory=list)
    settings: list[EngineSettings] = field(default_factory=list)
    seeds: list[Seeds] = field(default_factory=list)

    def start(self, settings: EngineSettings, seeds: Seeds) -> ReplayedSuiteEngine:
        self.settings.append(settings)
        self.seeds.append(seeds)
        self.engines.append(ReplayedSuiteEngine(list(self.scripts[len(self.engines)]), self.clock))
        return self.engines[-1]


READY = Ready("3.11.7", 0.1, "tiny_shop")
COVERAGE = (CriterionCoverage("branch", 3, 4), CriterionCoverage("exception", 1, 1))


def call(function: str, argument: object = 3) -> dict[str, Any]:
    """``tiny_shop.FUNCTION(argument)``, encoded."""
    number = Parameter("number", ParameterKind.POSITIONAL_OR_KEYWORD)
    callee = Callee("tiny_shop", function, CalleeKind.FUNCTION, (number,))
    return encode(TestCase((Literal(0, argument), Call(1, callee, Arguments((0,))))))  # type: ignore[arg-type]


def progress(evaluations: int, seconds: float = 1.0) -> SuiteProgress:
    return SuiteProgress(seconds, evaluations, COVERAGE, 4, 1, 50)


def archived(*tests: dict[str, Any], evaluations: int = 10) -> Archived:
    return Archived(tests, evaluations)


def suite(*tests: dict[str, Any], evaluations: int = 100) -> Suite:
    branch = OpenBranch("halve", 3, "condition is true", 0.5)
    return Suite(
        tuple(SuiteTest(test, "halve", ("branch halve:2 true",), 2) for test in tests), COVERAGE, (branch,), evaluations, 1.0
    )


def finished(evaluations: int = 100) -> Finished:
    return Finished(EndReason.BUDGET, evaluations, 1.0)
