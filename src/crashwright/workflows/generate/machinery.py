"""What ``generate`` runs on in earnest: engine processes, fresh interpreters, scratch folders, the monotonic clock."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from crashwright.core.began import BEGAN
from crashwright.core.errors import EnvironmentProblem
from crashwright.core.messages import StartSuite, Task
from crashwright.core.settings import EngineSettings
from crashwright.core.suite import ModuleTarget
from crashwright.environment.interpreter import Interpreter
from crashwright.supervision.engine_process import EngineProcess
from crashwright.supervision.fresh import run_fresh
from crashwright.supervision.island import Seeds
from crashwright.supervision.scratch import Scratch
from crashwright.supervision.user_cache import prepared_cache
from crashwright.supervision.watchdog import Watchdog
from crashwright.workflows.generate.story import SuiteMachinery
from crashwright.workflows.hunting.foresight import RunningWalk

if TYPE_CHECKING:
    from crashwright.symbolic.composition.branch_job import BranchOrder

SEARCH = "crashwright.engine.sessions.suite"
EXAMINATION = "crashwright.engine.sessions.examination"


def suite_machinery() -> SuiteMachinery:
    """The machinery of this machine."""
    watchdog = Watchdog()
    return SuiteMachinery(
        partial(_start_engine, watchdog),
        partial(run_fresh, watchdog=watchdog),
        partial(Scratch, watchdog),
        time.monotonic,
        BEGAN.get(),
        _begin_branches,
        cache=prepared_cache(),
    )


def _begin_branches(order: BranchOrder) -> RunningWalk:
    """Loads the symbolic engine, as for crashes."""
    from crashwright.symbolic.composition.branch_job import BranchComposition

    return BranchComposition(order)


def _start_engine(
    watchdog: Watchdog,
    interpreter: Interpreter,
    settings: EngineSettings,
    target: ModuleTarget,
    seeds: Seeds = (),
    task: Task = Task.SEARCH,
    hash_seed: int | None = None,
    spares: tuple[int, ...] = (),
    insights: bool = False,
) -> EngineProcess:
    environment = {} if hash_seed is None else {"PYTHONHASHSEED": str(hash_seed % 2**32)}
    start = StartSuite(settings, target, seeds=seeds, task=task, spares=spares, insights=insights)
    try:
        return EngineProcess(interpreter.executable, start, SEARCH if task is Task.SEARCH else EXAMINATION, environment, watchdog)
    except OSError as error:
        raise EnvironmentProblem(
            f"{interpreter.executable} cannot be started: {error.strerror}.", "See `crashwright doctor`."
        ) from None
