"""What the story of a reproduction runs on: engines, fresh interpreters, a clock. Tests put in their own."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from crashwright.core.settings import EngineSettings
from crashwright.core.target import CrashTarget
from crashwright.environment.interpreter import Interpreter
from crashwright.finishing.running.fresh_runner import RunFresh
from crashwright.supervision.asked_program import AskedProgram
from crashwright.workflows.deadline import Clock
from crashwright.workflows.hunting.foresight import NOTHING, BeginWalk, Knowledge
from crashwright.workflows.reproduce.hunt import Engine
from crashwright.workflows.reproduce.suggesting import StartProgram


class StartEngine(Protocol):
    """Starts engines in the subject's interpreter, ``jobs`` of them, which appear as one."""

    def __call__(
        self,
        interpreter: Interpreter,
        settings: EngineSettings,
        target: CrashTarget,
        seeds: tuple[dict[str, Any], ...] = (),
        jobs: int = 1,
        knowledge: Knowledge = NOTHING,
    ) -> Engine: ...


@dataclass(frozen=True, slots=True)
class Machinery:
    """What the story runs on; tests put in their own."""

    start_engine: StartEngine
    run_fresh: RunFresh
    scratch: Callable[[], AbstractContextManager[Path]]
    clock: Clock
    began: float | None = None
    """When the command began, on the clock; None: when the story does."""
    begin_walk: BeginWalk | None = None
    """Begins the symbolic search for preconditions and tests; None: there is none."""
    ask: StartProgram = AskedProgram
    """Starts a program of the user's."""
    release: Callable[[], None] = lambda: None
    """Called when no engine will be started any more."""
    cache: str = ""
    """The user's cache folder, for engines; "" where nothing is kept there."""
