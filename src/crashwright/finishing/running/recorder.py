"""Records what a test file raises: a plugin of pytest, or of the stand-in for it (``stand_in``).

This file and what confines an engine are copied next to the test and run in the subject's interpreter: standard library only,
nothing else of crashwright. Each exception becomes one JSON line in the file that ``CRASHWRIGHT_RECORD`` names, also those that
``pytest.raises`` and ``assertRaises`` swallow, with the exceptions that caused it; lines with an ``event`` tell which tests there
are and how they ended. The process is confined before the test file, and with it the subject, is imported.
"""

from __future__ import annotations

import builtins
import importlib
import json
import logging
import os
import sys
import tempfile
import traceback
import unittest.case
from collections.abc import Callable
from typing import Any

# Taken now: what the subject does to these modules later must not change what is recorded.
_dumps = json.dumps
_open = os.open
_write = os.write
_close = os.close
_format_only = traceback.format_exception_only
_RECORD = os.environ.get("CRASHWRIGHT_RECORD", os.devnull)
_SCRATCH = os.environ.get("CRASHWRIGHT_SCRATCH", "")
_MODULES = [name for name in os.environ.get("CRASHWRIGHT_MODULES", "").split("\n") if name]
_DEEP = "CRASHWRIGHT_LOOK_DEEPER" in os.environ
_ALLOW = [name for name in os.environ.get("CRASHWRIGHT_ALLOW", "").split("\n") if name]
# The subject's classes may have an idea of their own of what every exception and every class has.
_CAUSE, _CONTEXT, _SUPPRESSED, _TRACEBACK = (
    vars(BaseException)[name] for name in ("__cause__", "__context__", "__suppress_context__", "__traceback__")
)
_MODULE, _QUALNAME = (vars(type)[name] for name in ("__module__", "__qualname__"))
_CHAIN = 8
"""How many exceptions before one are recorded."""
_MOST_MEMBERS = 30
"""How many members of a group are recorded."""
_LONGEST = 2000
_LONGEST_REASON = 400
GUARD = "crashwright_confinement.guard"
"""The module name of the copy of ``crashwright.engine.execution.confinement.guard``."""
CONFINEMENT = "crashwright_confinement"
"""The package name of the copy of ``crashwright.engine.execution.confinement``."""


