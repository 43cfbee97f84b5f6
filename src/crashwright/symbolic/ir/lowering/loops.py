"""Loops: a head, the body that comes back to it, and the ways out."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from crashwright.core.location import Position
from crashwright.symbolic.ir.lowering.conditions import branch
from crashwright.symbolic.ir.lowering.lowering import Branches, Loop, Lowering
from crashwright.symbolic.ir.lowering.positions import of_iteration
from crashwright.symbolic.ir.nodes import Kind, Operand


class LoopOver(NamedTuple):
    """What a loop goes through; ``position`` is that of its iterator's instructions."""

    value: Operand
    position: Position | None
    is_async: bool = False


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
    over: LoopOver,
    target: ast.expr,
    body: Callable[[], None],
    otherwise: Callable[[], None] = lambda: None,
) -> None:
    """A loop over what an object gives."""
    detail = "async" if over.is_async else None
    iterator = lowering.result(Kind.ITERATE, (over.value,), detail, over.position)

    def test() -> Branches:
        return branch(lowering, lowering.result(Kind.MORE, (iterator,), detail, over.position), over.position)

    def each() -> None:
        lowering.assign(target, lowering.result(Kind.NEXT, (iterator,), detail, over.position), target)
        body()

    loop(lowering, test, each, otherwise)


def _for(lowering: Lowering, node: ast.For | ast.AsyncFor) -> None:
    position = of_iteration(node.iter, node, lowering.version)
    over = LoopOver(lowering.value(node.iter), position, isinstance(node, ast.AsyncFor))
    iterate(lowering, over, node.target, lambda: lowering.run(node.body), lambda: lowering.run(node.orelse))


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
