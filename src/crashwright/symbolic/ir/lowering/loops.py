"""Loops: a head, the body that comes back to it, and the ways out."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from crashwright.symbolic.ir.lowering.conditions import branch
from crashwright.symbolic.ir.lowering.lowering import Branches, Loop, Lowering
from crashwright.symbolic.ir.lowering.positions import of_iteration
from crashwright.symbolic.ir.nodes import Kind


def loop(
    lowering: Lowering, test: Callable[[], Branches], body: Callable[[], None], otherwise: Callable[[], None] = lambda: None
) -> None:
    """A loop from its head to the join behind it: where the test fails it goes ``otherwise``, where it is broken out of it does
    not."""
    graph = lowering.graph
    block = graph.open_block()
    head = graph.emit(Kind.HEAD)
    ways = test()
    this = Loop(len(lowering.cleanups))
    lowering.loops.append(this)
    graph.frontier = ways.true
    if graph.frontier:
        body()
    lowering.loops.pop()
    back = [*graph.frontier, *this.continues]
    graph.arrive(this.continues)
    head.before.extend(back)
    graph.frontier = ways.false
    if graph.frontier:
        otherwise()
    graph.arrive(this.breaks)
    graph.frontier = [*graph.frontier, *this.breaks]
    head.block = block
    graph.close_block(block)


def iterate(
    lowering: Lowering,
    iterated: ast.expr,
    target: ast.expr,
    whole: ast.AST,
    body: Callable[[], None],
    otherwise: Callable[[], None] = lambda: None,
    is_async: bool = False,
) -> None:
    """A loop over what an expression gives. ``whole``: the statement or comprehension that has it."""
    position = of_iteration(iterated, whole, lowering.version)
    detail = "async" if is_async else None
    iterator = lowering.result(Kind.ITERATE, (lowering.value(iterated),), detail, position)

    def test() -> Branches:
        return branch(lowering, lowering.result(Kind.MORE, (iterator,), detail, position), position)

    def each() -> None:
        lowering.assign(target, lowering.result(Kind.NEXT, (iterator,), detail, position), whole)
        body()

    loop(lowering, test, each, otherwise)


def _for(lowering: Lowering, node: ast.For | ast.AsyncFor) -> None:
    iterate(
        lowering,
        node.iter,
        node.target,
        node,
        lambda: lowering.run(node.body),
        lambda: lowering.run(node.orelse),
        isinstance(node, ast.AsyncFor),
    )


def _while(lowering: Lowering, node: ast.While) -> None:
    loop(
        lowering,
        lambda: lowering.condition(node.test, node),
        lambda: lowering.run(node.body),
        lambda: lowering.run(node.orelse),
    )


def _break(lowering: Lowering, _node: ast.Break) -> None:
    this = lowering.loops[-1]
    lowering.clean_up(this.cleanups)
    this.breaks.extend(lowering.graph.leave())


def _continue(lowering: Lowering, _node: ast.Continue) -> None:
    this = lowering.loops[-1]
    lowering.clean_up(this.cleanups)
    this.continues.extend(lowering.graph.leave())


LOOPS: Mapping[type[ast.stmt], Callable[[Lowering, Any], None]] = {
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Break: _break,
    ast.Continue: _continue,
}
