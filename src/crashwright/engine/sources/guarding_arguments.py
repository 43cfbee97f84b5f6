"""Tests with one argument set to what a condition of the code decides on: each parameter that a guard reads, with each value that
it is compared with, one after the other.

By chance that takes long where a callable has many optional parameters, and one of them has to have one value while all others stay
as they are: most tests that change one change another, or break what they have.

# Deviation: none of the papers does this; Java's optional arguments are overloads.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterator, Sequence

from crashwright.engine.subject.api.callee import Callee, Parameter, ParameterKind
from crashwright.engine.subject.usage.guards import Scalar, guards_of
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.binding import with_argument
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.statements import Arguments, Literal, Variable, same_value
from crashwright.engine.testcase.testcase import TestCase

MOST = 60
"""Tests that are made of one."""
_BY_POSITION = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)
_BY_KEYWORD = (ParameterKind.POSITIONAL_OR_KEYWORD, ParameterKind.KEYWORD_ONLY)


class GuardingArguments:
    """Of one search. ``trees`` gives the functions that calling something of the subject runs, ``path`` are those of the report;
    ``quoted`` variables hold what the report shows, and keep it."""

    def __init__(
        self,
        trees: Callable[[Callee], Sequence[ast.AST]],
        path: Sequence[ast.AST],
        quoted: Container[Variable],
        fresh: Callable[[], Variable],
    ) -> None:
        self._trees = trees
        self._path = path
        self._quoted = quoted
        self._fresh = fresh
        self._known: dict[Callee, dict[str, tuple[Scalar, ...]]] = {}
        self._done: set[int] = set()

    def varied(self, test: TestCase) -> list[TestCase]:
        """The variants of ``test``, those of its last calls first; none where it was asked for before."""
        shape = shape_of(test)
        if shape in self._done:
            return []
        self._done.add(shape)
        found: list[TestCase] = []
        for index in reversed(range(len(test.statements))):
            for variant in self._of_call(test, index):
                if len(found) == MOST:
                    return found
                found.append(variant)
        return found

    def _of_call(self, test: TestCase, index: int) -> Iterator[TestCase]:
        statement = test.statements[index]
        callee = statement.callee if isinstance(statement, st.Call | st.MethodCall) else None
        if callee is None or not isinstance(statement, st.Call | st.MethodCall):
            return
        guards = self._guards(callee)
        literals = {one.variable: one for one in test.statements[:index] if isinstance(one, Literal)}
        for place, parameter in enumerate(callee.parameters):
            passed = passed_for(statement.arguments, parameter, place)
            for value in guards.get(parameter.name, ()):
                if passed in self._quoted or (passed in literals and same_value(literals[passed].value, value)):
                    continue
                variable = self._fresh()
                arguments = with_argument(statement.arguments, callee, parameter, variable)
                if arguments is not None and (passed is not None or not _is_default(parameter, value)):
                    before = (*test.statements[:index], Literal(variable, value))
                    yield TestCase((*before, statement._replace(arguments=arguments), *test.statements[index + 1 :]))

    def _guards(self, callee: Callee) -> dict[str, tuple[Scalar, ...]]:
        if callee not in self._known:
            found: dict[str, dict[str, Scalar]] = {}
            for tree in self._trees(callee):
                for name, values in guards_of(tree, self._path).items():
                    found.setdefault(name, {}).update((repr(value), value) for value in values)
            self._known[callee] = {name: tuple(values.values()) for name, values in found.items()}
        return self._known[callee]


def passed_for(arguments: Arguments, parameter: Parameter, place: int) -> Variable | None:
    """The argument of a parameter that is the callee's number ``place``; None where none is passed."""
    if parameter.kind in _BY_POSITION and place < len(arguments.positional):
        return arguments.positional[place]
    return dict(arguments.keywords).get(parameter.name)


def _is_default(parameter: Parameter, value: Scalar) -> bool:
    default = parameter.default
    return not parameter.required and type(default) is type(value) and same_value(default, value)
