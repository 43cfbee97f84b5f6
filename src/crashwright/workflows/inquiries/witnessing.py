"""Sentences about a crash are held against runs: an engine searches for the crash, confined, and tells what its runs
show of each."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from crashwright.core.messages import Failed, Message, Ready, Start, Witness, Witnessed
from crashwright.core.precondition import Precondition, written
from crashwright.core.preparation import Preparation
from crashwright.core.settings import Budget, EngineSettings, SearchSettings
from crashwright.core.target import CrashTarget
from crashwright.environment.interpreter import Interpreter

EVALUATIONS = 3000
SECONDS, LONGEST = 10.0, 40.0
"""Of the search, and of all of it with the import."""
_TICK = 0.2


class WitnessEngine(Protocol):
    """A running engine (``supervision.engine_process.EngineProcess``)."""

    @property
    def running(self) -> bool:
        """Messages may still come."""

    def next(self, seconds: float) -> Message | None:
        """The next message, or None where none came within ``seconds``."""


StartEngine = Callable[[str, Start], AbstractContextManager[WitnessEngine]]


class ShownRuns(NamedTuple):
    """What ``runs`` show of each sentence; without any, ``problem`` says why they were not held against runs."""

    runs: int = 0
    counts: tuple[Witness, ...] = ()
    problem: str = ""


Runs = Callable[[CrashTarget, Sequence[Precondition]], ShownRuns]


@dataclasses.dataclass(frozen=True, slots=True)
class SubjectRuns:
    """Runs of one subject."""

    start_engine: StartEngine
    interpreter: Interpreter
    path: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    preparation: Preparation = dataclasses.field(default_factory=Preparation)
    seed: int = 1
    budget: Budget = dataclasses.field(default_factory=lambda: Budget(SECONDS, EVALUATIONS))
    longest: float = LONGEST

    def __call__(self, target: CrashTarget, sentences: Sequence[Precondition]) -> ShownRuns:
        """What they show of ``sentences``."""
        search = SearchSettings(engine="portfolio", seed=self.seed)
        settings = EngineSettings(search, self.budget, path=self.path, allow=self.allow, preparation=self.preparation)
        start = Start(settings, target, preconditions=written(sentences), witnessing=True)
        try:
            with self.start_engine(self.interpreter.executable, start) as engine:
                return _heard(engine, len(sentences), self.longest, 2 * (self.budget.seconds or self.longest))
        except OSError as error:
            return ShownRuns(problem=f"{self.interpreter.executable} cannot be started: {error.strerror}")


def _heard(engine: WitnessEngine, sentences: int, longest: float, searching: float) -> ShownRuns:
    end, runs, counts, problem = time.monotonic() + longest, 0, [Witness()] * sentences, ""
    while engine.running and time.monotonic() < end:
        match engine.next(_TICK):
            case Ready():
                end = min(end, time.monotonic() + searching)
            case Witnessed(shown, told):
                runs += shown
                counts = [Witness(*map(sum, zip(one, other, strict=True))) for one, other in zip(counts, told, strict=True)]
            case Failed(text=problem):
                pass
    return ShownRuns(runs, tuple(counts), "" if runs else problem or "no test entered its functions")
