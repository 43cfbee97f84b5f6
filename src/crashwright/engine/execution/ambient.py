"""The state of the process around the subject: environment, folder, streams, random numbers, warnings, logging, signals, and the
modules of others.

Split in what costs next to nothing to check (after every test) and what is checked thoroughly from time to time.
"""

from __future__ import annotations

import _random
import _signal  # type: ignore[import-not-found]  # signal.getsignal wraps it at ten times the price
import _thread
import builtins
import decimal
import locale
import logging
import os
import random
import signal
import sys
import types
import warnings
from collections.abc import Callable, Iterable
from time import sleep
from typing import Any

from crashwright.engine.execution.snapshot import Held
from crashwright.engine.execution.streams import Streams

_CODE = (type, types.FunctionType, types.BuiltinFunctionType, types.MethodType)
_OURS = __name__.partition(".")[0]
LEFT_RUNNING = "a test left a thread running"
CROWDED = "too many threads were left running"
"""A reason for a new fork, however often: each one begins without them."""
MOST_THREADS = 200
_THREAD_PATIENCE = 0.03
"""Seconds that a thread may outlive its test."""


class Ambient:
    """Taken when made; ``subject`` are the names of modules that a Snapshot looks after. ``seed`` is what every test starts with
    where the subject uses ``random`` (``uses_random``)."""

    def __init__(self, subject: Iterable[str], streams: Streams, seed: int, uses_random: bool) -> None:
        self._streams = streams
        self._seed = seed
        self.uses_random = uses_random
        self._generator: random.Random = random.random.__self__  # type: ignore[attr-defined]
        self._random_state = random.getstate()
        self._variables = dict(os.environ)
        self._environment = _environment().copy()
        self._folder = os.getcwd()
        self._path = list(sys.path)
        self._path_object = sys.path
        self._recursion = sys.getrecursionlimit()
        self._threads = self._threads_at_first = _thread._count()
        self.threads_may_stay = False
        """Threads that tests leave behind are not waited for: the subject always leaves some."""
        self._decimal = decimal.getcontext().copy()
        self._filters = (warnings.filters, list(warnings.filters))
        self._umask = _umask()
        self._locale = locale.setlocale(locale.LC_ALL)
        self._signals = {int(number): _signal.getsignal(number) for number in signal.valid_signals() if number != signal.SIGALRM}
        self._loggers = _loggers()
        self._subject = frozenset(subject)
        self._modules = dict(sys.modules)
        self._foreign = {
            name: _held(module)
            for name, module in self._modules.items()
            if isinstance(module, types.ModuleType) and self._is_foreign(name)
        }
        self._fixed = (len(self._path), len(self._modules))
        self._builtins = (vars(builtins), list(vars(builtins).values()), dict(vars(builtins)))
        self.builtin_values = (vars(builtins).values(), self._builtins[1])
        """The values of now (a view) and those that they should be."""

    def restore_builtins(self) -> None:
        """Undo patches of ``builtins``; about 1 us. Before anything else, and with no builtin function: all our code needs them."""
        live, values, names = self._builtins
        if [*live.values()] != values:
            for name in [*live]:
                if name not in names:
                    del live[name]
            for name in names:
                live[name] = names[name]
            values[:] = live.values()

    def disturbed(self) -> bool:
        """The cheap check: streams, ``sys.path``, recursion limit, number of threads and modules."""
        return (
            not self._streams.intact()
            or (len(sys.path), len(sys.modules)) != self._fixed
            or sys.getrecursionlimit() != self._recursion
            or _thread._count() > self._threads
        )

    def reseed(self) -> None:
        """Every test begins with the same random numbers, where the subject uses any."""
        if self.uses_random:
            _random.Random.seed(self._generator, self._seed)
            self._generator.gauss_next = None  # type: ignore[attr-defined]

    def restore(self) -> str | None:
        """Check everything and put it back. The reason, where that cannot be done."""
        self.restore_settings()
        self._restore_modules()
        return self._wait_for_threads()

    def restore_settings(self) -> None:
        """Put back all but the modules; about 30 us where nothing changed."""
        self._restore_system()
        self._restore_signals()
        self._restore_libraries()

    def _restore_system(self) -> None:
        self._streams.install()
        if _environment() != self._environment:
            os.environ.clear()
            os.environ.update(self._variables)
        try:
            os.chdir(self._folder)
        except FileNotFoundError:  # a test removed it
            os.makedirs(self._folder)
            os.chdir(self._folder)
        sys.path = self._path_object
        if sys.path != self._path:
            sys.path[:] = self._path
        if sys.getrecursionlimit() != self._recursion:
            sys.setrecursionlimit(self._recursion)
        os.umask(self._umask)
        sys.settrace(None)
        sys.setprofile(None)

    def _restore_signals(self) -> None:
        for number, handler in self._signals.items():
            if _signal.getsignal(number) is not handler and handler is not None:
                signal.signal(number, handler)

    def _restore_libraries(self) -> None:
        random.setstate(self._random_state)
        decimal.setcontext(self._decimal.copy())
        filters, saved = self._filters
        if warnings.filters is not filters or warnings.filters != saved:
            warnings.filters = filters
            filters[:] = saved  # type: ignore[index]
            warnings._filters_mutated()  # type: ignore[attr-defined]
        if locale.setlocale(locale.LC_ALL) != self._locale:
            locale.setlocale(locale.LC_ALL, self._locale)
        for name, state in _loggers().items():
            before = self._loggers.get(name, (logging.NOTSET, [], False, True))
            if state != before:
                logger = logging.getLogger(name)
                logger.setLevel(before[0])
                logger.handlers[:] = before[1]
                logger.disabled, logger.propagate = before[2:]

    def _restore_modules(self) -> None:
        """Undo patches of other modules; keep what a test imported honestly, as an import in a function does."""
        for name, module in list(sys.modules.items()):
            before = self._modules.get(name)
            if before is module:
                continue
            if before is None and _is_genuine(name, module):
                self._modules[name] = module
                if self._is_foreign(name):
                    self._foreign[name] = _held(module)
            elif before is None:
                del sys.modules[name]
        for name, module in self._modules.items():
            if sys.modules.get(name) is not module:
                sys.modules[name] = module
        for held in self._foreign.values():
            if held.holds_other_items():
                _restore_foreign(held)
        self._fixed = (len(self._path), len(sys.modules))

    def _is_foreign(self, name: str) -> bool:
        """Neither the subject's, which has its own snapshot, nor ours, which goes on working."""
        return name not in self._subject and name not in ("__main__", "builtins") and name.partition(".")[0] != _OURS

    def _wait_for_threads(self) -> str | None:
        if self.threads_may_stay:
            self._threads = _thread._count()
            return CROWDED if self._threads > self._threads_at_first + MOST_THREADS else None
        waited = 0.0
        while _thread._count() > self._threads:
            if waited >= _THREAD_PATIENCE:
                return LEFT_RUNNING
            sleep(0.002)
            waited += 0.002
        return None


