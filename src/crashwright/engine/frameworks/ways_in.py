"""How a test gets at a store that the code uses: from its own variables and from the modules of the project, by public attributes,
or by calling a function without arguments that says that it returns such a thing.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from crashwright.engine.frameworks.store import Opening, Store
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.introspection import instance_dict, is_class, is_module, loaded_dict
from crashwright.engine.testcase.statements import (
    NO_ARGUMENTS,
    Ambient,
    Arguments,
    Call,
    CallValue,
    GetAttribute,
    Iterate,
    Literal,
    Named,
    Reference,
    Statement,
    Variable,
)
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined

MAKES_ENGINE, CONNECTS = "sqlalchemy:create_engine", "sqlite3:connect"
IN_MEMORY = ("sqlite://", "sqlite:///:memory:", ":memory:")
"""Addresses of databases that are no file."""
_OPENING_FILES = (MAKES_ENGINE, CONNECTS)
_DEEPEST = 3
_MOST_ATTRIBUTES = 40
_SAID = ("Session", "Engine", "sessionmaker", "Connection")
"""What annotations of such functions speak of, whatever the framework: these are words of the database interface of Python, too."""


class StoreAccess(NamedTuple):
    """``start`` is a variable of the test, an address, or a function that is called; ``attributes`` lead from there. ``within`` is
    the variable of the application in whose context that is so."""

    start: Variable | Named | Callee
    attributes: tuple[str, ...]
    opening: Opening
    within: Variable | None = None

    def statements(self, new: Callable[[], Variable], session: Callee | None) -> list[Statement]:
        """The last defines a session. ``session`` makes one of an engine."""
        made: list[Statement] = []
        if isinstance(self.start, Callee):
            made.append(Call(new(), self.start, NO_ARGUMENTS))
        elif isinstance(self.start, Named):
            made.append(Reference(new(), self.start))
        held = self.start if isinstance(self.start, int) else made[-1][0]
        for name in self.attributes:
            made.append(GetAttribute(new(), held, name))
            held = made[-1][0]
        if self.opening is Opening.FACTORY:
            made.append(CallValue(new(), held, NO_ARGUMENTS))
        elif self.opening is Opening.GIVER:
            made.append(Iterate(new(), held, "next"))
        elif self.opening is Opening.ENGINE and session is not None:
            made.append(Call(new(), session, Arguments((held,))))
        return made

    @property
    def variable(self) -> Variable | None:
        """That of the session, if the test has it already."""
        held = isinstance(self.start, int) and not self.attributes and self.opening is Opening.SESSION
        return self.start if isinstance(self.start, int) and held else None


class AtAddress(NamedTuple):
    """The code opens its store itself: a second one of the same ``address``, a file beside the test, leads to the same."""

    address: str
    makers: tuple[Callee, ...]
    """The first makes something of the address, each other one something of that; the last a session."""
    variable: None = None
    within: None = None

    def statements(self, new: Callable[[], Variable], session: Callee | None) -> list[Statement]:  # noqa: ARG002 (as a way in)
        """The last defines a session."""
        made: list[Statement] = [Literal(new(), self.address)]
        for maker in self.makers:
            made.append(Call(new(), maker, Arguments((made[-1][0],))))
        return made


def in_own_folder(test: TestCase, apart: bool = False) -> TestCase:
    """``test``, in a folder of its own if it stores rows in a file of the current one, which may be anybody's. ``apart``: so it
    does."""
    has_one = any(isinstance(one, Ambient) and one.place == "folder" for one in test.statements)
    texts = {one.variable: one.value for one in test.statements if isinstance(one, Literal)}
    opens = apart or any(
        isinstance(one, Call)
        and one.callee.address in _OPENING_FILES
        and texts.get(next(iter(one.arguments.positional), -1)) not in IN_MEMORY
        for one in test.statements
    )
    if has_one or not opens:
        return test
    unused = 1 + max((made for one in test.statements if (made := defined(one)) is not None), default=0)
    return TestCase((Ambient(unused, "folder", "", None), *test.statements))


def ways_in(
    store: Store, variables: Mapping[Variable, object], modules: Iterable[str], functions: Iterable[Callee]
) -> Iterator[tuple[StoreAccess, object]]:
    """With what is at their ends: the nearest first. ``variables`` are those of a test at the moment."""
    starts: list[tuple[Variable | Named, object]] = [(one, value) for one, value in reversed(list(variables.items()))]
    for module in modules:
        names = [(name, value) for name, value in list(loaded_dict(module).items()) if _is_public(name)]
        starts += [(Named(module, name, value), value) for name, value in names if not (is_class(value) or is_module(value))]
    yield from _reached(store, starts)
    for function in functions:
        found = _called(function)
        if found is not None:
            opening = store.opening(found[0])
            if opening is not None:
                yield StoreAccess(function, (), Opening.GIVER if found[1] else opening), found[0]


def _reached(store: Store, starts: list[tuple[Variable | Named, object]]) -> Iterator[tuple[StoreAccess, object]]:
    level: list[tuple[Variable | Named, tuple[str, ...], object]] = [(start, (), value) for start, value in starts]
    seen: set[int] = set()
    for _ in range(_DEEPEST):
        following: list[tuple[Variable | Named, tuple[str, ...], object]] = []
        for start, path, value in level:
            if id(value) in seen:
                continue
            seen.add(id(value))
            opening = store.opening(value)
            if opening is not None:
                yield StoreAccess(start, path, opening), value
                continue
            parts = list(instance_dict(value).items())[:_MOST_ATTRIBUTES]
            parts += _descriptors(value)
            public = [(name, part) for name, part in parts if _is_public(name)]
            following += [(start, (*path, name), part) for name, part in public if instance_dict(part) or store.opening(part)]
        level = following


def _descriptors(value: object) -> list[tuple[str, object]]:
    """What an object's class makes when it is asked by the names that sessions and engines usually have there."""
    found = []
    for name in ("session", "engine"):
        if any(name in vars(cls) for cls in type(value).__mro__):
            with contextlib.suppress(Exception):  # outside of its application it has none
                found.append((name, getattr(value, name)))
    return found


def _is_public(name: object) -> bool:
    return type(name) is str and not name.startswith("_")


def _called(function: Callee) -> tuple[object, bool] | None:
    """What it returns, or the first item of what it gives, and whether it is that; None if it says nothing of a session."""
    live = function.live
    if any(one.required for one in function.parameters) or function.is_async or not callable(live):
        return None
    wrapped = inspect.unwrap(live)
    said = str(getattr(wrapped, "__annotations__", {}).get("return", ""))
    if not any(word in said for word in _SAID):
        return None
    try:
        found = live()
        if function.is_generator or inspect.isgenerator(found):
            return next(found), True
    except Exception:  # noqa: BLE001 - the subject may raise anything; then there is no way in by this function
        return None
    return found, False
