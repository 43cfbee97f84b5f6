"""Which parameter gets which of the values that a call passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from crashwright.engine.subject.api.callee import Callee, Parameter, ParameterKind
from crashwright.engine.subject.api.types import NONE, ClassHint, Hint
from crashwright.engine.subject.introspection import is_typed_dict
from crashwright.engine.testcase.statements import Arguments, Call, CallValue, MethodCall, Statement, Variable

T = TypeVar("T")
_BY_POSITION = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)


def bound(callee: Callee, positional: Sequence[T], keywords: Iterable[tuple[str, T]]) -> Iterator[tuple[Parameter, T]]:
    """The parameters that get something, with what they get. Wrong numbers of arguments are not judged: such a call fails in the
    test."""
    parameters = callee.parameters
    taking = [parameter for parameter in parameters if parameter.kind in _BY_POSITION]
    rest = next((parameter for parameter in parameters if parameter.kind is ParameterKind.VAR_POSITIONAL), None)
    for index, value in enumerate(positional):
        parameter = taking[index] if index < len(taking) else rest
        if parameter is not None:
            yield parameter, value
    by_name = {parameter.name: parameter for parameter in parameters if parameter.kind is not ParameterKind.VAR_KEYWORD}
    others = next((parameter for parameter in parameters if parameter.kind is ParameterKind.VAR_KEYWORD), None)
    for name, value in keywords:
        parameter = by_name.get(name, others)
        if parameter is not None and not (parameter is others and _is_typed_dict(parameter.hint)):
            yield parameter, value


def passed_before(statements: Iterable[Statement]) -> dict[str, Variable]:
    """What the calls among them were passed last, by the names of parameters."""
    found: dict[str, Variable] = {}
    for one in statements:
        if isinstance(one, Call | MethodCall | CallValue) and one.callee is not None:
            pairs = bound(one.callee, one.arguments.positional, one.arguments.keywords)
            found.update((parameter.name, variable) for parameter, variable in pairs)
    return found


def _is_typed_dict(hint: Hint) -> bool:
    return isinstance(hint, ClassHint) and hint != NONE and is_typed_dict(hint.cls)


def with_argument(arguments: Arguments, callee: Callee, parameter: Parameter, variable: Variable) -> Arguments | None:
    """``arguments`` with ``variable`` for ``parameter``; behind a star as the last. None where it cannot be given."""
    positional = arguments.positional
    for one, place in bound(callee, range(len(positional)), ()):
        if one.name == parameter.name:
            return arguments._replace(positional=(*positional[:place], variable, *positional[place + 1 :]))
    if parameter.kind is ParameterKind.VAR_POSITIONAL:
        return arguments._replace(positional=(*positional, variable))
    if parameter.kind in (ParameterKind.POSITIONAL_ONLY, ParameterKind.VAR_KEYWORD):
        return None
    others = [pair for pair in arguments.keywords if pair[0] != parameter.name]
    return arguments._replace(keywords=(*others, (parameter.name, variable)))
