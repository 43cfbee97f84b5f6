"""Records what a test file raises: a pytest plugin, and a stand-in for pytest where the subject's environment has none.

This file and the engine's guard are copied next to the test and run in the subject's interpreter: standard library only, nothing
else of crashwright. Each exception becomes one JSON line in the file that ``CRASHWRIGHT_RECORD`` names, also those that
``pytest.raises`` swallows. The guard begins with the test, as in the engine: what the import of the subject does is not judged.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import json
import os
import pathlib
import sys
import tempfile
import traceback
import types
from collections.abc import Callable, Iterator
from typing import Any

# Taken now: what the subject does to these modules later must not change what is recorded.
_dumps = json.dumps
_open = os.open
_write = os.write
_close = os.close
_format_only = traceback.format_exception_only
_RECORD = os.environ.get("CRASHWRIGHT_RECORD", os.devnull)
_SCRATCH = os.environ.get("CRASHWRIGHT_SCRATCH", "")
_ALLOW = [name for name in os.environ.get("CRASHWRIGHT_ALLOW", "").split("\n") if name]
GUARD = "crashwright_guard"
"""The module name of the copy of ``crashwright.engine.execution.guard``."""


class Recorder:
    """Writes each exception once. It keeps them alive, so that an identity is never used twice."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._seen: list[BaseException] = []
        self._guard: Any = None

    def confine(self) -> None:
        """From here on the test writes to scratch folders only, and starts and reaches nothing."""
        if self._guard is None:
            self._guard = importlib.import_module(GUARD).Guard(_SCRATCH, [f"write:{tempfile.gettempdir()}", *_ALLOW])
            self._guard.install()

    def record(self, error: BaseException | None) -> None:
        """Append ``error`` to the record."""
        if error is None or any(error is known for known in self._seen):
            return
        self._seen.append(error)
        kind = type(error)
        line = _dumps(
            {
                "module": kind.__module__,
                "type": kind.__qualname__,
                "message": _message(error),
                "frames": _frames(error),
                "python": list(sys.version_info[:2]),
                "refused": list(self._guard.take_refusals()) if self._guard is not None else [],
            }
        )
        descriptor = _open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            _write(descriptor, (line + "\n").encode())
        finally:
            _close(descriptor)


def _frames(error: BaseException) -> list[tuple[str, int, str]]:
    frames = []
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        frames.append((code.co_filename, step.tb_lineno, code.co_name))
        step = step.tb_next
    return frames


def _message(error: BaseException) -> str:
    """What Python prints after the type, notes included."""
    try:
        text = "".join(_format_only(type(error), error))
    except Exception as problem:  # noqa: BLE001 - a __str__ of the subject may raise anything; a message without agreement is the honest answer
        return f"<message not printable: {type(problem).__name__}>"
    # A SyntaxError prints its place first: start at the line that names the type.
    lines = text.strip().split("\n")
    start = next(
        (i for i, line in enumerate(lines) if not line[:1].isspace() and type(error).__name__ in line.partition(":")[0]), 0
    )
    return "\n".join(lines[start:]).partition(": ")[2].strip()


_recorder = Recorder(_RECORD)


def pytest_configure() -> None:
    """Hook: let ``pytest.raises`` tell what it swallows."""
    pytest = sys.modules["pytest"]
    context: Any = type(pytest.raises(Exception))
    leave: Callable[..., object] = context.__exit__

    def __exit__(self: object, kind: object, value: BaseException | None, trace: object) -> object:
        _recorder.record(value)
        return leave(self, kind, value, trace)

    context.__exit__ = __exit__


def pytest_runtest_setup() -> None:
    """Hook: the test file is imported, the test begins."""
    _recorder.confine()


def pytest_runtest_makereport(call: Any) -> None:
    """Hook: record what the test function raised."""
    if call.excinfo is not None and call.when == "call":
        _recorder.record(call.excinfo.value)


def _stand_in_pytest() -> types.ModuleType:
    """As much of pytest as a printed test uses."""
    module: Any = types.ModuleType("pytest")

    @contextlib.contextmanager
    def raises(kind: type[BaseException], **_match: str) -> Iterator[None]:
        try:
            yield
        except kind as error:
            _recorder.record(error)

    def xfail(**_options: object) -> Callable[[Callable[..., object]], Callable[..., object]]:
        return lambda function: function

    module.raises = raises
    module.mark = types.SimpleNamespace(xfail=xfail)
    return module  # type: ignore[no-any-return]


def run_without_pytest(path: str) -> None:
    """Import the test file and call its one test function, with ``tmp_path`` where it asks for that."""
    sys.modules["pytest"] = _stand_in_pytest()
    specification = importlib.util.spec_from_file_location(pathlib.Path(path).stem, path)
    if specification is None or specification.loader is None:
        raise ImportError(f"cannot import {path}")
    module = importlib.util.module_from_spec(specification)
    try:
        specification.loader.exec_module(module)
        test = next(value for name, value in vars(module).items() if name.startswith("test_") and inspect.isfunction(value))
        with tempfile.TemporaryDirectory() as folder:
            _recorder.confine()
            fixtures = {"tmp_path": pathlib.Path(folder)}
            test(**{name: fixtures[name] for name in inspect.signature(test).parameters})
    except BaseException as error:  # noqa: BLE001 - whatever the subject raises, SystemExit included, is what is to be recorded
        _recorder.record(error)


if __name__ == "__main__":
    run_without_pytest(sys.argv[1])
