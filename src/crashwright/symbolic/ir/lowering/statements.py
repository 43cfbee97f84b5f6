"""Statements that are no assignments, loops, definitions or protected stretches."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from crashwright.symbolic.ir.lowering.lowering import Lowering
from crashwright.symbolic.ir.lowering.positions import of_assertion, position_of
from crashwright.symbolic.ir.nodes import Call, Constant, Edge, Global, Imported, Kind, NamedCallee, Operand


def _expression(lowering: Lowering, node: ast.Expr) -> None:
    if not isinstance(node.value, ast.Constant):
        lowering.value(node.value)


def _nothing(_lowering: Lowering, _node: ast.stmt) -> None:
    """``pass``, ``global``, ``nonlocal``."""


def _if(lowering: Lowering, node: ast.If) -> None:
    graph = lowering.graph
    block = graph.open_block()
    ways = lowering.condition(node.test, node)
    done: list[Edge] = []
    for frontier, body in ((ways.true, node.body), (ways.false, node.orelse)):
        graph.frontier = frontier
        lowering.run(body)
        done.extend(graph.frontier)
    graph.frontier = done
    graph.close_block(block)


def _assert(lowering: Lowering, node: ast.Assert) -> None:
    graph = lowering.graph
    block = graph.open_block()
    ways = lowering.condition(node.test, node)
    graph.frontier = ways.false
    if ways.false:
        error: Operand = Global("AssertionError")
        position = of_assertion(node, lowering.anchor(node), lowering.version)
        if node.msg is not None:
            call = Call(NamedCallee(Global("AssertionError"), "AssertionError"), ("",))
            error = lowering.result(Kind.CALL, (lowering.value(node.msg),), call, position)
        graph.emit(Kind.RAISE, None, (error,), "AssertionError", position)
    graph.frontier = ways.true
    graph.close_block(block)


def _return(lowering: Lowering, node: ast.Return) -> None:
    value: Operand = Constant(None) if node.value is None else lowering.value(node.value)
    give_back(lowering, value, node)


def give_back(lowering: Lowering, value: Operand, node: ast.AST) -> None:
    """Returns from the function, through all that is open."""
    if lowering.cleanups:
        value = lowering.held(value)
    lowering.clean_up(0)
    if lowering.graph.frontier:
        lowering.graph.emit(Kind.RETURN, None, (lowering.yielded or value,), None, position_of(node))
        lowering.graph.frontier = []


def _raise(lowering: Lowering, node: ast.Raise) -> None:
    graph = lowering.graph
    if node.exc is None:
        graph.emit(Kind.RAISE, None, lowering.caught[-1:], "", position_of(node))
    else:
        wanted = [node.exc] if node.cause is None else [node.exc, node.cause]
        operands = lowering.values(wanted)
        type_of = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        graph.emit(Kind.RAISE, None, operands, ast.unparse(type_of), position_of(node))
    graph.frontier = []


def _import(lowering: Lowering, node: ast.Import) -> None:
    for alias in node.names:
        imported = Imported(alias.name, "", 0, alias.asname is None and "." in alias.name)
        module = lowering.result(Kind.IMPORT, (), imported, position_of(node))
        lowering.copy(lowering.scope.place(alias.asname or alias.name.partition(".")[0]), module, position_of(node))


def _import_from(lowering: Lowering, node: ast.ImportFrom) -> None:
    for alias in node.names:
        if alias.name == "*":
            lowering.opaque("from ... import *", node)
            continue
        value = lowering.result(Kind.IMPORT, (), Imported(node.module or "", alias.name, node.level), position_of(node))
        lowering.copy(lowering.scope.place(alias.asname or alias.name), value, position_of(node))


STATEMENTS: Mapping[type[ast.stmt], Callable[[Lowering, Any], None]] = {
    ast.Expr: _expression,
    **dict.fromkeys((ast.Pass, ast.Global, ast.Nonlocal), _nothing),
    ast.If: _if,
    ast.Assert: _assert,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
}
