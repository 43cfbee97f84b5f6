"""The state of the process around the subject: environment, folder, streams, random numbers, warnings, logging, signals, and the
modules of others.

Split in what costs next to nothing to check (after every test) and what is checked thoroughly from time to time.
"""

from __future__ import annotations

import _random
import _signal  # type: ignore[import-not-found]  # signal.getsignal wraps it at ten times the price
import _thread
import builtins
import contextlib
import contextvars
import decimal
import gc
import locale
import logging
import os
import random
import signal
import sys
import types
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import is_
from sys import getprofile, gettrace  # subjects replace them
from time import sleep
from typing import Any, cast

from crashwright.engine.execution.isolation.memory_databases import in_memory
from crashwright.engine.execution.isolation.snapshot import HeldState
from crashwright.engine.execution.limits import NUDGE
from crashwright.engine.execution.streams import Streams
from crashwright.engine.subject.introspection import (
    attribute_of,
    identities,
    instance_dict,
    instance_of,
    is_class,
    is_module,
    module_dict,
    text,
)

_CODE = identities(types.FunctionType, types.BuiltinFunctionType, types.MethodType)
_OURS = __name__.partition(".")[0]
LEFT_RUNNING = "a test left a thread running"
CROWDED = "too many threads were left running"
"""A reason for a new fork, however often: each one begins without them."""
MOST_THREADS = 100
_FEW = 8
"""Attributes of what a context holds that are put back: it is a record then, and no application."""
_THREAD_PATIENCE = 0.03
"""Seconds that a thread may outlive its test."""
_OF_THE_CLOCK = (signal.SIGALRM, NUDGE)