class Recorder:
    """Writes each exception once, and again if it leaves a call after all. It keeps them alive, so that an identity is never used
    twice."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._seen: list[tuple[BaseException, str]] = []
        self._guard: Any = None
        self.test = ""
        """The test that runs, as pytest names it."""

    def confine(self) -> None:
        """From here on this process writes to scratch folders only, starts and reaches nothing, and ends with the one that started
        it. Call it while there is one thread, before any code of the subject."""
        guard, confinement = importlib.import_module(GUARD), importlib.import_module(CONFINEMENT)
        confinement.die_with_parent()
        temporary = tempfile.gettempdir()
        told = os.path.dirname(_RECORD)
        kernel = confinement.Confinement((_SCRATCH, temporary, told), _ALLOW)
        kernel.begin()
        kernel.tighten()
        self._guard = guard.Guard(_SCRATCH, [f"write:{temporary}", f"write:{told}", *_ALLOW])
        self._guard.install()

    @property
    def refused(self) -> int:
        """How often something was refused so far."""
        return 0 if self._guard is None else self._guard.refused

    def begin_test(self) -> None:
        """What the import was refused is not to be held against the test."""
        if self._guard is not None:
            self._guard.take_refusals()

    def record(self, error: BaseException | None, kept: str = "", frames: tuple[tuple[str, int, str], ...] = ()) -> None:
        """Append ``error`` to the record; ``kept`` says what has it, if it left nobody's call. ``frames`` are those around it,
        outermost first, if it is still on its way."""
        if error is None or any(error is known and (kept or not before) for known, before in self._seen):
            return
        self._seen.append((error, kept))
        refused = list(self._guard.take_refusals()) if self._guard is not None else []
        told = _chained(error, _CHAIN)
        if frames:
            told["frames"] = list(frames)
        self._write({**told, "python": list(sys.version_info[:2]), "refused": refused, "test": self.test, "kept": kept})

    def tell(self, event: str, **facts: object) -> None:
        """Append what happened with a test, or with all of them."""
        self._write({"event": event, **facts})

    def _write(self, data: dict[str, object]) -> None:
        line = _dumps(data)
        descriptor = _open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            _write(descriptor, (line + "\n").encode())
        finally:
            _close(descriptor)


def _chained(error: BaseException, depth: int) -> dict[str, object]:
    """The exception and, as a traceback prints them, those before it and those within it."""
    kind = type(error)
    cause = _CAUSE.__get__(error)
    before = cause if cause is not None or _SUPPRESSED.__get__(error) else _CONTEXT.__get__(error)
    module = _MODULE.__get__(kind)
    return {
        "module": module if type(module) is str else "",
        "type": _QUALNAME.__get__(kind),
        "message": message(error),
        "frames": _frames(error),
        "link": "cause" if cause is not None else "context",
        "before": None if before is None or depth == 0 else _chained(before, depth - 1),
        "members": [_chained(member, depth - 1) for member in _members(error)[:_MOST_MEMBERS]] if depth else [],
    }


def _members(error: BaseException) -> tuple[BaseException, ...]:
    """Of an exception group, which Python has since 3.11."""
    group = getattr(builtins, "BaseExceptionGroup", None)
    if group is None or not issubclass(type(error), group):
        return ()
    members: tuple[BaseException, ...] = group.exceptions.__get__(error)
    return members


def _frames(error: BaseException) -> list[tuple[str, int, str]]:
    frames = []
    step = _TRACEBACK.__get__(error)
    while step is not None:
        code = step.tb_frame.f_code
        frames.append((code.co_filename, step.tb_lineno, code.co_name))
        step = step.tb_next
    return frames


def message(error: BaseException) -> str:
    """What Python prints after the type, notes included."""
    try:
        text = "".join(_format_only(type(error), error))
    except BaseException:  # noqa: BLE001 - it looks at all the exceptions before this one, whose classes may raise anything
        return _bare_message(error)
    # A SyntaxError prints its place first: start at the line that names the type.
    lines = text.strip().split("\n")
    start = next(
        (i for i, line in enumerate(lines) if not line[:1].isspace() and type(error).__name__ in line.partition(":")[0]), 0
    )
    return "\n".join(lines[start:]).partition(": ")[2].strip()


def _bare_message(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException as problem:  # noqa: BLE001 - a __str__ of the subject may raise anything; a message without agreement is the honest answer
        return f"<message not printable: {type(problem).__name__}>"


_recorder = Recorder(_RECORD)
tell, record = _recorder.tell, _recorder.record


def refused() -> int:
    """How often something was refused in this process."""
    return _recorder.refused


def pytest_configure() -> None:
    """Hook: let ``pytest.raises`` and the like tell what they swallow."""
    pytest: Any = sys.modules["pytest"]
    if _DEEP:
        logging.getLogger().addHandler(_Logged())
    contexts = [type(pytest.raises(Exception)), getattr(pytest, "RaisesGroup", None), unittest.case._AssertRaisesContext]
    for context in contexts:
        if context is not None:
            _listen_to(context)
    raises = pytest.raises

    def recording_raises(*arguments: Any, **options: Any) -> Any:
        # The old form calls the function itself, without the context.
        if len(arguments) > 1 and callable(arguments[1]):
            arguments = (arguments[0], _recording(arguments[1]), *arguments[2:])
        return raises(*arguments, **options)

    pytest.raises = recording_raises


def _listen_to(context: Any) -> None:
    leave: Callable[..., object] = context.__exit__

    def __exit__(self: object, kind: object, value: BaseException | None, trace: object) -> object:
        _recorder.record(value)
        return leave(self, kind, value, trace)

    context.__exit__ = __exit__


def _recording(function: Callable[..., object]) -> Callable[..., object]:
    def call(*arguments: object, **options: object) -> object:
        try:
            return function(*arguments, **options)
        except BaseException as error:
            _recorder.record(error)
            raise

    return call


def pytest_collectreport(report: Any) -> None:
    """Hook: tell of a file that cannot be imported."""
    if report.failed:
        tell("collection", text=str(report.longrepr)[-_LONGEST:])


def pytest_collection_finish(session: Any) -> None:
    """Hook: tell which tests there are."""
    tell("collected", tests=[item.nodeid for item in session.items])


def pytest_runtest_setup(item: Any) -> None:
    """Hook: the test file is imported, the test begins."""
    _recorder.test = item.nodeid
    _recorder.begin_test()


def pytest_runtest_makereport(item: Any, call: Any) -> None:
    """Hook: record what the test function, or a fixture of it, raised."""
    if call.excinfo is not None:
        _recorder.test = item.nodeid
        _recorder.record(call.excinfo.value)
        if _DEEP:
            _record_kept(call.excinfo.value, str(item.path))


class _Logged(logging.Handler):
    """Records exceptions that the application logs, and answers as if nothing had been."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            _recorder.record(record.exc_info[1], "logged")


def _record_kept(error: BaseException, file: str) -> None:
    """Record the exceptions that the variables of the test that failed hold, or what they hold has as an attribute; and the one
    that the test handled when it failed."""
    step = _TRACEBACK.__get__(error)
    before = _CONTEXT.__get__(error)
    if before is not None and any(place[0] == file for place in _frames(before)[:1]):
        _recorder.record(before, "handled")
    while step is not None:
        frame = step.tb_frame
        for name, value in list(frame.f_locals.items()) if frame.f_code.co_filename == file else ():
            for path, found in ((name, value), *((f"{name}.{key}", part) for key, part in _attributes(value))):
                if isinstance(found, BaseException):
                    _recorder.record(found, path)
        step = step.tb_next


def _attributes(value: object) -> list[tuple[str, object]]:
    try:
        return list(object.__getattribute__(value, "__dict__").items())
    except AttributeError:
        return []


def pytest_runtest_logreport(report: Any) -> None:
    """Hook: tell how the test ended, and what was wrong."""
    if report.when == "call" or report.outcome != "passed":
        crash = getattr(report.longrepr, "reprcrash", None)
        text = str(crash.message if crash is not None else report.longrepr or "")
        outcome = "xfailed" if hasattr(report, "wasxfail") else report.outcome
        tell("outcome", test=report.nodeid, when=report.when, outcome=outcome, text=text[:_LONGEST_REASON])
        if _MODULES:
            tell("modules", files=_files(_MODULES))


def _files(names: list[str]) -> dict[str, str]:
    """What of the modules was imported, and from where."""
    files = {name: getattr(sys.modules.get(name), "__file__", None) for name in names}
    return {name: file for name, file in files.items() if type(file) is str}


if "." not in __name__:  # it is a copy, and imported before any other code
    _recorder.confine()
