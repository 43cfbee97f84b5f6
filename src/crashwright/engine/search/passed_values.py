"""Whether the value that a crash complains of is one that the test itself passed in.

``TypeError: can only join an iterable`` is what anybody gets who passes an object where a list of texts is meant. Where the code
made the value itself (a function that falls off its end, a look-up that found nothing), the same words tell of a bug. Of two tests
that crash alike, the one that did not pass what is refused is likelier to show what the report shows.

# Deviation: none of the papers asks where a value came from.
"""

from __future__ import annotations

import argparse
import ast
import os
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import FrameType, TracebackType

from crashwright.core.location import Position
from crashwright.core.target import CrashTarget
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.subject.introspection import class_module, identities, instance_dict
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Value, Variable
from crashwright.engine.testcase.testcase import TestCase

REFUSING = frozenset({"TypeError", "AttributeError"})
"""What is raised where a value is of a kind that does not do."""
DEEPEST, MOST_ITEMS = 3, 50
"""How deep containers of a test are looked into, and at how many of their items."""
_TRACEBACK: Callable[[BaseException], TracebackType | None] = vars(BaseException)["__traceback__"].__get__
_HOLDERS = identities(types.SimpleNamespace, argparse.Namespace)
_SEQUENCES = identities(list, tuple, set, frozenset)


class PassedValues:
    """For one target; ``functions`` are the trees of those on the path, ``kept`` literals of the report, by variable."""

    def __init__(self, target: CrashTarget, functions: Sequence[ast.AST], kept: Mapping[Variable, Value]) -> None:
        crash = target.package_frames[-1]
        self._place = crash.line, crash.key.name, os.path.realpath(crash.path)
        self._exception = target.exception
        self._kept = kept
        refused = target.exception in REFUSING and crash.caret is not None
        failing = _failing(functions, crash.caret) if refused and crash.caret is not None else None
        self._operands = [] if failing is None else _operands(failing, target.exception)

    @property
    def is_telling(self) -> bool:
        """Whether the line says which values the crash is about."""
        return bool(self._operands)

    def of(self, test: TestCase, outcome: Outcome) -> bool:
        """Whether ``test`` passed all values that the failing part of the line refuses."""
        if outcome.error is None or outcome.variables is None:
            return False
        frame = self._frame(outcome.error)
        if frame is None:
            return False
        told = [_value(operand, frame.f_locals) for operand in self._operands]
        blamed = [value for found in told if found is not None for value in found]
        if len(blamed) < len(told) or not blamed:
            return False
        if self._exception == "AttributeError" and any(class_module(type(value)) != "builtins" for value in blamed):
            return False  # what lacks an attribute of its own is no wrong kind of value
        passed = {id(value) for value in self._passed(test, outcome.variables)}
        return all(id(value) in passed for value in blamed)

    def _frame(self, error: BaseException) -> FrameType | None:
        found = None
        traceback = _TRACEBACK(error)
        line, name, path = self._place
        while traceback is not None:
            code = traceback.tb_frame.f_code
            if traceback.tb_lineno == line and code.co_name == name and os.path.realpath(code.co_filename) == path:
                found = traceback.tb_frame
            traceback = traceback.tb_next
        return found

    def _passed(self, test: TestCase, variables: Mapping[int, object]) -> Iterator[object]:
        """The values of arguments, and what is in them."""
        literals = {statement.variable: statement for statement in test.statements if isinstance(statement, st.Literal)}
        for statement in test.statements:
            for variable in _arguments(statement):
                literal = literals.get(variable)
                if literal is not None and variable in self._kept and st.same_value(self._kept[variable], literal.value):
                    continue
                if variable in variables:
                    yield from _within(variables[variable])


def _arguments(statement: st.Statement) -> Iterable[Variable]:
    match statement:
        case st.Call() | st.MethodCall() | st.CallValue():
            return (*statement.arguments.positional, *(variable for _, variable in statement.arguments.keywords))
        case st.SetAttribute() | st.SetItem():
            return (statement.value,)
    return ()


def _within(value: object, depth: int = 0) -> Iterator[object]:
    """The value, and what plain containers among it hold."""
    yield value
    if depth == DEEPEST:
        return
    kind = id(type(value))
    items: Iterable[object] = ()
    if kind in _SEQUENCES:
        items = value  # type: ignore[assignment]
    elif type(value) is dict:
        items = value.values()
    elif kind in _HOLDERS:
        items = instance_dict(value).values()
    for item in [item for _, item in zip(range(MOST_ITEMS), items, strict=False)]:
        yield from _within(item, depth + 1)


def _failing(functions: Sequence[ast.AST], caret: Position) -> ast.expr | None:
    """The expression at the place of the failing part."""
    place = caret.line, caret.column, caret.end_line, caret.end_column
    for function in functions:
        for node in walk(function):
            if isinstance(node, ast.expr) and (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset) == place:
                return node
    return None


def _operands(failing: ast.expr, exception: str) -> list[ast.expr]:
    """What the failing part works on, constants left out."""
    found: list[ast.expr] = []
    match failing:
        case ast.Attribute():
            found = [failing.value]
        case ast.Call(func=ast.Attribute() as function) if exception == "AttributeError":
            found = [function.value]
        case ast.Call():
            found = [*failing.args, *(keyword.value for keyword in failing.keywords)]
        case ast.BinOp():
            found = [failing.left, failing.right]
        case ast.Compare():
            found = [failing.left, *failing.comparators]
        case ast.Subscript():
            found = [failing.value, failing.slice]
        case ast.UnaryOp():
            found = [failing.operand]
        case ast.Name():
            found = [failing]
    return [one for one in found if not isinstance(one, ast.Constant)]


def _value(operand: ast.expr, names: Mapping[str, object]) -> tuple[object] | None:
    """What it stands for in a frame with these names; None where the code makes it there."""
    match operand:
        case ast.Name(id=name) if name in names:
            return (names[name],)
        case ast.Attribute(value=inner, attr=attribute):
            held = _value(inner, names)
            own = {} if held is None else instance_dict(held[0])
            return (own[attribute],) if attribute in own else None
    return None
