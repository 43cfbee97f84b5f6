"""Importing the subject's modules: the first subject code that runs, and it may hang, exit, print or fail. Failures come back
as messages for the user."""

from __future__ import annotations

import importlib
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from signal import ITIMER_REAL, SIGALRM, setitimer
from time import monotonic, perf_counter, process_time
from types import FrameType, ModuleType
from typing import Protocol

from crashwright.core.messages import Failed, FailureKind
from crashwright.engine.subject.introspection import MODULES, class_module, class_name, live_at, text

COMPUTES = 0.05
"""Share of its time that an import computes, however busy the machine is, unless it waits for something."""


class SetUp(Protocol):
    """What the subject needs beside its modules, with its ``text`` for the user. ``lacks_settings`` are the exceptions (module,
    name) by which a framework says that it needs settings."""

    text: str
    lacks_settings: frozenset[tuple[str, str]]

    def before_import(self) -> None:
        """What the modules need to be imported."""

    def after_import(self) -> None:
        """What their functions need to be called."""


class _Nothing:
    text = ""
    lacks_settings: frozenset[tuple[str, str]] = frozenset()

    def before_import(self) -> None: ...

    def after_import(self) -> None: ...


_NOTHING = _Nothing()


class ImportTimeout(BaseException):
    """Raised in an import that takes too long. No Exception, so that few subjects catch it."""

    def __init__(self, kind: FailureKind) -> None:
        super().__init__()
        self.kind = kind


@dataclass(frozen=True, slots=True)
class ImportedSubject:
    """The modules by name, in the order asked for, and what their import took."""

    modules: dict[str, ModuleType]
    seconds: float


def import_subject(
    names: Sequence[str],
    path: Sequence[str] = (),
    seconds: float = 20.0,
    longest: float = 0.0,
    set_up: SetUp = _NOTHING,
) -> ImportedSubject | Failed:
    """Import ``names`` and set up what they need, with ``path`` first on ``sys.path``, within ``seconds`` in all, or as long as it
    computes, ``longest`` at most. Writes no bytecode. Main thread only."""
    sys.dont_write_bytecode = True
    sys.path[:0] = [folder for folder in path if folder not in sys.path]
    importlib.invalidate_caches()
    modules: dict[str, ModuleType] = {}
    begin = perf_counter()
    name, setting_up = "", False
    try:
        with _time_limit(seconds, longest):
            setting_up = True
            set_up.before_import()
            setting_up = False
            for name in names:
                modules[name] = importlib.import_module(name)
            setting_up = True
            set_up.after_import()
    except BaseException as error:  # noqa: BLE001 (an import may raise anything, SystemExit too; all is explained to the user)
        problem = _explain(error, name, perf_counter() - begin, set_up.lacks_settings)
        return _of_set_up(problem, error, set_up) if setting_up else problem
    return ImportedSubject(modules, perf_counter() - begin)


def load_further(addresses: Iterable[tuple[str, str]], seconds: float) -> None:
    """Import modules, or touch lazy attributes of them, as (module, attribute or ""), within ``seconds`` in all. What does not work
    is left out: nobody asked for it."""
    end = monotonic() + seconds
    for module, attribute in addresses:
        left = end - monotonic()
        if left <= 0:
            return
        try:
            with _time_limit(left, 0.0):
                importlib.import_module(module)
                if attribute:
                    live_at(module, attribute)
        except BaseException:  # noqa: BLE001 (a module may raise anything, SystemExit too; then no test can use it)
            continue


def _of_set_up(problem: Failed, error: BaseException, set_up: SetUp) -> Failed:
    told = f"the set-up failed ({set_up.text}): {class_name(type(error))}: {text(error)}{_place(error)}"
    kind = FailureKind.PREPARATION if problem.kind in (FailureKind.IMPORT, FailureKind.SETTINGS) else problem.kind
    return replace(problem, kind=kind, text=told)


@contextmanager
def _time_limit(seconds: float, longest: float) -> Iterator[None]:
    # The real clocks, taken before the subject could put others in their place: this is what ends its import.
    begin, computed = monotonic(), process_time()

    def expire(_signal: int, _frame: FrameType | None) -> None:
        nonlocal computed
        if monotonic() - begin < longest:
            before, computed = computed, process_time()
            if computed - before > COMPUTES * seconds:
                setitimer(ITIMER_REAL, min(seconds, max(0.01, longest - (monotonic() - begin))), 0.25)
                return
            raise ImportTimeout(FailureKind.WAITING_IMPORT)
        raise ImportTimeout(FailureKind.SLOW_IMPORT)

    before = signal.signal(SIGALRM, expire)
    setitimer(ITIMER_REAL, seconds, 0.25)  # again and again, in case the import swallows the first
    try:
        yield
    finally:
        setitimer(ITIMER_REAL, 0)
        signal.signal(SIGALRM, before)


def _explain(error: BaseException, name: str, seconds: float, lacks_settings: frozenset[tuple[str, str]]) -> Failed:
    detail = _said(lambda: "".join(traceback.format_exception(error)))
    kind = type(error)
    if type(error) is ImportTimeout:
        return Failed(error.kind, f"the import of {name} did not finish in {round(seconds, 1):g} s", detail)
    if issubclass(kind, SystemExit):
        told = f"{name} called sys.exit({_said(lambda: _argument(error))}) at import{_place(error)}"
        return Failed(FailureKind.IMPORT, told, detail)
    missing = _said(lambda: text(error.name)) if issubclass(kind, ModuleNotFoundError) else ""  # type: ignore[attr-defined]
    if missing:
        return _missing(missing, name, detail)
    message = _said(lambda: str(error))
    told = f"the import of {name} failed: {class_name(kind)}{': ' if message else ''}{message}{_place(error)}"
    unset = (class_module(kind), class_name(kind)) in lacks_settings
    return Failed(FailureKind.SETTINGS if unset else FailureKind.IMPORT, told, detail)


def _said(ask: Callable[[], str]) -> str:
    """What an exception says of itself, which is code of the subject where its class is."""
    try:
        return ask()
    except BaseException:  # noqa: BLE001 - an exception may raise anything where it is asked; then it says nothing
        return ""


def _missing(missing: str, name: str, detail: str) -> Failed:
    top = missing.partition(".")[0]
    if missing == name and "." in name and top in MODULES:
        return Failed(FailureKind.IMPORT, f"{top} is installed here, but has no module {name}: is it another version?", detail)
    what = (
        f"there is no module {top}" if top == name.partition(".")[0] else f"{name} needs the module {missing}, which is not there"
    )
    advice = (
        f"Install the distribution that provides {top} there (it may have another name), or name the folder of its code "
        "with --path."
    )
    return Failed(FailureKind.IMPORT, f"{what}, in the environment of {sys.executable}", detail, advice)


def _argument(error: BaseException) -> str:
    code = vars(SystemExit)["code"].__get__(error)
    return "" if code is None else repr(code)


def _place(error: BaseException) -> str:
    """Where it was raised, unless that is only in the import system."""
    summary = traceback.extract_tb(vars(BaseException)["__traceback__"].__get__(error))
    outside = [frame for frame in summary if not frame.filename.startswith("<frozen") and frame.filename != __file__]
    return f" ({outside[-1].filename}:{outside[-1].lineno})" if outside else ""
