"""What calls that are written down pass for a parameter: in examples of the documentation, in the tests that come with a package,
and in its own source. Read off the syntax, nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import NamedTuple

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.introspection import class_dict
from crashwright.engine.subject.usage.usage import Session, called_name
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase.binding import bound
from crashwright.engine.testcase.echoing.echo import as_value
from crashwright.engine.testcase.statements import Display, Value

MOST_CALLS = 200
"""Calls of one name that are looked at."""
LONGEST = 60
"""Characters of a value that is worth showing again."""
_DEEPEST = 3
_COMMON = frozenset(name for cls in (dict, list, set, str, bytes) for name in class_dict(cls))
"""Methods that many objects have: a call of one by name says nothing."""
_DISPLAYS: dict[type[ast.expr], type] = {
    ast.List: list,
    ast.ListComp: list,
    ast.Tuple: tuple,
    ast.Set: set,
    ast.SetComp: set,
    ast.Dict: dict,
    ast.DictComp: dict,
    ast.JoinedStr: str,
    ast.Lambda: FunctionType,
}


class ArgumentsShown(NamedTuple):
    """``classes`` of what is passed, and literals among it, the first shown first."""

    classes: tuple[type, ...] = ()
    values: tuple[Value, ...] = ()


class _Written(NamedTuple):
    call: ast.Call
    names: Mapping[str, ast.expr]
    """What the names around it were assigned."""


class ShownArguments:
    """``made_by`` tells the class of what a call makes whose function is written so; None where it is not known."""

    def __init__(self, sessions: Iterable[Session], modules: Iterable[ast.AST], made_by: Callable[[ast.expr], type | None]) -> None:
        self._sessions = sessions
        self._modules = modules
        self._made_by = made_by
        self._calls: dict[str, list[_Written]] | None = None

    def of(self, callee: Callee, parameter: str) -> ArgumentsShown:
        """What is passed for this parameter."""
        if callee.kind in (CalleeKind.METHOD, CalleeKind.PROPERTY) and callee.name in _COMMON:
            return ArgumentsShown()
        classes: dict[type, None] = {}
        values: dict[str, Value] = {}
        for written in self._by_name().get(callee.name, ())[:MOST_CALLS]:
            keywords = [(keyword.arg, keyword.value) for keyword in written.call.keywords if keyword.arg is not None]
            for given, node in bound(callee, _positional(written.call), keywords):
                if given.name == parameter:
                    self._note(node, written.names, classes, values)
        return ArgumentsShown(tuple(classes), tuple(values.values()))

    def calls(self) -> Iterator[ast.Call]:
        """All calls that are written."""
        for calls in self._by_name().values():
            yield from (written.call for written in calls)

    def _by_name(self) -> Mapping[str, list[_Written]]:
        if self._calls is None:
            self._calls = {}
            for session in self._sessions:
                names: dict[str, ast.expr] = {}
                for statement in session:
                    self._index(statement, names)
                    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                        names[statement.targets[0].id] = statement.value
            for module in self._modules:
                self._index(module, {})
        return self._calls

    def _index(self, tree: ast.AST, names: Mapping[str, ast.expr]) -> None:
        assert self._calls is not None
        for node in walk(tree):
            if isinstance(node, ast.Call):
                self._calls.setdefault(called_name(node), []).append(_Written(node, names))

    def _note(self, node: ast.expr, names: Mapping[str, ast.expr], classes: dict[type, None], values: dict[str, Value]) -> None:
        found = self._resolved(node, names)
        cls = self._class_of(found)
        if cls is None:
            return
        classes[cls] = None
        value = literal_of(found)
        if value is not None:
            values.setdefault(repr(value), value)

    def _resolved(self, node: ast.expr, names: Mapping[str, ast.expr]) -> ast.expr:
        """What a name stands for, where that is written before."""
        for _ in range(_DEEPEST):
            if not isinstance(node, ast.Name) or node.id not in names:
                break
            node = names[node.id]
        return node

    def _class_of(self, node: ast.expr) -> type | None:
        if isinstance(node, ast.Constant):
            return type(node.value)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            return self._class_of(node.operand)
        if isinstance(node, ast.Call):
            return self._made_by(node.func)
        return _DISPLAYS.get(type(node))


def _positional(call: ast.Call) -> Sequence[ast.expr]:
    """Up to the first star: what stands behind it has no place of its own."""
    places = [index for index, one in enumerate(call.args) if isinstance(one, ast.Starred)]
    return call.args[: places[0]] if places else call.args


def literal_of(node: ast.expr) -> Value:
    """The value that is written; None where there is none."""
    if isinstance(node, ast.Call | ast.Name | ast.Lambda | ast.JoinedStr | ast.Set):
        return None
    try:
        if len(ast.unparse(node)) > LONGEST:
            return None
        value = as_value(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None  # not made of literals
    return None if value is None or (isinstance(value, Display) and not value.items) else value
