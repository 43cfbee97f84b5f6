"""What the stories run on in earnest: engine processes, fresh interpreters, scratch folders, the monotonic clock."""

from __future__ import annotations

import time

from crashwright.core.errors import EnvironmentProblem
from crashwright.core.messages import Start
from crashwright.core.settings import EngineSettings
from crashwright.core.target import CrashTarget
from crashwright.crash.interpreter import Interpreter
from crashwright.supervision.engine_process import EngineProcess
from crashwright.supervision.fresh import run_fresh
from crashwright.supervision.scratch import Scratch
from crashwright.workflows.reproduce import Machinery


def machinery() -> Machinery:
    """The machinery of this machine."""
    return Machinery(_start_engine, run_fresh, Scratch, time.monotonic)


def _start_engine(interpreter: Interpreter, settings: EngineSettings, target: CrashTarget) -> EngineProcess:
    try:
        return EngineProcess(interpreter.executable, Start(settings, target))
    except OSError as error:
        raise EnvironmentProblem(
            f"{interpreter.executable} cannot be started: {error.strerror}.", "See `crashwright doctor`."
        ) from None
