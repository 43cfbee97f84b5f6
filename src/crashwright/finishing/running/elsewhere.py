"""A pytest plugin for the verification of suites: the file runs as on another machine on another day.

Copied next to the tests and run in the subject's interpreter, before the subject is imported: standard library only. What changes:
the local date (by the time zone), the clocks of ``time`` and ``datetime`` as the subject reads them, which go on by a third of a
second with each look, the variables of the environment (those of the user are gone while tests run, and those that the subject
misses are there), and the current folder. ``CRASHWRIGHT_ELSEWHERE`` names the package of the subject; without it nothing changes.
"""

from __future__ import annotations

import contextlib
import datetime
import gc
import os
import sys
import time
from collections.abc import Callable
from types import FrameType, MethodType
from typing import Any

_PACKAGE = os.environ.get("CRASHWRIGHT_ELSEWHERE", "")
STEP = 0.3
"""Seconds by which a clock goes on with each look at it."""
AHEAD = datetime.timedelta(days=3 * 365 + 129, hours=7, minutes=13, seconds=19)
"""By how much the clock that tells the date is ahead: year, month, day, hour and minute are all others."""
_NEEDED = ("PATH", "HOME", "TMPDIR", "TZ", "LANG", "PYTEST_CURRENT_TEST", "VIRTUAL_ENV", "SYSTEMROOT", "DJANGO_SETTINGS_MODULE")
_NEEDED_BEGINNINGS = ("PYTHON", "PYTEST", "LC_", "LD_", "DYLD_", "CRASHWRIGHT")
_ASKING_FOR_OTHERS = frozenset({"os", "collections.abc"})
_SETTING = frozenset({"_pytest.monkeypatch", "__main__"})
"""Who sets variables for a test: pytest, or our stand-in for it, which is run as a program."""
_FOLDER = "another-folder"
_ELSEWHERE = "elsewhere"


def _module_of(frame: FrameType | None) -> str:
    name = frame.f_globals.get("__name__") if frame is not None else None
    return name if type(name) is str else ""


def _is_subject(module: str) -> bool:
    return module.partition(".")[0] == _PACKAGE


class _Clock:
    """One function of ``time``: the subject sees it go on fast, everybody else as it is."""

    def __init__(self, real: Callable[[], Any], ahead: float) -> None:
        self._real = real
        self._ahead = ahead
        self._looks = 0

    def read(self) -> Any:
        """The time. In whole nanoseconds where the clock counts these."""
        now = self._real()
        if not _is_subject(_module_of(sys._getframe(1))):
            return now
        self._looks += 1
        more = self._ahead + STEP * self._looks
        return now + int(more * 1e9) if type(now) is int else now + more


class _Now:
    """``datetime.now`` or ``utcnow``, which read the clock in C: for the subject they are as far ahead as ``time.time``."""

    def __init__(self, real: Any) -> None:
        self._real = real
        self._looks = 0

    def __get__(self, _instance: object, cls: type) -> Callable[..., Any]:
        def now(*arguments: Any, **keywords: Any) -> Any:
            found = self._real.__get__(None, cls)(*arguments, **keywords)
            if not _is_subject(_module_of(sys._getframe(1))):
                return found
            self._looks += 1
            return found + AHEAD + datetime.timedelta(seconds=STEP * self._looks)

        return now


def _move_now() -> None:
    """In the class itself, since everybody holds it: its table of names, behind the view of it, and then its cache."""
    with contextlib.suppress(ImportError):  # an interpreter may be built without it: then these clocks stay as they are
        import ctypes

        [names] = gc.get_referents(vars(datetime.datetime))
        names.update({name: _Now(names[name]) for name in ("now", "utcnow")})
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(datetime.datetime))


class _Variables(dict[Any, Any]):
    """What ``os.environ`` keeps. While a test runs, the subject finds each variable set, but for those that the test deletes."""

    def __init__(self, kept: dict[Any, Any], encoded: Callable[[str], Any]) -> None:
        super().__init__(kept)
        self._value = encoded(_ELSEWHERE)
        self._deleted: set[Any] = set()
        self.active = False

    def __getitem__(self, name: Any) -> Any:
        if self.active and name not in self and name not in self._deleted and _is_asked():
            return self._value
        return dict.__getitem__(self, name)

    def __setitem__(self, name: Any, value: Any) -> None:
        self._deleted.discard(name)
        dict.__setitem__(self, name, value)

    def __delitem__(self, name: Any) -> None:
        if name in self or not self.active:
            dict.__delitem__(self, name)
        self._deleted.add(name)

    def begin(self, kept: dict[Any, Any]) -> None:
        """Another test."""
        self._deleted.clear()
        self.clear()
        self.update(kept)
        self.active = True


def _is_asked() -> bool:
    """Whether the subject asks for a variable, or pytest on behalf of a test that sets or deletes it."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and _module_of(frame) in _ASKING_FOR_OTHERS:
        frame = frame.f_back
    module = _module_of(frame)
    return module in _SETTING or _is_subject(module)


def _is_needed(name: str) -> bool:
    return name in _NEEDED or name.startswith(_NEEDED_BEGINNINGS)


_variables: list[_Variables] = []
"""That of the environment, where the interpreter keeps it as we know it."""
_kept: dict[Any, Any] = {}
"""What of the environment is there in each test."""


def _go() -> None:
    """Before the subject is imported."""
    # At least one of the two ends of the world has another date now.
    os.environ["TZ"] = "XXX-23:30" if time.gmtime().tm_hour >= 1 else "XXX+23:30"
    time.tzset()
    for name, ahead in (("time", AHEAD.total_seconds()), ("monotonic", 0.0), ("perf_counter", 0.0)):
        for one in (name, f"{name}_ns"):
            setattr(time, one, MethodType(_Clock.read, _Clock(getattr(time, one), ahead)))
    _move_now()
    os.makedirs(_FOLDER, exist_ok=True)
    os.chdir(_FOLDER)
    environment: Any = os.environ
    kept = getattr(environment, "_data", None)
    if type(kept) is dict:
        environment._data = _Variables(kept, environment.encodevalue)
        _variables.append(environment._data)


def pytest_runtest_logstart(nodeid: str) -> None:  # noqa: ARG001 (the hook names it)
    """Hook: a test begins."""
    for one in _variables:
        if not _kept:
            environment: Any = os.environ
            _kept.update({name: value for name, value in one.items() if _is_needed(environment.decodekey(name))})
        one.begin(_kept)


def pytest_runtest_logfinish(nodeid: str) -> None:  # noqa: ARG001 (the hook names it)
    """Hook: the test is over, its fixtures too."""
    for one in _variables:
        one.active = False


if _PACKAGE:
    _go()
