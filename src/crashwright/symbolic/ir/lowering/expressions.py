"""Expressions that are no calls, comprehensions or definitions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crashwright.symbolic.ir.lowering.conditions import branch, comparisons
from crashwright.symbolic.ir.lowering.lowering import Lowering
from crashwright.symbolic.ir.lowering.positions import of_attribute, of_field, position_of
from crashwright.symbolic.ir.nodes import Binary, Block, Call, Constant, Display, Edge, Global, Kind, Local, NamedCallee, Operand

BINARY: Mapping[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.MatMult: "@",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
_UNARY: Mapping[type[ast.unaryop], str] = {ast.UAdd: "+", ast.USub: "-", ast.Invert: "~", ast.Not: "not"}
_CONVERSIONS = {-1: "", ord("s"): "s", ord("r"): "r", ord("a"): "a"}


def _constant(_lowering: Lowering, node: ast.Constant) -> Operand:
    return Constant(node.value)


def _name(lowering: Lowering, node: ast.Name) -> Operand:
    if node.id == "__debug__":
        return Constant(True)
    return lowering.read(node.id, node)


def _attribute(lowering: Lowering, node: ast.Attribute) -> Operand:
    owner = lowering.value(node.value)
    return lowering.result(Kind.ATTRIBUTE, (owner,), lowering.scope.mangled(node.attr), of_attribute(node))


def _subscript(lowering: Lowering, node: ast.Subscript) -> Operand:
    if isinstance(node.slice, ast.Slice):
        return lowering.result(Kind.SLICE, sliced(lowering, node, node.slice), None, position_of(node))
    return lowering.result(Kind.INDEX, lowering.values([node.value, node.slice]), None, position_of(node))


def sliced(lowering: Lowering, node: ast.Subscript, bounds: ast.Slice) -> list[Operand]:
    """The object and its three bounds."""
    nothing = ast.Constant(None)
    return lowering.values([node.value, bounds.lower or nothing, bounds.upper or nothing, bounds.step or nothing])


def _slice(lowering: Lowering, node: ast.Slice) -> Operand:
    """A slice within a key of several is an object."""
    nothing = ast.Constant(None)
    bounds = lowering.values([node.lower or nothing, node.upper or nothing, node.step or nothing])
    if "slice" in lowering.names.redefined:
        return lowering.opaque("slice as a part of a key", node, bounds)
    return lowering.result(Kind.CALL, bounds, Call(NamedCallee(Global("slice"), "slice"), ("", "", "")), position_of(node))


def _unary(lowering: Lowering, node: ast.UnaryOp) -> Operand:
    value = lowering.value(node.operand)
    operator = _UNARY[type(node.op)]
    if isinstance(value, Constant):
        if operator == "not":
            return Constant(not value.value)
        if operator == "-" and isinstance(value.value, (int, float, complex)):
            return Constant(-value.value)
    return lowering.result(Kind.UNARY, (value,), operator, position_of(node))


def _binary(lowering: Lowering, node: ast.BinOp) -> Operand:
    return lowering.result(Kind.BINARY, lowering.values([node.left, node.right]), Binary(BINARY[type(node.op)]), position_of(node))


def _compare(lowering: Lowering, node: ast.Compare) -> Operand:
    if len(node.ops) == 1:
        return next(comparisons(lowering, node))
    graph = lowering.graph
    block, target = graph.open_block(), graph.temporary()
    done: list[Edge] = []
    count = len(node.ops)
    for place, value in enumerate(comparisons(lowering, node), 1):
        if place == count:
            lowering.copy(target, value)
            break
        ways = branch(lowering, value, position_of(node))
        graph.frontier = ways.false
        lowering.copy(target, value)
        done.extend(graph.frontier)
        graph.frontier = ways.true
    return _merged(lowering, block, target, [*done, *graph.frontier])


def _short_circuit(lowering: Lowering, node: ast.BoolOp) -> Operand:
    graph = lowering.graph
    block, target = graph.open_block(), graph.temporary()
    done: list[Edge] = []
    for operand in node.values[:-1]:
        value = lowering.value(operand)
        ways = branch(lowering, value, position_of(node))
        stop, go_on = (ways.false, ways.true) if isinstance(node.op, ast.And) else (ways.true, ways.false)
        graph.frontier = stop
        if stop:
            lowering.copy(target, value)
        done.extend(graph.frontier)
        graph.frontier = go_on
        if not go_on:
            break
    else:
        lowering.copy(target, lowering.value(node.values[-1]))
    return _merged(lowering, block, target, [*done, *graph.frontier])


def _chosen(lowering: Lowering, node: ast.IfExp) -> Operand:
    graph = lowering.graph
    block, target = graph.open_block(), graph.temporary()
    ways = lowering.condition(node.test, node)
    done: list[Edge] = []
    for frontier, operand in ((ways.true, node.body), (ways.false, node.orelse)):
        graph.frontier = frontier
        if frontier:
            lowering.copy(target, lowering.value(operand))
            done.extend(graph.frontier)
    return _merged(lowering, block, target, done)


def _merged(lowering: Lowering, block: Block, target: Local, done: list[Edge]) -> Operand:
    lowering.graph.frontier = done
    lowering.graph.close_block(block)
    return target


def _walrus(lowering: Lowering, node: ast.NamedExpr) -> Operand:
    value = lowering.value(node.value)
    lowering.assign(node.target, value, node)
    return lowering.scope.holder().place(node.target.id)


def _items(lowering: Lowering, kind: str, node: ast.List | ast.Tuple | ast.Set) -> Operand:
    starred = tuple([place for place, one in enumerate(node.elts) if isinstance(one, ast.Starred)])
    values = lowering.values([one.value if isinstance(one, ast.Starred) else one for one in node.elts])
    if kind == "tuple" and not starred and all(isinstance(value, Constant) for value in values):
        return Constant(tuple([value.value for value in values if isinstance(value, Constant)]))
    return lowering.result(Kind.DISPLAY, values, Display(kind, starred), position_of(node))


def _list(lowering: Lowering, node: ast.List) -> Operand:
    return _items(lowering, "list", node)


def _tuple(lowering: Lowering, node: ast.Tuple) -> Operand:
    return _items(lowering, "tuple", node)


def _set(lowering: Lowering, node: ast.Set) -> Operand:
    return _items(lowering, "set", node)


def _dict(lowering: Lowering, node: ast.Dict) -> Operand:
    flat: list[ast.expr] = []
    starred: list[int] = []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            starred.append(len(flat))
        flat.extend((value, ast.Constant(None)) if key is None else (key, value))
    return lowering.result(Kind.DISPLAY, lowering.values(flat), Display("dict", tuple(starred)), position_of(node))


def _text(lowering: Lowering, node: ast.JoinedStr) -> Operand:
    parts = [_part(lowering, part, node) for part in node.values]
    if len(parts) == 1:
        return parts[0]
    return lowering.result(Kind.TEXT, parts, None, position_of(node))


def _part(lowering: Lowering, part: ast.expr, whole: ast.JoinedStr) -> Operand:
    if not isinstance(part, ast.FormattedValue):
        return lowering.value(part)
    wanted: Sequence[ast.expr] = [part.value] if part.format_spec is None else [part.value, part.format_spec]
    position = of_field(part, whole, lowering.version)
    return lowering.result(Kind.FORMAT, lowering.values(wanted), _CONVERSIONS[part.conversion], position)


def _await(lowering: Lowering, node: ast.Await) -> Operand:
    return lowering.result(Kind.AWAIT, (lowering.value(node.value),), None, position_of(node))


EXPRESSIONS: Mapping[type[ast.expr], Callable[[Lowering, Any], Operand]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.Compare: _compare,
    ast.BoolOp: _short_circuit,
    ast.IfExp: _chosen,
    ast.NamedExpr: _walrus,
    ast.List: _list,
    ast.Tuple: _tuple,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.JoinedStr: _text,
    ast.Await: _await,
}
