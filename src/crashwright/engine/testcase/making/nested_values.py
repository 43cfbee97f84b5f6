"""Elements of containers: literals where the type can be written as one, else references to variables made for them."""

from __future__ import annotations

from random import Random

from crashwright.engine.subject.api.types import ANY, AnyHint, ChoiceHint, ClassHint, Hint, UnionHint
from crashwright.engine.subject.introspection import class_name
from crashwright.engine.testcase.making.values import SCALARS, VALUE_TYPES, random_value
from crashwright.engine.testcase.making.vocabulary import StatementBuilder
from crashwright.engine.testcase.statements import Display, Literal, Ref, Statement, Value

_DISPLAYS = frozenset({list, tuple, set, frozenset, dict})


def nested_value(builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, depth: int) -> Value:
    """A value tree for ``hint``; what it refers to is appended to ``statements``."""
    if is_plain(hint):
        return random_value(rng, hint, builder.pool, depth)
    if isinstance(hint, ClassHint) and hint.cls in _DISPLAYS:
        return _display(builder, statements, hint, rng, depth)
    before = len(statements)
    variable = builder.argument(statements, hint, rng, depth + 1)
    last = statements[-1]
    if len(statements) == before + 1 and type(last) is Literal and last.variable == variable and type(last.value) is not Display:
        statements.pop()
        return last.value
    return Ref(variable)


def is_plain(hint: Hint) -> bool:
    """Whether every value of ``hint`` can be written as a literal."""
    if isinstance(hint, ClassHint):
        return hint.cls in VALUE_TYPES and all(is_plain(part) for part in hint.arguments)
    if isinstance(hint, UnionHint):
        return all(is_plain(part) for part in hint.members)
    if isinstance(hint, ChoiceHint):
        return all(value is Ellipsis or type(value) in SCALARS for value in hint.values)
    return type(hint) is AnyHint


def _display(builder: StatementBuilder, statements: list[Statement], hint: ClassHint, rng: Random, depth: int) -> Value:
    """A container with elements that are not literals."""
    kind, arguments = class_name(hint.cls), hint.arguments
    if kind == "tuple" and not (len(arguments) == 2 and type(arguments[1]) is ChoiceHint):
        return Display(kind, tuple([builder.value(statements, part, rng, depth + 1) for part in arguments]))
    size = int(rng.random() * rng.random() * 5)
    if kind == "dict":
        key, value = arguments[0], arguments[1] if len(arguments) > 1 else ANY
        pairs = [
            (builder.value(statements, key, rng, depth + 1), builder.value(statements, value, rng, depth + 1)) for _ in range(size)
        ]
        return Display(kind, tuple(pairs))
    return Display(kind, tuple([builder.value(statements, arguments[0], rng, depth + 1) for _ in range(size)]))
