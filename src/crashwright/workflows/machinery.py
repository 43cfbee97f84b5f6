"""What the stories run on in earnest: engine processes, fresh interpreters, scratch folders, the monotonic clock."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from crashwright.core.began import BEGAN
from crashwright.core.errors import EnvironmentProblem
from crashwright.core.messages import Start
from crashwright.core.settings import EngineSettings
from crashwright.core.target import CrashTarget
from crashwright.environment.interpreter import Interpreter
from crashwright.supervision.asked_program import AskedProgram
from crashwright.supervision.engine_process import EngineProcess
from crashwright.supervision.fresh import run_fresh
from crashwright.supervision.islands import Islands
from crashwright.supervision.kept_engines import KeptEngines
from crashwright.supervision.scratch import Scratch
from crashwright.supervision.user_cache import prepared_cache
from crashwright.supervision.watchdog import Watchdog
from crashwright.workflows.hunting.foresight import NOTHING, Knowledge, RunningWalk
from crashwright.workflows.reproduce.islands import EPOCH, FirstWins
from crashwright.workflows.reproduce.machinery import Machinery

if TYPE_CHECKING:
    from crashwright.symbolic.composition.composition_job import Order


def machinery() -> Machinery:
    """The machinery of this machine."""
    watchdog = Watchdog()
    engines = KeptEngines(lambda python, start: EngineProcess(python, start, watchdog=watchdog))
    return Machinery(
        partial(_start_engines, engines),
        partial(run_fresh, watchdog=watchdog),
        partial(Scratch, watchdog),
        time.monotonic,
        BEGAN.get(),
        _begin_walk,
        partial(AskedProgram, watchdog=watchdog),
        release=engines.end,
        cache=prepared_cache(),
    )


def _begin_walk(order: Order) -> RunningWalk:
    """Loads the symbolic engine: it is as much code as all that a search without it needs."""
    from crashwright.symbolic.composition.composition_job import Composition

    return Composition(order)


def _start_engines(
    engines: KeptEngines,
    interpreter: Interpreter,
    settings: EngineSettings,
    target: CrashTarget,
    seeds: tuple[dict[str, Any], ...] = (),
    jobs: int = 1,
    knowledge: Knowledge = NOTHING,
) -> Islands:
    try:
        return Islands(
            lambda one, first: engines.start(
                interpreter.executable,
                Start(
                    one,
                    target,
                    first,
                    knowledge.preconditions,
                    knowledge.composed,
                    insights=knowledge.more,
                    candidates=knowledge.candidates,
                    suggests=knowledge.suggests,
                ),
            ),
            settings,
            FirstWins(),
            EPOCH,
            jobs,
            seeds,
        )
    except OSError as error:
        raise EnvironmentProblem(
            f"{interpreter.executable} cannot be started: {error.strerror}.", "See `crashwright doctor`."
        ) from None
