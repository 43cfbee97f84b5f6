"""Calls of functions that are made within others (``subject.api.closures``): of the entry, of what it returns, and so on."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from random import Random
from typing import Protocol

from crashwright.engine.subject.api.callee import Callee, ParameterKind
from crashwright.engine.subject.api.closures import Closure, as_callee
from crashwright.engine.testcase.definitions.source import parsed
from crashwright.engine.testcase.making.vocabulary import StatementBuilder
from crashwright.engine.testcase.statements import Arguments, CallValue, Definition, MethodCall, Statement, Variable

_STARRED = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
_AS_WRITTEN = 0.85
"""How often a call of the outermost function is followed by just those that the source shows."""


class Chaining(StatementBuilder, Protocol):
    """The factory as chains see it."""

    @property
    def entry(self) -> tuple[Callee, ...]: ...
    def call(
        self, statements: list[Statement], callee: Callee, rng: Random, depth: int = 0, receiver: Variable | None = None
    ) -> Variable: ...
    def arguments(self, statements: list[Statement], callee: Callee, rng: Random, depth: int) -> Arguments: ...
    def drive(self, statements: list[Statement], callee: Callee, variable: Variable, rng: Random, depth: int) -> Variable: ...


def led_to(builder: Chaining, statements: list[Statement], closure: Closure, rng: Random) -> Variable:
    """Appends the calls that lead to the function that is wanted: the variable that holds it, or what it is an attribute of."""
    entry = builder.entry[int(rng.random() * len(builder.entry))]
    made = builder.call(statements, entry, rng, 1)
    levels = closure.levels
    as_written = entry.name == closure.outer and rng.random() < _AS_WRITTEN
    # Another callable may do some of it itself (decorate a function that it is given).
    count = len(levels) if as_written else int(rng.random() * (len(levels) + 1))
    for level in levels[len(levels) - count :]:
        made = _value(builder, statements, made, builder.arguments(statements, level, rng, 1))
    return made


def called(builder: Chaining, statements: list[Statement], closure: Closure, rng: Random) -> Variable:
    """The same, and a call of that function."""
    return _call(builder, statements, led_to(builder, statements, closure, rng), closure, rng)


def followed(builder: Chaining, statements: list[Statement], made: Variable, closure: Closure, rng: Random) -> Variable:
    """Appends the calls that the source shows of what ``made`` holds, which the outermost function has returned."""
    for level in closure.levels:
        made = _value(builder, statements, made, builder.arguments(statements, level, rng, 1))
    return _call(builder, statements, made, closure, rng)


def _call(builder: Chaining, statements: list[Statement], made: Variable, closure: Closure, rng: Random) -> Variable:
    last = closure.last
    like = given_function(statements) if passes_on(last) else None
    arguments = builder.arguments(statements, last if like is None else like, rng, 0)
    variable = builder.new()
    whole = MethodCall(variable, made, last.name, arguments) if closure.attribute else CallValue(variable, made, arguments)
    statements.append(whole)
    return builder.drive(statements, last, variable, rng, 1)


def _value(builder: Chaining, statements: list[Statement], function: Variable, arguments: Arguments) -> Variable:
    statements.append(CallValue(builder.new(), function, arguments))
    return statements[-1][0]


def passes_on(callee: Callee) -> bool:
    """Whether it takes whatever there is: arguments for the function that it is made from."""
    return bool(callee.parameters) and all(one.kind in _STARRED for one in callee.parameters)


def given_function(statements: Sequence[Statement]) -> Callee | None:
    """The last function that the test defines: what it takes."""
    for statement in reversed(statements):
        if isinstance(statement, Definition):
            node = parsed(statement.source)
            return None if isinstance(node, ast.ClassDef) else as_callee("", node.name, node)
    return None
