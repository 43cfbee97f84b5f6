"""What the zygote wants of a session (the search), and what it gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import NamedTuple, Protocol, runtime_checkable

from crashwright.core.messages import AnyStart, Failed, Ready, Start
from crashwright.engine.execution.confinement.guard import Guard
from crashwright.engine.execution.executor import Executor
from crashwright.engine.execution.isolation.isolation import Isolation
from crashwright.engine.execution.limits import TestClock
from crashwright.engine.execution.running_call import RunningCall
from crashwright.engine.testcase.quarantine import CallPattern
from crashwright.engine.worker.channel import Channel


class Subject(NamedTuple):
    """What to import and what to keep an eye on. ``modules`` are imported in this order; the modules of ``packages`` are put back
    after each test as they were. ``further`` says when they are there what to load beside them, where that works: modules, and
    lazy attributes of them (module, attribute or "")."""

    modules: tuple[str, ...]
    packages: tuple[str, ...]
    further: Callable[[], Iterable[tuple[str, str]]] = tuple


@dataclass(frozen=True, slots=True)
class Resume:
    """Where a fork begins. ``checkpoint`` is what the fork before it saved (None: from the start), ``quarantine`` the keys of the
    tests that killed an engine, ``seconds`` what passed since Ready was sent, ``generation`` how many forks there were before."""

    checkpoint: bytes | None = None
    quarantine: frozenset[int] = frozenset()
    seconds: float = 0.0
    generation: int = 0
    lost: int = 0
    """Tests that forks before ran after their last checkpoint: they count, though nothing is left of them."""
    banned: frozenset[CallPattern] = frozenset()
    """What was called when forks died, where several died of the same."""
    forgiven: bool = False
    """Whatever ended forks before ends none from now on."""


class Clocks(NamedTuple):
    """Seconds that pass, that this process computes, and of the day: the real ones, taken before the subject is imported, which may
    put others in their place."""

    wall: Callable[[], float]
    cpu: Callable[[], float]
    day: Callable[[], float]


@dataclass(frozen=True, slots=True)
class Workbench:
    """What a fork works with."""

    start: AnyStart
    clocks: Clocks
    channel: Channel
    executor: Executor
    clock: TestClock
    isolation: Isolation
    guard: Guard
    waiting: Callable[[bool], None] = lambda _waits: None
    """Told of the beginning and the end of a wait for the host, during which the fork is not stuck."""
    running: RunningCall | None = None
    """For a search, where tests are made anew, to say what a test calls."""

    def blame(self, resume: Resume) -> None:
        """Say from now on what is called, where a fork died before: what it dies of again is banned. Not for an examination, which
        compares the runs of given tests."""
        if resume.quarantine and self.running is not None:
            self.executor.tell(self.running)


class Session(Protocol):
    """The search, seen from the process that it runs in: three steps, each called once per process, unless it is
    :class:`Repeatable`."""

    def prepare(self, start: AnyStart) -> Subject:
        """In the zygote, before the import: install instrumentation, say what to import."""

    def imported(self, modules: dict[str, ModuleType]) -> Ready | Failed:
        """In the zygote, after the import: all that can be made once for all forks (API model, seeds). The zygote itself fills in
        ``python`` and ``import_seconds``."""

    def run(self, bench: Workbench, resume: Resume) -> None:
        """In the confined fork: search, and send Finished as the last message. ``Spoiled`` is let through: a new fork goes on."""


@runtime_checkable
class Repeatable(Protocol):
    """A session that can search for something else in the process that has imported the subject."""

    def begin_again(self, start: Start) -> None:
        """In the zygote, when a search is over: ``imported`` is called once more, for ``start``. What it says of the package and
        the settings of the search is as before."""
