"""The call that a report echoes, made with what another test passes: its literals and keywords are put back, and what it does not
have is left out (``echo_shape`` says how unlike a test is)."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from random import Random

from crashwright.engine.subject.api.callee import Callee, ParameterKind
from crashwright.engine.subject.api.types import ANY
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.echoing.shape import OPEN, ShownCall, ShownName
from crashwright.engine.testcase.editing.deletion import prune
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Arguments, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase

_BY_POSITION = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)


def reshaped(test: TestCase, shown: Sequence[ShownCall], factory: Factory, rng: Random) -> TestCase:
    """``test`` with the last call of each name that is shown made as it is shown. What is open stays what the test passes, or is
    drawn."""
    statements = list(test.statements)
    for call in shown:
        place = next((index for index in range(len(statements) - 1, -1, -1) if _name(statements[index]) == call.name), None)
        if place is None or call.unpacks:
            continue
        made = statements[place]
        assert isinstance(made, st.Call | st.MethodCall)
        before = statements[:place]
        arguments = _Filler(before, made.callee, made.arguments, factory, rng).fill(call)
        statements = [*before, made._replace(arguments=arguments), *statements[place + 1 :]]
    return prune(TestCase(tuple(statements)))


def _name(statement: Statement) -> str:
    if isinstance(statement, st.Call):
        return statement.callee.name
    return statement.name if isinstance(statement, st.MethodCall) else ""


class _Filler:
    """Appends what a call lacks to the statements before it."""

    def __init__(self, before: list[Statement], callee: Callee | None, given: Arguments, factory: Factory, rng: Random) -> None:
        self._before = before
        self._given = given
        self._factory = factory
        self._rng = rng
        parameters = callee.parameters if callee is not None else ()
        self._hints = {parameter.name: parameter.hint for parameter in parameters}
        self._names = [parameter.name for parameter in parameters if parameter.kind in _BY_POSITION]
        self._passed = dict(zip(self._names, given.positional, strict=False)) | dict(given.keywords)

    def fill(self, call: ShownCall) -> Arguments:
        positional = []
        for index, value in enumerate(call.positional):
            name = self._names[index] if index < len(self._names) else ""
            at_hand = self._given.positional[index] if index < len(self._given.positional) else self._passed.get(name)
            positional.append(self._variable(value, name, at_hand))
        keywords = [(name, self._variable(value, name, self._passed.get(name))) for name, value in call.keywords.items()]
        return Arguments(tuple(positional), tuple(keywords))

    def _variable(self, shown: object, name: str, at_hand: Variable | None) -> Variable:
        if shown is OPEN:
            if at_hand is not None:
                return at_hand
            return self._factory.argument(self._before, self._hints.get(name, ANY), self._rng, 0, name, legal=True)
        variable = self._factory.new()
        if isinstance(shown, ShownName):
            self._before.append(st.Reference(variable, st.Named("builtins", shown.name, getattr(builtins, shown.name))))
        else:
            self._before.append(st.Literal(variable, _scalar(shown)))
        return variable


def _scalar(shown: object) -> Value:
    if shown is None or isinstance(shown, bool | int | float | complex | str | bytes):
        return shown
    raise TypeError(f"no literal of a line is a {type(shown).__name__}")
