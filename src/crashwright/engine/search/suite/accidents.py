"""Which exceptions are accidents: what happens to the code on the way, not what it says.

A test of ``price_of(None)`` that expects AttributeError tells nobody what ``price_of`` is for. What the package raises itself, what
its documentation names, and what says something of a value that was given (``ValueError``, ``OSError``, errors of a library's own)
may be expected; what else Python raises of its own accord is an accident, but where a function of the test raises it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import NamedTuple

from crashwright.core.report import Unknown
from crashwright.engine.execution.executor import is_of_test
from crashwright.engine.execution.outcome import Outcome, RaisedFrame, position_of
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.docstrings import documentation_of
from crashwright.engine.subject.introspection import (
    class_dict,
    class_module,
    class_mro,
    class_name,
    derives,
    is_class,
    loaded_modules,
    loaded_names,
)
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.definitions.source import raised_names
from crashwright.engine.testcase.legality import takes_what_is_declared
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined

_TOLD = (ValueError, OSError)
"""What the called code says of a value, of whatever class it may be."""
_GARBLED = (UnicodeEncodeError,)
"""Of text that nobody types."""
_CONFUSION = (TypeError, AttributeError, NameError, LookupError, AssertionError)
"""An accident also where a library has a class of its own for it."""
_UNSAID = frozenset({"Exception", "BaseException", "object"})


class Accidents:
    """Tells accidents in a package from what it raises on purpose. ``sources`` must be those of its modules."""

    def __init__(self, package: str, sources: Sources) -> None:
        self._package = package
        self._sources = sources
        self._places: dict[str, Raising] = {}
        """By file of the package: where it raises or asserts."""
        self._loaded = -1
        self._modules = -1
        self._documented: dict[tuple[Callee, tuple[str, ...]], bool] = {}
        """Whether the documentation of a callable names one of these."""

    def caused(self, test: TestCase, outcome: Outcome) -> bool:
        """Whether the run ended by an accident."""
        error = outcome.error
        if error is None:
            return False
        if self._is_confusion(type(error)):
            return not self.meant(test, outcome)
        # What the code says of a value of the wrong type, it would say of no other one.
        return not self._owns(type(error)) and not takes_what_is_declared(test) and not self.meant(test, outcome)

    def _is_confusion(self, cls: type) -> bool:
        """Whether such an exception is one that Python raises by itself."""
        if not derives(cls, Exception) or self._owns(cls):
            return False
        if any(derives(cls, base) for base in _GARBLED):
            return True
        if class_module(cls) != "builtins":
            return any(derives(cls, base) for base in _CONFUSION)
        return not any(derives(cls, base) for base in _TOLD)

    def _owns(self, cls: type) -> bool:
        return class_module(cls).partition(".")[0] == self._package

    def meant(self, test: TestCase, outcome: Outcome) -> bool:
        """Whether the package raised what ended the run, or documents it, or let through what the test itself raises."""
        error = outcome.error
        if error is None or self._is_raised(outcome.frames) or self._is_documented(type(error), test, outcome.executed):
            return True
        if derives(type(error), SystemExit) and self._is_of_package(outcome.frames):
            return True  # by ``sys.exit``
        if _is_thrown_in(type(error), test, outcome.executed):
            return True
        return bool(outcome.frames) and is_of_test(error) and class_name(type(error)) in _raised_in(test)

    def _is_raised(self, frames: tuple[RaisedFrame, ...]) -> bool:
        """Whether a ``raise`` or ``assert`` of the package raised it, and not what one of them was about to say."""
        if not frames:
            return False
        code, line, instruction = frames[-1]
        found = self._raising(code.co_filename)
        if line not in found.lines:
            return False
        position = position_of(code, instruction)
        return position is None or line in found.asserts or position[:2] in found.starts

    def _is_of_package(self, frames: tuple[RaisedFrame, ...]) -> bool:
        """Whether the innermost frame is one of the package."""
        return bool(frames) and self._raising(frames[-1].code.co_filename) is not _NOWHERE

    def _raising(self, path: str) -> Raising:
        if path not in self._places and self._loaded != loaded_modules():
            self._loaded = loaded_modules()
            self._read(loaded_names(self._package))
        return self._places.get(path, _NOWHERE)

    def _read(self, names: list[str]) -> None:
        if len(names) == self._modules:
            return
        self._modules = len(names)
        for name in names:
            source = self._sources.of_module(name)
            if not isinstance(source, Unknown):
                self._places[source.path] = raising_places(source.tree)

    def _is_documented(self, cls: type, test: TestCase, index: int) -> bool:
        """Whether the documentation of what the statement with that index calls names the exception, or what it derives from."""
        callee = _callee(test, index) if index < len(test.statements) else None
        if callee is None:
            return False
        key = callee, tuple([class_name(base) for base in class_mro(cls)])
        found = self._documented.get(key)
        if found is None:
            said = _documentation(callee)
            names = sorted({*key[1]} - _UNSAID)
            found = bool(said) and any(re.search(rf"\b{re.escape(name)}\b", said) for name in names)
            self._documented[key] = found
        return found


class Raising(NamedTuple):
    """``lines`` of the ``raise`` and ``assert`` statements, those of ``asserts`` alone, and where each ``raise`` begins."""

    lines: frozenset[int]
    asserts: frozenset[int]
    starts: frozenset[tuple[int, int]]


_NOWHERE = Raising(frozenset(), frozenset(), frozenset())


def raising_places(tree: ast.Module) -> Raising:
    """Where a module raises."""
    found = [node for node in walk(tree) if isinstance(node, ast.Raise | ast.Assert)]
    asserts = [node for node in found if isinstance(node, ast.Assert)]
    starts = frozenset((node.lineno, node.col_offset) for node in found if isinstance(node, ast.Raise))
    return Raising(_lines(found), _lines(asserts), starts)


def _lines(nodes: Iterable[ast.stmt]) -> frozenset[int]:
    return frozenset(line for node in nodes for line in range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _is_thrown_in(cls: type, test: TestCase, index: int) -> bool:
    """Whether the test raises it itself, within a manager that lets it through."""
    statement = test.statements[index] if index < len(test.statements) else None
    if not isinstance(statement, st.Within) or statement.error is None:
        return False
    for earlier in test.statements[:index]:
        if defined(earlier) == statement.error:
            if isinstance(earlier, st.Reference):
                return earlier.named.live is cls
            return isinstance(earlier, st.Call) and earlier.callee.live is cls
    return False


def _raised_in(test: TestCase) -> set[str]:
    """The exceptions that functions of the test raise: where the package lets one through, that is what it does."""
    names = {statement.raises for statement in test.statements if isinstance(statement, st.StubCallable) and statement.raises}
    return names.union(*(raised_names(one.source) for one in test.statements if isinstance(one, st.Definition)))


def _callee(test: TestCase, index: int) -> Callee | None:
    """What is called there, or made what is awaited or iterated there."""
    statement = test.statements[index]
    if isinstance(statement, st.Call | st.MethodCall | st.CallValue):
        return statement.callee
    if isinstance(statement, st.Await | st.Iterate | st.Enter | st.Within):
        made = statement[1]
        for earlier in reversed(test.statements[:index]):
            if isinstance(earlier, st.Call | st.MethodCall) and earlier.variable == made:
                return earlier.callee
    return None


def _documentation(callee: Callee) -> str:
    live = callee.live
    made = class_dict(live).get("__init__") if is_class(live) else None
    return "\n".join(text for text in (documentation_of(live), documentation_of(made)) if text is not None)
