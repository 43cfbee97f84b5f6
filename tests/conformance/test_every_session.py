"""What holds for every session of the worker, each in a real engine."""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

from conforming import conformance
from forked_engine import in_small_process, messages_of

from crashwright.core.location import CodeKey
from crashwright.core.messages import (
    AnyStart,
    BestTests,
    EndReason,
    Failed,
    FailureKind,
    Finished,
    Imported,
    Incident,
    IncidentKind,
    Message,
    Progress,
    Ready,
    Start,
    StartSuite,
    SuiteProgress,
    Task,
    decode,
    encode,
)
from crashwright.core.settings import Budget, EngineSettings, SearchSettings
from crashwright.core.suite import ModuleTarget
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine import sessions
from crashwright.engine.execution.executor import Spoiled
from crashwright.engine.sessions.suite import SuiteSession
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase import codec
from crashwright.engine.testcase.statements import Arguments, Call, Literal
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.protocol import Resume, Session, Subject, Workbench

NAME = "conforming_depot"
SOURCE = """\
def share(total: int, parts: int) -> float:
    if total > 3:
        return total / parts
    return 0.0
"""
CALL = TestCase((Literal(0, 6), Literal(1, 3), Call(2, Callee(NAME, "share", CalleeKind.FUNCTION), Arguments((0, 1)))))
Make = Callable[[], Session]


def start_for(session: Session, folder: Path) -> AnyStart:
    """What the session is to work on, by what it says that it prepares."""
    kind = get_type_hints(type(session).prepare)["start"]
    search = SearchSettings(algorithm="guided" if kind is Start else "dynamosa")
    settings = EngineSettings(search, Budget(None, 20), path=(str(folder),), scratch=str(folder / "scratch"))
    if kind is StartSuite:
        return StartSuite(settings, ModuleTarget(NAME), (codec.encode(CALL),), Task.OBSERVE)
    frame = TargetFrame(CodeKey(NAME, "share", 1), str(folder / f"{NAME}.py"), 3, "return total / parts", None, True)
    return Start(settings, CrashTarget(NAME, "ZeroDivisionError", "division by zero", (frame,)))


def told(make: Make, source: str | None = SOURCE, watch: Callable[[Session], Session] | None = None) -> list[Message]:
    """All that an engine with this session says of a module."""
    return in_small_process(told_by_fork, make, source, watch)


def told_by_fork(make: Make, source: str | None, watch: Callable[[Session], Session] | None) -> list[Message]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.joinpath("scratch").mkdir()
        if source is not None:
            folder.joinpath(f"{NAME}.py").write_text(source)
        holder: Any = ModuleType("session_to_check")
        holder.session = make if watch is None else lambda: watch(make())
        sys.modules[holder.__name__] = holder
        try:
            return messages_of(start_for(make(), folder), holder.__name__)
        finally:
            del sys.modules[holder.__name__]


def failures(messages: Sequence[Message]) -> list[tuple[str, str]]:
    return [(str(message.kind), message.detail or message.text) for message in messages if isinstance(message, Failed)]


class Watched:
    """A session, watched while it prepares, and disturbed once in its run."""

    def __init__(self, inner: Session, disturb: bool = False) -> None:
        self._inner, self._disturb = inner, disturb

    def prepare(self, start: Any) -> Subject:
        subject = self._inner.prepare(start)
        assert NAME not in sys.modules
        assert NAME in subject.modules
        assert {module.partition(".")[0] for module in subject.modules} <= {*subject.packages}
        return subject

    def imported(self, modules: dict[str, ModuleType]) -> Ready | Failed:
        return self._inner.imported(modules)

    def run(self, bench: Workbench, resume: Resume) -> None:
        if self._disturb and not resume.generation:
            bench = replace(bench, executor=Disturbed(bench.executor))  # type: ignore[arg-type]
        self._inner.run(bench, resume)


def disturbed(session: Session) -> Session:
    return Watched(session, disturb=True)


