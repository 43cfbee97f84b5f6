"""What went before is kept, and what follows varies: more calls on the object that the last call of a test works on.

Objects crash in states that take several calls to reach, and the calls belong together: what one was given or returned is what
another asks for. Inserting calls one by one, each with arguments of its own, seldom comes there.

# Deviation: not in the papers of crash reproduction; sequences that are extended as long as they work are Randoop's (Pacheco et al.
2007).
"""

from __future__ import annotations

from random import Random

from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.types import ANY, ClassHint
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Arguments, Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.testcase.variables import defined, used

MOST_CALLS = 3
AGAIN = 0.6
"""How often an argument is one that came up in the test before."""
SAME = 0.5
"""How often a method is called that was called before."""
AS_IT_WAS = 0.5
"""How often the last call stays as it was; else it is made anew."""
OPTIONAL = 0.5
_CALLS = (st.Call, st.MethodCall)
_VAR_POSITIONAL = ParameterKind.VAR_POSITIONAL
_POSITIONAL = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)
_BY_NAME = (ParameterKind.POSITIONAL_OR_KEYWORD, ParameterKind.KEYWORD_ONLY)


def prolong(test: TestCase, factory: Factory, rng: Random) -> TestCase:
    """``test`` with a few more calls before its last one, on an object that this works on; the test itself where that works on no
    object of the subject, or where it would grow too long."""
    place = max((index for index, one in enumerate(test.statements) if isinstance(one, _CALLS)), default=0)
    objects = _objects(test.statements, place, factory) if place else []
    if not objects:
        return test
    receiver, methods = objects[int(rng.random() * len(objects))]
    statements = list(test.statements[:place])
    known = _called_on(statements, receiver)
    for _ in range(1 + int(rng.random() * MOST_CALLS)):
        among = known if known and rng.random() < SAME else methods
        _call(statements, among[int(rng.random() * len(among))], receiver, factory, rng)
    last = test.statements[place]
    if rng.random() < AS_IT_WAS or not isinstance(last, st.MethodCall) or last.callee is None:
        statements += test.statements[place:]
    else:
        _call(statements, last.callee, last.receiver, factory, rng)
    return TestCase(tuple(statements)) if factory.has_room(statements) else test


def _objects(statements: tuple[Statement, ...], place: int, factory: Factory) -> list[tuple[Variable, list[Callee]]]:
    """What the statement there works on that is of the subject's classes, with the methods that it has."""
    wanted = set(used(statements[place]))
    found = []
    for statement in statements[:place]:
        variable = defined(statement)
        if variable not in wanted or type(statement) is st.Literal:
            continue
        cls = type_of(statement, factory.observed)
        if cls is None or not factory.is_own(cls):
            continue
        methods = [callee for callee in factory.methods_of(cls) if callee.kind is CalleeKind.METHOD and not callee.private]
        if methods and variable is not None:
            found.append((variable, methods))
    return found


def _called_on(statements: list[Statement], receiver: Variable) -> list[Callee]:
    calls = [one for one in statements if isinstance(one, st.MethodCall) and one.receiver == receiver]
    return list(dict.fromkeys([one.callee for one in calls if one.callee is not None]))


def _call(statements: list[Statement], callee: Callee, receiver: Variable, factory: Factory, rng: Random) -> None:
    positional: list[Variable] = []
    keywords: list[tuple[str, Variable]] = []
    for parameter in callee.parameters:
        kind = parameter.kind
        by_position = not keywords and (kind is _VAR_POSITIONAL or (parameter.required and kind in _POSITIONAL))
        if not (by_position or kind in _BY_NAME) or not (parameter.required or rng.random() < OPTIONAL):
            continue
        variable = _argument(statements, callee, parameter, receiver, factory, rng)
        if by_position:
            positional.append(variable)
        else:
            keywords.append((parameter.name, variable))
    arguments = Arguments(tuple(positional), tuple(keywords))
    statements.append(st.MethodCall(factory.new(), receiver, callee.name, arguments, callee))
    factory.drive(statements, callee, statements[-1][0], rng, 1)


def _argument(
    statements: list[Statement], callee: Callee, parameter: Parameter, receiver: Variable, factory: Factory, rng: Random
) -> Variable:
    """Something that came up in calls on the same object, or as the factory gives it."""
    if rng.random() < AGAIN:
        known = [variable for variable in _came_up(statements, receiver) if _fits(statements, variable, parameter, factory)]
        if known:
            return known[int(rng.random() * len(known))]
    return factory.parameter(statements, callee, parameter, rng, 1)


def _came_up(statements: list[Statement], receiver: Variable) -> list[Variable]:
    """What was passed to calls on the object, and what they returned."""
    found: dict[Variable, None] = {}
    for statement in statements:
        if isinstance(statement, st.MethodCall) and statement.receiver == receiver:
            found.update(dict.fromkeys(used(statement)[1:]))
            found[statement.variable] = None
    return list(found)


def _fits(statements: list[Statement], variable: Variable, parameter: Parameter, factory: Factory) -> bool:
    if parameter.hint is ANY:
        return True
    for statement in reversed(statements):
        if defined(statement) == variable:
            hint = factory.hint_of_statement(statement)
            return isinstance(hint, ClassHint) and factory.accepts(parameter.hint, hint.cls)
    return False
