"""Calls: who is called, what is passed, and the look-up of a method as a guard of its own."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crashwright.core.location import Position
from crashwright.symbolic.ir.lowering.comprehensions import given
from crashwright.symbolic.ir.lowering.lowering import Lowering
from crashwright.symbolic.ir.lowering.positions import of_attribute, position_of
from crashwright.symbolic.ir.nodes import (
    Call,
    Callee,
    Constant,
    Global,
    Kind,
    MethodCallee,
    NamedCallee,
    Operand,
    Place,
    ValueCallee,
)
from crashwright.symbolic.ir.scopes import FUNCTIONS, Scope


def _call(lowering: Lowering, node: ast.Call) -> Operand:
    function = node.func
    if isinstance(function, ast.Attribute):
        receiver = _self_of_super(lowering, function.value)
        if receiver is not None:
            callee = MethodCallee(lowering.scope.mangled(function.attr), by_super=True)
            return _passed(lowering, node, callee, [receiver], of_attribute(function, node))
        return _method(lowering, node, function)
    if isinstance(function, ast.Name):
        return _named(lowering, node, function)
    called = _before_arguments(lowering, node, lowering.value(function))
    return _passed(lowering, node, ValueCallee(), [called], position_of(node))


def _named(lowering: Lowering, node: ast.Call, function: ast.Name) -> Operand:
    if function.id == "super" and not node.args and not node.keywords:
        implicit = _super_arguments(lowering)
        if implicit is not None:
            callee: Callee = NamedCallee(Global("super"), "super")
            return lowering.result(Kind.CALL, implicit, Call(callee, ("", "")), position_of(node))
    start = _before_arguments(lowering, node, lowering.read(function.id, function))
    if isinstance(start, Constant) or start != lowering.scope.place(function.id):
        return _passed(lowering, node, ValueCallee(), [start], position_of(node))
    return _passed(lowering, node, NamedCallee(start, function.id), [], position_of(node))


def _method(lowering: Lowering, node: ast.Call, function: ast.Attribute) -> Operand:
    start = dotted_start(lowering, function)
    receiver = _before_arguments(lowering, node, lowering.value(function.value))
    name = lowering.scope.mangled(function.attr)
    lowering.graph.emit(Kind.METHOD, None, (receiver,), name, of_attribute(function))
    position = of_attribute(function, node)
    if start is not None:
        return _passed(lowering, node, NamedCallee(start, ast.unparse(function)), [], position)
    return _passed(lowering, node, MethodCallee(name), [receiver], position)


def dotted_start(lowering: Lowering, node: ast.expr) -> Place | None:
    """The import or class that a dotted name starts at."""
    while isinstance(node, ast.Attribute):
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    place = lowering.scope.place(node.id)
    return place if isinstance(place, Global) and place.name in lowering.names.dotted else None


def _before_arguments(lowering: Lowering, node: ast.Call, value: Operand) -> Operand:
    """A callee or receiver, which the arguments do not change any more."""
    later = [*node.args, *[one.value for one in node.keywords]]
    return lowering.held(value) if lowering.is_changed_by(value, later) else value


def _passed(lowering: Lowering, node: ast.Call, callee: Callee, before: Sequence[Operand], position: Position | None) -> Operand:
    """The arguments in the order in which they are evaluated, and the call."""
    passed = ["*" if isinstance(one, ast.Starred) else "" for one in node.args]
    passed += ["**" if one.arg is None else one.arg for one in node.keywords]
    nodes = [one.value if isinstance(one, ast.Starred) else one for one in node.args]
    values = lowering.values([*nodes, *[one.value for one in node.keywords]], given(lowering, node))
    return lowering.result(Kind.CALL, [*before, *values], Call(callee, tuple(passed)), position)


def _self_of_super(lowering: Lowering, node: ast.expr) -> Operand | None:
    """The receiver of ``super().name(...)``, and of ``super(Class, self)`` in a method of that class."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super" and not node.keywords):
        return None
    scope = _method_scope(lowering.function)
    first = _first_parameter(scope)
    if scope is None or first is None or scope is not lowering.function:
        return None
    if node.args:
        own = scope.class_name is not None and ast.unparse(node.args[0]) == scope.class_name.rpartition(".")[2]
        if len(node.args) != 2 or not own or ast.unparse(node.args[1]) != first:
            return None
    return lowering.read(first, node)


def _super_arguments(lowering: Lowering) -> list[Operand] | None:
    """What ``super()`` takes by itself."""
    first = _first_parameter(lowering.function)
    place = lowering.scope.place("__class__")
    if first is None or isinstance(place, Global):
        return None
    return [place, lowering.read(first, lowering.function.node)]


def _method_scope(scope: Scope) -> Scope | None:
    return scope if scope.class_name is not None else None


def _first_parameter(scope: Scope | None) -> str | None:
    if scope is None or not isinstance(scope.node, FUNCTIONS):
        return None
    parameters = [*scope.node.args.posonlyargs, *scope.node.args.args]
    return parameters[0].arg if parameters else None


CALLS: Mapping[type[ast.expr], Callable[[Lowering, Any], Operand]] = {ast.Call: _call}
