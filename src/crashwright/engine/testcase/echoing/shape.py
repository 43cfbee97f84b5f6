"""The calls that a report echoes as something to hold a test against: names, numbers of arguments, keywords, literals.

``main.py`` called ``Option(data, type=bool)``: a test that crashes the same line by ``Option({}, flag_value={})`` makes another
call, and most likely shows another bug.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.echoing.source import parse_echo
from crashwright.engine.testcase.statements import Arguments, Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined, used


class _Open:
    """Stands for a value that the line does not show."""


OPEN = _Open()
_TEXT: Variable = -1
"""What ``float("inf")`` is written with: no variable of a test."""


class ShownName(NamedTuple):
    """A builtin class or function that stands in the line as a value."""

    name: str


class ShownCall(NamedTuple):
    """One call of the line. Values are literals, :class:`ShownName`, or OPEN."""

    name: str
    positional: tuple[object, ...]
    keywords: Mapping[str, object]
    unpacks: bool
    """It has a star: how many arguments there are is not known."""
    within: bool = False
    """It stands in another one of them: what it gives is used."""


def shown_calls(source: str, drives: Iterable[str]) -> tuple[ShownCall, ...]:
    """The call of an echoed line that has one of these names, the outermost, and the calls within it; else none. What stands around
    it would have been called after it, and was never reached. A call within it that takes nothing (``date.today()``) only gives a
    value, and any other way to it is as good."""
    names = frozenset(drives)
    for node in parse_echo(source):
        driving = (one for one in walk(node) if isinstance(one, ast.Call) and _name(one.func) in names)
        outermost = next(driving, None)  # a walk goes from the outside inwards
        if outermost is not None:
            inner = (one for one in walk(outermost) if isinstance(one, ast.Call) and _name(one.func))
            telling = (one for one in inner if one is outermost or ((one.args or one.keywords) and _special(one) is None))
            return tuple(_shown(one)._replace(within=one is not outermost) for one in telling)
        break
    return ()


def unlikeness(test: TestCase, calls: Sequence[ShownCall]) -> float:
    """0 where ``test`` makes all of the calls as they are shown, or runs the module that does; up to 1 where it makes none of
    them."""
    if not calls or any(isinstance(one, st.RunModule) for one in test.statements):
        return 0.0
    known: dict[Variable, Statement] = {}
    for statement in test.statements:
        variable = defined(statement)
        if variable is not None:
            known[variable] = statement
    names = {call.name for call in calls}
    made = [(name, arguments, one) for one in test.statements for name, arguments in _made(one) if name in names]
    inner = any(call.within for call in calls)
    taken = {variable for one in test.statements for variable in used(one)} if inner else ()
    return sum(
        min(
            (
                _difference(call, arguments, known)
                for name, arguments, one in made
                # A call for nothing only looks like the report's.
                if name == call.name and (not call.within or defined(one) in taken)
            ),
            default=1.0,
        )
        for call in calls
    ) / len(calls)


def _made(statement: Statement) -> Iterator[tuple[str, Arguments]]:
    if isinstance(statement, st.Call):
        yield statement.callee.name, statement.arguments
    elif isinstance(statement, st.MethodCall):
        yield statement.name, statement.arguments
    elif isinstance(statement, st.Literal) and isinstance(statement.value, float) and not math.isfinite(statement.value):
        yield "float", Arguments((_TEXT,))  # as such a number is written


def _difference(call: ShownCall, arguments: Arguments, known: Mapping[Variable, Statement]) -> float:
    """The share of what is shown of a call that another one has otherwise; below 1."""
    wanted = len(call.positional) + len(call.keywords)
    if call.unpacks or arguments.star is not None or arguments.double_star is not None:
        return 0.0 if call.unpacks else 0.5
    given = dict(arguments.keywords)
    differing = abs(len(arguments.positional) - len(call.positional))
    differing += len(given.keys() ^ call.keywords.keys())
    pairs = [*zip(call.positional, arguments.positional, strict=False)]
    pairs += [(call.keywords[name], variable) for name, variable in given.items() if name in call.keywords]
    differing += sum(not _agrees(shown, known.get(variable)) for shown, variable in pairs)
    return min(0.9, differing / (wanted + 1))


def _agrees(shown: object, statement: Statement | None) -> bool:
    if shown is OPEN or statement is None:
        return True
    if isinstance(shown, ShownName):
        return isinstance(statement, st.Reference) and statement.named.qualname.rpartition(".")[2] == shown.name
    if isinstance(statement, st.Call) and isinstance(shown, float) and not math.isfinite(shown):
        return statement.callee.name == "float"
    if not isinstance(statement, st.Literal):
        return False
    return type(statement.value) is type(shown) and repr(statement.value) == repr(shown)


def _shown(call: ast.Call) -> ShownCall:
    unpacks = any(isinstance(one, ast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords)
    return ShownCall(
        _name(call.func),
        tuple(map(_value, call.args)),
        {keyword.arg: _value(keyword.value) for keyword in call.keywords if keyword.arg is not None},
        unpacks,
    )


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _special(call: ast.Call) -> float | None:
    """The number that ``float("nan")`` or ``float("-inf")`` writes: there is no other way to, so a test does not call it either."""
    match call:
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str() as text)], keywords=[]):
            try:
                number = float(text)
            except ValueError:
                return None  # that call is the crash
            return None if math.isfinite(number) else number
    return None


def _value(node: ast.expr) -> object:
    match node:
        case ast.Constant(value=value) if not isinstance(value, type(...)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.Call() if (special := _special(node)) is not None:
            return special
        case ast.Name(id="bool" | "int" | "str" | "float" | "bytes" | "list" | "dict" | "tuple" | "set" | "object" as name):
            return ShownName(name)
    return OPEN
