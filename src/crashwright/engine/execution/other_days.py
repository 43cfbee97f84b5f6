"""Other days for tests: the clocks of ``time`` and ``datetime`` moved ahead, so that one sees what of a run is so only today.

Put in place before the subject is imported, which may bind these functions to names of its own. Outside ``moved`` they tell the
time as it is. ``datetime.now`` reads the clock in C, and everybody holds the class: it is replaced within that.
"""

from __future__ import annotations

import contextlib
import datetime
import gc
import time
from collections.abc import Callable, Iterator
from types import MethodType
from typing import Any

_CLOCKS = ("time", "time_ns")
_SPELLED = {"localtime": 0, "gmtime": 0, "ctime": 0, "asctime": 0, "strftime": 1}
"""Functions that read the clock if they get no time, and the number of arguments before that."""


class OtherDays:
    """``asked`` turns true once anybody reads one of the clocks."""

    def __init__(self) -> None:
        self.ahead = 0.0
        self.asked = False
        self._put_back: list[Callable[[], None]] = []

    def install(self) -> bool:
        """False where this interpreter does not let us: then nothing has changed."""
        if not self._replace_now():
            return False
        for name in _CLOCKS:
            self._replace(name, MethodType(_read, (self, getattr(time, name))))
        local, spell = time.localtime, time.asctime
        for name, before in _SPELLED.items():
            original = getattr(time, name)
            if name == "asctime":
                self._replace(name, MethodType(_spelled, (self, lambda: (local(time.time()),), spell, before)))
            else:
                given = self._given_local if name == "strftime" else self._given
                self._replace(name, MethodType(_spelled, (self, given, original, before)))
        return True

    def remove(self) -> None:
        """Put the real functions back."""
        while self._put_back:
            self._put_back.pop()()

    @contextlib.contextmanager
    def moved(self, seconds: float) -> Iterator[None]:
        """So much later."""
        self.ahead = seconds
        try:
            yield
        finally:
            self.ahead = 0.0

    def _given(self) -> tuple[object, ...]:
        return (time.time(),)

    def _given_local(self) -> tuple[object, ...]:
        return (time.localtime(time.time()),)

    def _replace(self, name: str, function: object) -> None:
        before = getattr(time, name)
        self._put_back.append(lambda: setattr(time, name, before))
        setattr(time, name, function)

    def _replace_now(self) -> bool:
        """In the table of names behind the view of the class, and then in its cache."""
        try:
            import ctypes

            [names] = gc.get_referents(vars(datetime.datetime))
            before = {name: names[name] for name in ("now", "utcnow")}
            forget = ctypes.pythonapi.PyType_Modified
            names.update({name: _MovedNow(self, one) for name, one in before.items()})
            forget(ctypes.py_object(datetime.datetime))
        except (ImportError, AttributeError, KeyError, TypeError, ValueError):
            return False

        def put_back() -> None:
            names.update(before)
            forget(ctypes.py_object(datetime.datetime))

        self._put_back.append(put_back)
        return True


class _MovedNow:
    """``datetime.now`` or ``utcnow``."""

    def __init__(self, days: OtherDays, real: Any) -> None:
        self._days = days
        self._real = real

    def __get__(self, _instance: object, cls: type) -> Callable[..., Any]:
        days, real = self._days, self._real.__get__(None, cls)

        def now(*arguments: Any, **keywords: Any) -> Any:
            days.asked = True
            found = real(*arguments, **keywords)
            return found + datetime.timedelta(seconds=days.ahead) if days.ahead else found

        return now


def _read(of: tuple[OtherDays, Callable[[], Any]], /) -> Any:
    """The time. In whole nanoseconds where the clock counts these."""
    days, clock = of
    days.asked = True
    now = clock()
    return now + int(days.ahead * 1e9) if type(now) is int else now + days.ahead


def _spelled(of: tuple[OtherDays, Callable[[], tuple[object, ...]], Callable[..., Any], int], /, *arguments: Any) -> Any:
    """What a function makes of the time; of another one if it got none and the clocks are moved."""
    days, given, function, before = of
    if len(arguments) > before and arguments[before] is not None:
        return function(*arguments)
    days.asked = True
    return function(*arguments[:before], *given()) if days.ahead else function(*arguments)
