"""Conditions: short circuits are branches, and a test that is a constant has one way."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from crashwright.core.location import Position
from crashwright.symbolic.ir.lowering.lowering import Branches, Lowering
from crashwright.symbolic.ir.lowering.positions import of_test, position_of
from crashwright.symbolic.ir.nodes import Constant, Edge, Kind, Operand

OPERATORS: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


def branch(lowering: Lowering, value: Operand, position: Position | None) -> Branches:
    """Both ways of a value's truth."""
    graph = lowering.graph
    if isinstance(value, Constant):
        here, graph.frontier = graph.frontier, []
        return Branches(here, []) if value.value else Branches([], here)
    graph.settle()
    start = list(graph.frontier)
    graph.emit(Kind.ASSUME, None, (value,), True, position)
    true = graph.frontier
    graph.frontier = start
    graph.emit(Kind.ASSUME, None, (value,), False, position)
    false, graph.frontier = graph.frontier, []
    return Branches(true, false)


def _test(lowering: Lowering, node: ast.expr, whole: ast.AST) -> Branches:
    return branch(lowering, lowering.value(node), of_test(node, lowering.anchor(whole), lowering.version))


def _short_circuit(lowering: Lowering, node: ast.BoolOp, whole: ast.AST) -> Branches:
    graph = lowering.graph
    done: Branches = Branches([], [])
    is_and = isinstance(node.op, ast.And)
    for operand in node.values:
        if not graph.frontier:
            break
        true, false = lowering.condition(operand, whole)
        (done.false if is_and else done.true).extend(false if is_and else true)
        graph.frontier = true if is_and else false
    (done.true if is_and else done.false).extend(graph.frontier)
    graph.frontier = []
    return done


def _negated(lowering: Lowering, node: ast.UnaryOp, whole: ast.AST) -> Branches:
    if not isinstance(node.op, ast.Not):
        return _test(lowering, node, whole)
    true, false = lowering.condition(node.operand, whole)
    return Branches(false, true)


def _chosen(lowering: Lowering, node: ast.IfExp, whole: ast.AST) -> Branches:
    graph = lowering.graph
    true, false = lowering.condition(node.test, whole)
    done = Branches([], [])
    for frontier, operand in ((true, node.body), (false, node.orelse)):
        graph.frontier = frontier
        if frontier:
            ways = lowering.condition(operand, whole)
            done.true.extend(ways.true)
            done.false.extend(ways.false)
    graph.frontier = []
    return done


def _compared(lowering: Lowering, node: ast.Compare, whole: ast.AST) -> Branches:
    """A chain asks from left to right and stops where one fails."""
    lowering.anchors[whole] = node
    if len(node.ops) == 1:
        return _test(lowering, node, whole)
    false: list[Edge] = []
    for value in comparisons(lowering, node):
        ways = branch(lowering, value, position_of(node))
        false.extend(ways.false)
        lowering.graph.frontier = ways.true
    true, lowering.graph.frontier = lowering.graph.frontier, []
    return Branches(true, false)


def comparisons(lowering: Lowering, node: ast.Compare) -> Iterator[Operand]:
    """The results of a chain's comparisons, each made when it is asked for: where the one before it held."""
    left = lowering.value(node.left)
    if lowering.is_changed_by(left, node.comparators[:1]):
        left = lowering.held(left)
    for place, (operator, comparator) in enumerate(zip(node.ops, node.comparators, strict=True)):
        right = lowering.value(comparator)
        if lowering.is_changed_by(right, node.comparators[place + 1 : place + 2]):
            right = lowering.held(right)
        yield lowering.result(Kind.COMPARE, (left, right), OPERATORS[type(operator)], position_of(node))
        left = right


CONDITIONS: Mapping[type[ast.expr], Callable[[Lowering, Any, ast.AST], Branches]] = {
    ast.expr: _test,
    ast.BoolOp: _short_circuit,
    ast.UnaryOp: _negated,
    ast.IfExp: _chosen,
    ast.Compare: _compared,
}
