"""Context managers of a test: entered for all that follows, or around one line, which may raise what the code waits for."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.introspection import class_module, class_name, static_attribute
from crashwright.engine.testcase.making.named_values import named_class, reference
from crashwright.engine.testcase.making.recipes import call
from crashwright.engine.testcase.making.vocabulary import BODIES, StatementBuilder
from crashwright.engine.testcase.statements import Enter, Statement, Variable, Within

_ENTERED, _OWN, _BODY = 0.15, 0.4, 0.85
"""How often what can be entered is, where it is a class of the package that is tested, where its body never runs else."""
_AROUND_ONE, _RAISES, _AS_CLASS = 0.6, 0.65, 0.5
_MESSAGE = "a"
ENTERING = ("__enter__", "__exit__", "__aenter__", "__aexit__")
"""Methods that nobody calls by their names."""


def entered(
    builder: StatementBuilder,
    statements: list[Statement],
    manager: Variable,
    cls: type,
    thrown: Sequence[type],
    is_own: bool,
    rng: Random,
) -> Variable:
    """Enters ``manager`` now and then, where ``cls`` says that it can be: the variable that holds what it gives, else itself. A
    suite has exceptions that may be ``thrown`` in it."""
    is_async = static_attribute(cls, "__enter__") is None
    if is_async and static_attribute(cls, "__aenter__") is None:
        return manager
    if rng.random() >= (_BODY if cls in BODIES else _OWN if thrown and is_own else _ENTERED):
        return manager
    if thrown and rng.random() < _AROUND_ONE:
        return within(builder, statements, manager, is_async, thrown, rng)
    statements.append(Enter(builder.new(), manager, is_async))
    return statements[-1][0]


def within(
    builder: StatementBuilder, statements: list[Statement], manager: Variable, is_async: bool, thrown: Sequence[type], rng: Random
) -> Variable:
    """Appends a block of one line."""
    error = _error(builder, statements, thrown, rng) if rng.random() < _RAISES else None
    statements.append(Within(builder.new(), manager, error, is_async))
    return statements[-1][0]


def _error(builder: StatementBuilder, statements: list[Statement], thrown: Sequence[type], rng: Random) -> Variable:
    """Something to raise: one of these classes, or an instance of it."""
    cls = thrown[int(rng.random() * len(thrown))]
    if rng.random() < _AS_CLASS:
        return reference(builder, statements, named_class(cls))
    if class_module(cls) == "builtins":
        return call(builder, statements, "builtins", class_name(cls), _MESSAGE)
    return builder.argument(statements, ClassHint(cls), rng, 3, legal=True)
