"""Targets: assignment, unpacking, augmented assignment, deletion."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from crashwright.symbolic.ir.lowering.expressions import BINARY, sliced
from crashwright.symbolic.ir.lowering.lowering import Lowering
from crashwright.symbolic.ir.lowering.positions import of_attribute, position_of
from crashwright.symbolic.ir.nodes import Binary, Kind, Local, Operand, Unpacked


def _to_name(lowering: Lowering, target: ast.Name, value: Operand, whole: ast.AST) -> None:
    """The variable of a walrus in a comprehension is that of the function about it."""
    scope = lowering.scope.holder() if isinstance(whole, ast.NamedExpr) else lowering.scope
    place = scope.place(target.id)
    if not (isinstance(place, Local) and lowering.graph.rename_result(value, place)):
        lowering.copy(place, value, position_of(target))


def _to_attribute(lowering: Lowering, target: ast.Attribute, value: Operand, _whole: ast.AST) -> None:
    value = lowering.held(value) if lowering.is_changed_by(value, [target.value]) else value
    owner = lowering.value(target.value)
    lowering.graph.emit(Kind.SET_ATTRIBUTE, None, (owner, value), lowering.scope.mangled(target.attr), of_attribute(target))


def _to_subscript(lowering: Lowering, target: ast.Subscript, value: Operand, _whole: ast.AST) -> None:
    value = lowering.held(value) if lowering.is_changed_by(value, [target.value, target.slice]) else value
    if isinstance(target.slice, ast.Slice):
        operands = [*sliced(lowering, target, target.slice), value]
        lowering.graph.emit(Kind.SET_SLICE, None, operands, None, position_of(target))
    else:
        operands = [*lowering.values([target.value, target.slice]), value]
        lowering.graph.emit(Kind.SET_INDEX, None, operands, None, position_of(target))


def _to_several(lowering: Lowering, target: ast.Tuple | ast.List, value: Operand, whole: ast.AST) -> None:
    starred = [place for place, one in enumerate(target.elts) if isinstance(one, ast.Starred)]
    before = starred[0] if starred else len(target.elts)
    behind = len(target.elts) - before - 1 if starred else 0
    shape = Unpacked(before, behind, bool(starred))
    parts = lowering.result(Kind.UNPACK, (value,), shape, position_of(target))
    count = len(target.elts)
    for place, one in enumerate(target.elts):
        detail: object = place if place < before else (before, -behind) if place == before else place - count
        element = lowering.result(Kind.ELEMENT, (parts,), detail, position_of(one))
        lowering.assign(one.value if isinstance(one, ast.Starred) else one, element, whole)


def _assign(lowering: Lowering, node: ast.Assign) -> None:
    if len(node.targets) == 1 and _assign_in_turn(lowering, node.targets[0], node.value, node):
        return
    value = lowering.value(node.value)
    if len(node.targets) == 1:
        lowering.assign(node.targets[0], value, node)
        return
    value = lowering.held(value)
    lowering.graph.settle()
    for target in node.targets:
        if isinstance(target, ast.Name):
            lowering.copy(lowering.scope.place(target.id), value, position_of(target))
        else:
            lowering.assign(target, value, node)


def _assign_in_turn(lowering: Lowering, target: ast.expr, value: ast.expr, whole: ast.AST) -> bool:
    """``a, b = c, d`` makes no tuple."""
    pairs = (ast.Tuple, ast.List)
    if not (isinstance(target, pairs) and isinstance(value, pairs) and len(target.elts) == len(value.elts)):
        return False
    if any(isinstance(one, ast.Starred) for one in (*target.elts, *value.elts)):
        return False
    values = [lowering.held(one) for one in lowering.values(value.elts)]
    for one, operand in zip(target.elts, values, strict=True):
        if isinstance(one, ast.Name):
            lowering.copy(lowering.scope.place(one.id), operand, position_of(one))
        else:
            lowering.assign(one, operand, whole)
    return True


def _assign_annotated(lowering: Lowering, node: ast.AnnAssign) -> None:
    if node.value is not None:
        lowering.assign(node.target, lowering.value(node.value), node)


def _assign_augmented(lowering: Lowering, node: ast.AugAssign) -> None:
    """The parts of the target are evaluated once, before the value."""
    target = node.target
    if isinstance(target, ast.Name):
        old = lowering.read(target.id, target)
        old = lowering.held(old) if lowering.is_changed_by(old, [node.value]) else old
        new = _changed(lowering, node, old)
        _to_name(lowering, target, new, node)
    elif isinstance(target, ast.Attribute):
        owner = _kept(lowering, lowering.value(target.value), node.value)
        name, position = lowering.scope.mangled(target.attr), of_attribute(target)
        old = lowering.result(Kind.ATTRIBUTE, (owner,), name, position)
        lowering.graph.emit(Kind.SET_ATTRIBUTE, None, (owner, _changed(lowering, node, old)), name, position)
    elif isinstance(target.slice, ast.Slice):
        parts = [_kept(lowering, one, node.value) for one in sliced(lowering, target, target.slice)]
        old = lowering.result(Kind.SLICE, parts, None, position_of(target))
        lowering.graph.emit(Kind.SET_SLICE, None, (*parts, _changed(lowering, node, old)), None, position_of(target))
    else:
        parts = [_kept(lowering, one, node.value) for one in lowering.values([target.value, target.slice])]
        old = lowering.result(Kind.INDEX, parts, None, position_of(target))
        lowering.graph.emit(Kind.SET_INDEX, None, (*parts, _changed(lowering, node, old)), None, position_of(target))


def _kept(lowering: Lowering, value: Operand, later: ast.expr) -> Operand:
    return lowering.held(value) if lowering.is_changed_by(value, [later]) else value


def _changed(lowering: Lowering, node: ast.AugAssign, old: Operand) -> Operand:
    new = lowering.value(node.value)
    return lowering.result(Kind.BINARY, (old, new), Binary(BINARY[type(node.op)], in_place=True), position_of(node))


def _delete(lowering: Lowering, node: ast.Delete) -> None:
    for target in node.targets:
        _delete_one(lowering, target)


def _delete_one(lowering: Lowering, target: ast.expr) -> None:
    graph = lowering.graph
    if isinstance(target, ast.Name):
        graph.emit(Kind.DELETE, lowering.scope.place(target.id), (), None, position_of(target))
    elif isinstance(target, ast.Attribute):
        name = lowering.scope.mangled(target.attr)
        graph.emit(Kind.DELETE_ATTRIBUTE, None, (lowering.value(target.value),), name, of_attribute(target))
    elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
        graph.emit(Kind.DELETE_SLICE, None, sliced(lowering, target, target.slice), None, position_of(target))
    elif isinstance(target, ast.Subscript):
        operands = lowering.values([target.value, target.slice])
        graph.emit(Kind.DELETE_INDEX, None, operands, None, position_of(target))
    elif isinstance(target, (ast.Tuple, ast.List)):
        for one in target.elts:
            _delete_one(lowering, one)


TARGETS: Mapping[type[ast.expr], Callable[[Lowering, Any, Operand, ast.AST], None]] = {
    ast.Name: _to_name,
    ast.Attribute: _to_attribute,
    ast.Subscript: _to_subscript,
    ast.Tuple: _to_several,
    ast.List: _to_several,
}
ASSIGNMENTS: Mapping[type[ast.stmt], Callable[[Lowering, Any], None]] = {
    ast.Assign: _assign,
    ast.AnnAssign: _assign_annotated,
    ast.AugAssign: _assign_augmented,
    ast.Delete: _delete,
}