class AmbientState:
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
        self._arguments = sys.argv, list(sys.argv)
        self._objects = (sys.path, sys.modules, os.environ)
        """The very objects: a test may have put others in their place."""
        self._recursion = sys.getrecursionlimit()
        self._threads = self._threads_at_first = _thread._count()
        self.threads_may_stay = False
        """Threads that tests leave behind are not waited for: the subject always leaves some."""
        self._decimal = decimal.getcontext().copy()
        self._filters = (warnings.filters, list(warnings.filters))
        self._umask = _umask()
        self._traced = gettrace(), getprofile()
        self._locale = locale.setlocale(locale.LC_ALL)
        self._signals = {int(number): _signal.getsignal(number) for number in signal.valid_signals() if number not in _OF_THE_CLOCK}
        self._loggers = _loggers()
        self.transactions = _transactions()
        """Undo what was written to the databases that are open now: what was not committed, and in those in memory all."""
        self.contexts = _contexts()
        """Put back what the objects of context variables hold: the session of a request that all tests are in, for instance."""
        self._subject = frozenset(subject)
        self._modules = dict(sys.modules)
        self._foreign = {
            name: _held(module) for name, module in self._modules.items() if is_module(module) and self._is_foreign(name)
        }
        self._loaded = len(self._modules)
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
        """The cheap check of what asks for :meth:`restore`: number of threads and modules, recursion limit."""
        _, modules, _ = self._objects
        return (
            sys.modules is not modules
            or len(modules) != self._loaded
            or sys.getrecursionlimit() != self._recursion
            or _thread._count() > self._threads
        )

    def unsettled(self) -> bool:
        """The cheap check of what :meth:`restore_settings` puts back: streams, ``sys.path``, ``sys.argv`` and who traces."""
        path, _, _ = self._objects
        return (
            sys.path is not path
            or len(path) != len(self._path)
            or sys.argv is not self._arguments[0]
            or gettrace() is not self._traced[0]
            or getprofile() is not self._traced[1]
            or not self._streams.intact()
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
        sys.path, sys.modules, os.environ = self._objects
        sys.argv, arguments = self._arguments
        if sys.argv != arguments:
            sys.argv[:] = arguments
        if _environment() != self._environment:
            self._restore_environment()
        os.umask(self._umask)  # before any folder is made again
        self._return_to_folder()
        if not _same(sys.path, self._path):
            sys.path[:] = self._path
        if sys.getrecursionlimit() != self._recursion:
            sys.setrecursionlimit(self._recursion)
        sys.settrace(self._traced[0])
        sys.setprofile(self._traced[1])

    def _return_to_folder(self) -> None:
        try:
            os.chdir(self._folder)
        except OSError:  # a test removed it, and may have put something else in its place
            make_again(self._folder)
            os.chdir(self._folder)

    def _restore_environment(self) -> None:
        for name in [name for name in os.environ if name not in self._variables]:
            del os.environ[name]
        for name, value in self._variables.items():
            if os.environ.get(name) != value:
                os.environ[name] = value

    def _restore_signals(self) -> None:
        for number, handler in self._signals.items():
            if _signal.getsignal(number) is not handler and handler is not None:
                signal.signal(number, handler)

    def _restore_libraries(self) -> None:
        random.setstate(self._random_state)
        decimal.setcontext(self._decimal.copy())
        filters, saved = self._filters
        if warnings.filters is not filters or not _same(filters, saved):
            warnings.filters = filters
            filters[:] = saved  # type: ignore[index]
            warnings._filters_mutated()  # type: ignore[attr-defined]
        if locale.setlocale(locale.LC_ALL) != self._locale:
            locale.setlocale(locale.LC_ALL, self._locale)
        for name, state in _loggers().items():
            before = self._loggers.get(name, _NEW_LOGGER)
            if state[1:] != before[1:] or not _same(state[0], before[0]):
                logger = logging.getLogger(name)
                logger.handlers[:], level, logger.disabled, logger.propagate = before
                logger.setLevel(level)

    def _restore_modules(self) -> None:
        """Undo patches of other modules; keep what a test imported honestly, as an import in a function does."""
        for name, module in list(sys.modules.items()):
            before = self._modules.get(name)
            if before is module:
                continue
            if before is None and _is_genuine(name, module):
                self._modules[name] = module
                if is_module(module) and self._is_foreign(name):
                    self._foreign[name] = _held(module)
            elif before is None:
                del sys.modules[name]
        for name, module in self._modules.items():
            if sys.modules.get(name) is not module:
                sys.modules[name] = module
        for held in self._foreign.values():
            if held.holds_other_items():
                _restore_foreign(held)
        self._loaded = len(sys.modules)

    def _is_foreign(self, name: str) -> bool:
        """Neither the subject's, which has its own snapshot, nor ours, which goes on working."""
        return (
            type(name) is str
            and name not in self._subject
            and name not in ("__main__", "builtins")
            and name.partition(".")[0] != _OURS
        )

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


def make_again(folder: str) -> None:
    """``folder`` is there, whatever tests have done to it. What stands in its place and cannot be removed is moved aside."""
    try:
        if os.path.islink(folder) or not os.path.isdir(folder):
            os.unlink(folder)
        elif not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            os.rename(folder, f"{folder}-{len(os.listdir(os.path.dirname(folder)))}")
    except FileNotFoundError:
        pass  # it is gone
    os.makedirs(folder, exist_ok=True)


def _transactions() -> tuple[Callable[[], object], ...]:
    sqlite = sys.modules.get("sqlite3")
    if sqlite is None:
        return ()
    open_now = [one for one in gc.get_objects() if instance_of(one, sqlite.Connection)]
    undone = [partial(_roll_back, one, sqlite.Connection.rollback, sqlite.ProgrammingError) for one in open_now]
    return (*undone, *(one.put_back for connection in open_now if (one := in_memory(connection)) is not None))


def _contexts() -> tuple[Callable[[], object], ...]:
    found: list[Callable[[], object]] = []
    for value in contextvars.copy_context().values():
        for part in list(instance_dict(value).values()):
            if instance_of(part, dict):
                held = cast("dict[Any, Any]", part)
                found.append(partial(_put_back, held, dict(dict.items(held))))
            attributes: Any = instance_dict(part)
            if type(attributes) is dict and len(attributes) <= _FEW:
                found.append(partial(_put_back, attributes, dict(attributes)))
    return tuple(found)


def _put_back(held: dict[Any, Any], saved: Mapping[Any, Any]) -> None:
    """By the methods of ``dict``: those of its class may be the subject's, and tell others of the change."""
    if len(held) != len(saved) or any(dict.get(held, name, held) is not value for name, value in saved.items()):
        dict.clear(held)
        dict.update(held, saved)


def _roll_back(connection: object, undo: Callable[[object], None], closed: type[Exception]) -> None:
    with contextlib.suppress(closed):  # what a test has closed has nothing to undo
        undo(connection)


def _held(module: types.ModuleType) -> HeldState:
    live = module_dict(module)
    return HeldState("module", live, live.values(), live.keys())


def _restore_foreign(held: HeldState) -> None:
    """Functions, classes and unknown names are put back; plain values are the module's own business, such as
    ``tempfile.tempdir``."""
    live: dict[str, Any] = held.target
    saved = dict(zip(held.keys, held.items, strict=True))
    for name, value in list(live.items()):
        if name not in saved:
            if not (is_module(value) or text(name).startswith("__")):
                del live[name]
        elif value is not saved[name] and (_is_code(value) or _is_code(saved[name])):
            live[name] = saved[name]
    for name, value in saved.items():
        live.setdefault(name, value)
    held.items, held.keys = tuple(held.view), tuple(held.key_view)


def _is_code(value: object) -> bool:
    return id(type(value)) in _CODE or is_class(value)


def _is_genuine(name: str, module: object) -> bool:
    """Whether the import system put it there: it has a specification of that name."""
    spec = attribute_of(module, "__spec__")
    return text(attribute_of(spec, "name")) == name


def _environment() -> dict[bytes, bytes]:
    # Encoded, as it is stored: decoding all of it costs 30 us.
    return vars(os.environ)["_data"]  # type: ignore[no-any-return]


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


_LoggerState = tuple[list[logging.Handler], int, bool, bool]
_NEW_LOGGER: _LoggerState = ([], logging.NOTSET, False, True)


def _loggers() -> dict[str, _LoggerState]:
    named: dict[str, object] = {"root": logging.root, **logging.root.manager.loggerDict}
    return {name: _logger_state(instance_dict(logger)) for name, logger in named.items() if instance_of(logger, logging.Logger)}


def _logger_state(kept: Mapping[str, Any]) -> _LoggerState:
    level, disabled, propagate = kept.get("level"), kept.get("disabled"), kept.get("propagate")
    return [*kept.get("handlers", ())], level if type(level) is int else logging.NOTSET, disabled is True, propagate is not False


def _same(now: Sequence[object], saved: Sequence[object]) -> bool:
    """Whether these are the very same objects: handlers, warning filters and entries of the path may be the subject's."""
    return len(now) == len(saved) and all(map(is_, now, saved))


def uses(modules: Iterable[types.ModuleType], wanted: types.ModuleType) -> bool:
    """Whether one of ``modules`` refers to ``wanted`` or to a function or class of it."""
    generator = _receiver(module_dict(wanted).get("random"))
    values = (value for module in modules for value in list(module_dict(module).values()))
    return any(value is wanted or (generator is not None and _receiver(value) is generator) for value in values)


def _receiver(function: object) -> object:
    """What a function is bound to."""
    if type(function) is types.BuiltinFunctionType or type(function) is types.MethodType:
        return function.__self__
    return None
