"""Inserting a statement with all that it needs: a random call, or something done to a variable at hand."""

from __future__ import annotations

from random import Random

from crashwright.engine.subject.api.callee import CalleeKind
from crashwright.engine.subject.api.hints import hint_of
from crashwright.engine.subject.api.types import ANY, ClassHint, Hint
from crashwright.engine.subject.introspection import class_name, is_class, own_annotations
from crashwright.engine.subject.layers import can_be_deleted, can_be_set
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.instance_fields import SHARE
from crashwright.engine.testcase.making.values import SCALARS
from crashwright.engine.testcase.operators import BINARY
from crashwright.engine.testcase.statements import Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.testcase.variables import defined

_CALLABLE_TYPES = frozenset({"function", "builtin_function_or_method", "method", "type", "partial"})
_KEYED = frozenset({dict, list, bytearray})
_OPERATORS = ("==", "!=", "<", "+", "in", "%", "*", "|", "-", "&")
_FOREIGN, _REFLECTED, _DEFINED = 0.5, 0.4, 0.7
"""How often an operand is of any type, stands on the left of the object, and an operator is one that the object's class has."""


def insert(test: TestCase, position: int, factory: Factory, rng: Random) -> TestCase:
    """With one more statement before ``position``, and those that it needs. The test itself where it would grow too long."""
    statements = list(test.statements[:position])
    if factory.preferences.fields and rng.random() < SHARE and _set_field(statements, factory, rng):
        longer = (*statements, *test.statements[position:])
        return TestCase(longer) if factory.has_room(longer) else test
    roll = rng.random()
    if roll < 0.25 and statements:
        if not _on_variable(statements, factory, rng):
            factory.random_call(statements, rng)
    elif roll < 0.4:
        factory.call_entry(statements, rng)
    else:
        factory.random_call(statements, rng)
    longer = (*statements, *test.statements[position:])
    return TestCase(longer) if factory.has_room(longer) else test


def _on_variable(statements: list[Statement], factory: Factory, rng: Random) -> bool:
    """Appends something that is done to a variable of a known type; False where nothing fits the one drawn."""
    drawn = statements[int(rng.random() * len(statements))]
    variable = defined(drawn)
    cls = type_of(drawn, factory.observed)
    if variable is None or cls is None or cls in SCALARS:
        return False
    if cls in _KEYED:
        _item(statements, variable, cls, factory, rng)
        return True
    if class_name(cls) in _CALLABLE_TYPES and type(drawn) is not st.RunModule:
        arguments = tuple(factory.argument(statements, ANY, rng, 2) for _ in range(int(rng.random() * 3)))
        statements.append(st.CallValue(factory.new(), variable, st.Arguments(arguments)))
        return True
    if rng.random() < 0.3:
        # The other operand may be anything: what to do with it is the operator's affair, from whichever side it is asked.
        foreign = factory.diverse and rng.random() < _FOREIGN
        other = factory.argument(statements, ANY if foreign else ClassHint(cls), rng, 2)
        operator = _operator(cls, factory, rng)
        operands = (other, variable) if factory.diverse and rng.random() < _REFLECTED else (variable, other)
        statements.append(st.Operation(factory.new(), operator, operands))
        return True
    return _set_or_delete(statements, variable, cls, factory, rng)


def _set_field(statements: list[Statement], factory: Factory, rng: Random) -> bool:
    """Appends what sets a plain attribute that stands in the way; False where no object has one."""
    made = [
        (variable, type_of(one, factory.observed))
        for one in statements
        if type(one) is not st.Literal and (variable := defined(one)) is not None
    ]
    return factory.preferences.fields.set_one(factory, statements, made, rng)


def _operator(cls: type, factory: Factory, rng: Random) -> str:
    """One that the class defines, mostly, where edits are diverse."""
    if factory.diverse and rng.random() < _DEFINED:
        own = [BINARY[callee.name] for callee in factory.methods_of(cls) if callee.name in BINARY]
        if own:
            return own[int(rng.random() * len(own))]
    return _OPERATORS[int(rng.random() * len(_OPERATORS))]


def _item(statements: list[Statement], variable: Variable, cls: type, factory: Factory, rng: Random) -> None:
    key = factory.argument(statements, ClassHint(str if cls is dict else int), rng, 2, "key" if cls is dict else "index")
    roll = rng.random()
    if roll < 0.5:
        value = factory.argument(statements, ClassHint(int) if cls is bytearray else ANY, rng, 2)
        statements.append(st.SetItem(variable, key, value))
    elif roll < 0.8:
        statements.append(st.GetItem(factory.new(), variable, key))
    else:
        statements.append(st.DeleteItem(variable, key))


def _set_or_delete(statements: list[Statement], variable: Variable, cls: type, factory: Factory, rng: Random) -> bool:
    """Sets a public attribute, a property that can be set or one that the class annotates; or deletes a property."""
    found: list[tuple[str, Hint, bool, bool]] = [
        (callee.name, callee.returns, can_be_set(callee.live), can_be_deleted(callee.live))
        for callee in factory.methods_of(cls)
        if callee.kind is CalleeKind.PROPERTY and not callee.private
    ]
    found.extend(
        (name, hint_of(annotation) if is_class(annotation) else ANY, True, False)
        for name, annotation in own_annotations(cls).items()
        if not name.startswith("_")
    )
    found = [one for one in found if one[2] or one[3]]
    if not found:
        return False
    name, hint, settable, deletable = found[int(rng.random() * len(found))]
    if deletable and not (settable and rng.random() < 0.5):
        statements.append(st.DeleteAttribute(variable, name))
    else:
        statements.append(st.SetAttribute(variable, name, factory.argument(statements, hint, rng, 2, name)))
    return True