def _held(module: types.ModuleType) -> Held:
    live = vars(module)
    return Held("module", live, live.values(), live.keys())


def _restore_foreign(held: Held) -> None:
    """Functions, classes and unknown names are put back; plain values are the module's own business, such as
    ``tempfile.tempdir``."""
    live: dict[str, Any] = held.target
    saved = dict(zip(held.keys, held.items, strict=True))
    for name, value in list(live.items()):
        if name not in saved:
            if not (isinstance(value, types.ModuleType) or name.startswith("__")):
                del live[name]
        elif value is not saved[name] and (isinstance(value, _CODE) or isinstance(saved[name], _CODE)):
            live[name] = saved[name]
    for name, value in saved.items():
        live.setdefault(name, value)
    held.items, held.keys = tuple(held.view), tuple(held.key_view)


def _is_genuine(name: str, module: object) -> bool:
    spec = getattr(module, "__spec__", None)
    return getattr(spec, "name", None) == name


def _environment() -> dict[bytes, bytes]:
    # Encoded, as it is stored: decoding all of it costs 30 us.
    return vars(os.environ)["_data"]  # type: ignore[no-any-return]


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


_LoggerState = tuple[int, list[logging.Handler], bool, bool]


def _loggers() -> dict[str, _LoggerState]:
    named: dict[str, object] = {"root": logging.root, **logging.root.manager.loggerDict}
    return {
        name: (logger.level, list(logger.handlers), logger.disabled, logger.propagate)
        for name, logger in named.items()
        if isinstance(logger, logging.Logger)
    }


def uses(modules: Iterable[types.ModuleType], wanted: types.ModuleType) -> bool:
    """Whether one of ``modules`` refers to ``wanted`` or to a function or class of it."""
    own: Callable[[object], bool] = lambda value: value is wanted or getattr(value, "__self__", None) is _generator_of(wanted)  # noqa: E731
    return any(own(value) for module in modules for value in list(vars(module).values()))


def _generator_of(module: types.ModuleType) -> object:
    return getattr(vars(module).get("random"), "__self__", _NOBODY)


_NOBODY = object()
