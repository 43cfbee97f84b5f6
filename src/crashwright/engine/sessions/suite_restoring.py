"""Tests that leave something behind, or go by what no two processes have alike, get a line that undoes or sets it: what a test
changes for those after it, or leaves in the user's folder, is no reason to go without the test."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import Any

from crashwright.engine.assertions.values import Present, Unprintable, literal_of
from crashwright.engine.execution.around import Before, put
from crashwright.engine.execution.captured import CapturedLog, CapturedOutput
from crashwright.engine.execution.executor import Executor, release
from crashwright.engine.execution.isolation.changes import StateChange
from crashwright.engine.execution.isolation.isolation import Isolation
from crashwright.engine.subject.introspection import (
    MODULES,
    class_dict,
    class_module,
    class_qualname,
    identities,
    instance_dict,
    is_class,
    live_at,
    loaded_dict,
    loaded_names,
)
from crashwright.engine.testcase.statements import USUAL_UMASK, Ambient, Display, Statement, Value
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import is_async

LONGEST_CONTENT = 120
"""Characters of a literal that stands for what a module holds; of more a copy is written."""
MOST_LINES = 8
"""Of one test: one that changes more has no state of its own to be put back."""
_COPIED = identities(dict, list, set)
_HOLDERS = frozenset({"module", "class"})
_ASKING_FOR_OTHERS = frozenset({"os", "collections.abc"})
_CONTENT = "a"
"""Of a variable that a test needs and does not set."""
_Place = tuple[str, str]
"""Place and name of an ``Ambient``."""


class _NotedArguments(list[str]):
    """``sys.argv`` that tells whether anybody has read it."""

    was_read = False

    def __getitem__(self, place: Any) -> Any:
        self.was_read = True
        return list.__getitem__(self, place)

    def __iter__(self) -> Iterator[str]:
        self.was_read = True
        return list.__iter__(self)

    def __len__(self) -> int:
        self.was_read = True
        return list.__len__(self)


class _NotedInput(io.RawIOBase):
    """An empty standard input that tells whether anybody has read it."""

    was_read = False

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, _buffer: object, /) -> int:
        """Nothing, as at its end."""
        self.was_read = True
        return 0


class _NotedVariables(dict[Any, Any]):
    """What ``os.environ`` keeps, noting what code of a package asks for itself, before the test has set it."""

    def __init__(self, kept: dict[Any, Any], package: str) -> None:
        super().__init__(kept)
        self._package = package
        self._set: set[Any] = set()
        self.asked: dict[Any, bool] = {}
        """In order, with whether it was there."""
        self._walked: set[Any] = set()
        """Whoever goes through all of them reads each once, and asks for none (``dict(os.environ)``)."""

    def __iter__(self) -> Iterator[Any]:
        self._walked = set(self.keys())
        return dict.__iter__(self)

    def __getitem__(self, name: Any) -> Any:
        if name in self._walked:
            self._walked.discard(name)
        elif name not in self._set and name not in self.asked and self._is_asked():
            self.asked[name] = name in self
        return dict.__getitem__(self, name)

    def __setitem__(self, name: Any, value: Any) -> None:
        self._set.add(name)
        dict.__setitem__(self, name, value)

    def _is_asked(self) -> bool:
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_globals.get("__name__") in _ASKING_FOR_OTHERS:
            frame = frame.f_back
        module = frame.f_globals.get("__name__") if frame is not None else None
        return type(module) is str and module.partition(".")[0] == self._package


@contextlib.contextmanager
def _noted_variables(package: str) -> Iterator[dict[str, bool]]:
    """The variables of the environment that code of ``package`` asks for and that the test does not set; is each one there?"""
    environment: Any = os.environ
    kept = instance_dict(environment).get("_data")
    found: dict[str, bool] = {}
    if type(kept) is not dict:
        yield found  # another interpreter keeps them in another way
        return
    noted = environment._data = _NotedVariables(kept, package)
    try:
        yield found
    finally:
        environment._data = kept
        kept.clear()
        kept.update(noted)
        found.update({environment.decodekey(name): there for name, there in noted.asked.items()})


@contextlib.contextmanager
def _heard(log: CapturedLog) -> Iterator[None]:
    """What is logged goes to ``log`` too."""
    undo = Before([Ambient(0, "log", "", None)])
    put("log", "", log)
    try:
        yield
    finally:
        undo.put_back()


@contextlib.contextmanager
def _noted_loops() -> Iterator[list[object]]:
    """The event loops that code has asked for while none was running, which under pytest may be there or not."""
    found: list[object] = []
    if "asyncio" not in MODULES:  # takes 50 ms, and most subjects never need it
        yield found
        return
    import asyncio

    class Noted(asyncio.DefaultEventLoopPolicy):
        def get_event_loop(self) -> asyncio.AbstractEventLoop:
            found.append(self)
            if len(found) == 1:
                self.set_event_loop(self.new_event_loop())
            return super().get_event_loop()

    before = asyncio.get_event_loop_policy()
    asyncio.set_event_loop_policy(Noted())
    try:
        yield found
    finally:
        asyncio.set_event_loop_policy(before)


class Restoring:
    """``package`` and ``module`` are the subject's; ``new`` gives variables that no test has yet."""

    def __init__(self, executor: Executor, isolation: Isolation, package: str, module: str, new: Callable[[], int]) -> None:
        self._executor = executor
        self._isolation = isolation
        self._package = package
        self._modules = tuple(dict.fromkeys((module, *loaded_names(package))))
        self._new = new
        self._folders = {"folder": os.getcwd(), "home": os.environ.get("HOME", "")}
        self._umask = os.umask(USUAL_UMASK)
        os.umask(self._umask)
        self._addresses: dict[int, str] | None = None

    def mended(self, test: TestCase, is_as_good: Callable[[TestCase], bool]) -> TestCase:
        """``test`` with what undoes its traces, as far as it ``is_as_good`` so."""
        added: list[Statement] = []
        for place, name, content in self._left_by(test)[:MOST_LINES]:
            if self._executor.spoiled:
                break
            contents: tuple[Value, ...] = (content, _CONTENT) if place == "environ" else (content,)
            for one in contents:
                line = Ambient(self._new(), place, name, one)
                if is_as_good(TestCase((*added, line, *test.statements))):
                    added.append(line)
                    break
        return TestCase((*added, *test.statements)) if added else test

    def _left_by(self, test: TestCase) -> list[tuple[str, str, Value]]:
        """The places, names and contents of statements that the test lacks."""
        if self._executor.spoiled:
            return []
        known = {(one.place, one.name) for one in test.statements if isinstance(one, Ambient)}
        sys.argv = arguments = _NotedArguments(sys.argv)
        standard_input = _NotedInput()
        sys.stdin = io.TextIOWrapper(io.BufferedReader(standard_input), encoding="utf-8")
        before = sys.gettrace()
        output, log = CapturedOutput(), CapturedLog()
        sys.stdout = output.stream
        with _noted_loops() as loops, _noted_variables(self._package) as variables, _heard(log):
            release(self._executor.run_and_keep(test))
        found: list[tuple[str, str, Value]] = [("environ", name, None) for name in variables if name.isprintable()]
        if sys.gettrace() is not before:
            sys.settrace(before)
            found.append(("trace", "", None))
        if os.umask(self._umask) != self._umask:
            found.append(("umask", "", None))
        if loops and not is_async(test.statements):
            found.append(("loop", "", None))
        if arguments.was_read:
            found.append(("argv", "", Display("list", ())))
        if standard_input.was_read:
            found.append(("stdin", "", ""))
        found += [(place, "", None) for place in ("folder", "home") if self._is_changed(place)]
        changes = [] if self._executor.spoiled else list(self._isolation.changes().values())
        reason = self._isolation.restore()
        self._executor.spoiled = self._executor.spoiled or reason
        found += self._held(changes)
        top = self._package.partition(".")[0]
        if any(record.name.partition(".")[0] == top for record in log.records):
            found.append(("log", "", None))
        if output.readouterr().out:
            found.append(("output", "", None))
        return [one for one in found if one[:2] not in known]

    def _is_changed(self, place: str) -> bool:
        """Whether there is anything in the folder, which was empty, or it is gone."""
        try:
            return bool(os.listdir(self._folders[place]))
        except OSError:
            return True

    def _held(self, changes: Iterable[StateChange]) -> list[tuple[str, str, Value]]:
        """What modules and classes hold, and held before."""
        found: dict[str, tuple[str, str, Value]] = {}
        for change in changes:
            name = self._name(change)
            if name is not None and name not in found:
                module, _, qualname = name.partition(":")
                value = live_at(module, qualname, self)
                if value is not self:  # else the test made a name that was not there
                    found[name] = _kept(name, value)
        return [*found.values()]

    def _name(self, change: StateChange) -> str | None:
        """The address of what was changed; None where it has none."""
        if change.kind not in _HOLDERS:
            return self._known.get(id(change.target))
        owner = self._known.get(id(change.target))
        if owner is None or type(change.key) is not str or change.key.startswith("__"):
            return None
        return f"{owner}.{change.key}" if change.kind == "class" else f"{owner}{change.key}"

    @property
    def _known(self) -> dict[int, str]:
        """The addresses of modules' names, of classes and of the containers that both hold, by identity."""
        if self._addresses is None:
            found: dict[int, str] = {}
            for module in self._modules:
                names = loaded_dict(module)
                found.setdefault(id(names), f"{module}:")
                for name, value in list(names.items()):
                    if is_class(value) and class_module(value) == module:
                        qualname = class_qualname(value)
                        found.setdefault(id(value), f"{module}:{qualname}")
                        inner = [(part, held) for part, held in class_dict(value).items() if id(type(held)) in _COPIED]
                        found.update({id(held): f"{module}:{qualname}.{part}" for part, held in inner if not part.startswith("__")})
                    elif id(type(value)) in _COPIED and not name.startswith("__"):
                        found.setdefault(id(value), f"{module}:{name}")
            self._addresses = found
        return self._addresses


def _kept(name: str, value: object) -> tuple[str, str, Value]:
    """The ``Ambient`` that keeps what ``name`` holds: a literal where that is short, else a copy, else the very object."""
    with contextlib.suppress(Unprintable):
        content = literal_of(value, Present("", 0.0))
        if len(repr(value)) <= LONGEST_CONTENT:
            return "attribute", name, content
    return ("copied" if id(type(value)) in _COPIED else "kept"), name, None