class Disturbed:
    """An executor that can run no test."""

    def __init__(self, executor: Any) -> None:
        self._executor = executor

    def __getattr__(self, name: str) -> Any:
        return getattr(self._executor, name)

    def run(self, *_: Any, **__: Any) -> Any:
        raise Spoiled("disturbed")

    run_with = run_and_keep = run


def it_prepares_without_importing(make: Make) -> None:
    assert failures(told(make, watch=Watched)) == []


def it_says_all_in_order_and_finishes(make: Make) -> None:
    messages = told(make)
    kinds = [type(message) for message in messages]
    assert failures(messages) == []
    assert kinds[:2] == [Imported, Ready]
    assert kinds.count(Finished) == 1
    assert kinds[-1] is Finished
    assert [decode(encode(message)) for message in messages] == messages


def it_leaves_an_import_that_fails_to_its_reader(make: Make) -> None:
    for source in ("raise LookupError('closed')\n", None):
        messages = told(make, source)
        assert [message.kind for message in messages if isinstance(message, Failed)] == [FailureKind.IMPORT]
        assert len(messages) == 1


def it_repeats_by_its_seed(make: Make) -> None:
    """Within a budget of evaluations; what is told by the clock aside."""

    def story() -> list[str]:
        messages = [message for message in told(make) if not isinstance(message, Progress | SuiteProgress | BestTests)]
        return [re.sub(r'"[a-z_]*seconds": ?[-+.e0-9]+', "", encode(message).decode()) for message in messages]

    assert story() == story()


def it_lets_through_that_its_process_is_spoiled(make: Make) -> None:
    """The next fork goes on to the end."""
    messages = told(make, watch=disturbed)
    assert failures(messages) == []
    assert "disturbed" in str([message.text for message in messages if isinstance(message, Incident)])
    assert isinstance(messages[-1], Finished)


class Hasty(SuiteSession):
    def prepare(self, start: StartSuite) -> Subject:
        sys.path.insert(0, start.settings.path[0])
        importlib.import_module(start.target.module)
        return super().prepare(start)


class Talkative(SuiteSession):
    def run(self, bench: Workbench, resume: Resume) -> None:
        super().run(replace(bench, channel=OneMoreThing(bench.channel)), resume)  # type: ignore[arg-type]


class OneMoreThing:
    """A channel that goes on after the end, in one write with it: nobody waits for what follows."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def send(self, message: Message) -> None:
        if isinstance(message, Finished):
            more = encode(Incident(IncidentKind.REFUSED, "one more thing"))
            os.write(self._inner._descriptor, b"\n" + encode(message) + b"\n" + more)
        else:
            self._inner.send(message)


class Blind(SuiteSession):
    def prepare(self, start: StartSuite) -> Subject:
        return Subject((), ())

    def imported(self, modules: dict[str, ModuleType]) -> Ready | Failed:
        return Ready("3", 0.0, "nothing")


class Moody(SuiteSession):
    def run(self, bench: Workbench, resume: Resume) -> None:
        bench.channel.send(Finished(EndReason.EXHAUSTED, os.getpid(), 0.0))


class Stubborn(SuiteSession):
    def run(self, bench: Workbench, resume: Resume) -> None:
        try:
            super().run(bench, resume)
        except Spoiled:
            bench.channel.send(Finished(EndReason.EXHAUSTED, 0, 0.0))


def shipped() -> dict[str, Make]:
    """All modules of the room that make a session."""
    names = [f"{sessions.__name__}.{module.name}" for module in pkgutil.iter_modules(sessions.__path__)]
    made = {name: getattr(importlib.import_module(name), "session", None) for name in names}
    return {name.rpartition(".")[2]: make for name, make in made.items() if make is not None}


def test_the_sessions_are_found() -> None:
    assert {"crash", "suite", "examination"} <= set(shipped())


test_every_session, test_broken_ones_are_refused = conformance(
    shipped(),
    {
        it_prepares_without_importing: Hasty,
        it_says_all_in_order_and_finishes: Talkative,
        it_leaves_an_import_that_fails_to_its_reader: Blind,
        it_repeats_by_its_seed: Moody,
        it_lets_through_that_its_process_is_spoiled: Stubborn,
    },
)
