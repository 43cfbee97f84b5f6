"""Calls of functions that are made within others (``subject.api.closures``): of the entry, of what it returns, and so on."""

from __future__ import annotations

from random import Random
from typing import Protocol

from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.closures import Closure
from crashwright.engine.testcase.making.vocabulary import Builder
from crashwright.engine.testcase.statements import Arguments, CallValue, MethodCall, Statement, Variable

_AS_WRITTEN = 0.85
"""How often a call of the outermost function is followed by just those that the source shows."""


class Chaining(Builder, Protocol):
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
        arguments = builder.arguments(statements, level, rng, 1)
        statements.append(CallValue(builder.new(), made, arguments))
        made = statements[-1][0]
    return made


def called(builder: Chaining, statements: list[Statement], closure: Closure, rng: Random) -> Variable:
    """The same, and a call of that function."""
    made = led_to(builder, statements, closure, rng)
    last, variable = closure.last, builder.new()
    arguments = builder.arguments(statements, last, rng, 0)
    whole = MethodCall(variable, made, last.name, arguments) if closure.attribute else CallValue(variable, made, arguments)
    statements.append(whole)
    return builder.drive(statements, last, variable, rng, 0)
