"""What takes exceptions or sees them pass: ``try`` with its clauses, ``finally``, ``with``.

``finally`` and the exit of ``with`` are written out for each way out of their stretch: behind it, before what leaves it, and for
what is raised in it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crashwright.symbolic.ir.lowering.conditions import branch
from crashwright.symbolic.ir.lowering.graph import Protected
from crashwright.symbolic.ir.lowering.lowering import Cleanup, Lowering
from crashwright.symbolic.ir.lowering.positions import of_manager, position_of
from crashwright.symbolic.ir.nodes import Caught, Constant, Edge, Kind, Operand, Way


def _try_groups(lowering: Lowering, node: ast.TryStar) -> None:
    lowering.note("except*")
    _try(lowering, node)


def _try(lowering: Lowering, node: ast.Try | ast.TryStar) -> None:
    if not node.finalbody:
        _clauses(lowering, node)
        return

    def final() -> None:
        lowering.run(node.finalbody)

    def passing(_exception: Operand) -> list[Edge]:
        lowering.run(node.finalbody)
        return []

    _watched(lowering, lambda: _clauses(lowering, node), final, passing)


def _watched(
    lowering: Lowering, body: Callable[[], None], leaving: Callable[[], None], passing: Callable[[Operand], list[Edge]]
) -> None:
    """A stretch that is left by ``leaving``, or by ``passing`` where an exception passes through, whose result is where the
    exception ends instead."""
    graph = lowering.graph
    block = graph.open_block()
    lowering.cleanups.append(Cleanup(leaving, graph.depth, len(lowering.loops), len(lowering.caught)))
    with graph.protected() as stretch:
        body()
    lowering.cleanups.pop()
    if graph.frontier:
        leaving()
    done = graph.frontier
    caught = _caught(lowering, stretch, Caught())
    if caught is not None:
        done = [*done, *passing(caught)]
        if graph.frontier:
            lowering.raise_again(caught)
        lowering.caught.pop()
    graph.frontier = done
    graph.close_block(block)


def _caught(lowering: Lowering, stretch: Protected, what: Caught, node: ast.AST | None = None) -> Operand | None:
    """Goes on where an exception of a stretch arrives; nothing where none does."""
    graph = lowering.graph
    graph.frontier = [Edge(number, Way.RAISED) for number in stretch.raisers]
    if not graph.frontier:
        return None
    caught = graph.temporary()
    graph.emit(Kind.HANDLER, caught, (), what, None if node is None else position_of(node))
    lowering.caught.append(caught)
    return caught


def _clauses(lowering: Lowering, node: ast.Try | ast.TryStar) -> None:
    """The body, ``else``, and what the clauses do; what none of them takes goes on to the stretches about them."""
    if not node.handlers:
        lowering.run(node.body)
        return
    graph = lowering.graph
    block = graph.open_block()
    with graph.protected() as stretch:
        lowering.run(node.body)
    lowering.run(node.orelse)
    done = list(graph.frontier)
    before: list[str] = []
    for clause in node.handlers:
        types = _types(clause.type)
        caught = _caught(lowering, stretch, Caught(types, tuple(before)), clause)
        if caught is None:
            break
        _clause(lowering, clause, caught)
        lowering.caught.pop()
        done.extend(graph.frontier)
        before.extend(types)
        if not types:
            break
    else:
        _not_taken(lowering, stretch, before)
    graph.frontier = done
    graph.close_block(block)


def _not_taken(lowering: Lowering, stretch: Protected, besides: Sequence[str]) -> None:
    """Where nothing about the stretch sees exceptions, they leave the function from where they are raised."""
    if not lowering.graph.depth:
        return
    caught = _caught(lowering, stretch, Caught((), tuple(besides)))
    if caught is not None:
        lowering.raise_again(caught)
        lowering.caught.pop()


def _clause(lowering: Lowering, clause: ast.ExceptHandler, caught: Operand) -> None:
    """The variable of a clause is unbound behind it."""
    graph = lowering.graph
    if clause.name is None:
        lowering.run(clause.body)
        return
    place = lowering.scope.place(clause.name)
    lowering.copy(place, caught, position_of(clause))

    def forget() -> None:
        if not graph.is_bound(place):
            lowering.copy(place, Constant(None))
        graph.emit(Kind.DELETE, place)

    lowering.cleanups.append(Cleanup(forget, graph.depth, len(lowering.loops), len(lowering.caught)))
    lowering.run(clause.body)
    lowering.cleanups.pop()
    if graph.frontier:
        forget()


def _types(node: ast.expr | None) -> tuple[str, ...]:
    if node is None:
        return ()
    return tuple([ast.unparse(one) for one in (node.elts if isinstance(node, ast.Tuple) else [node])])


def _with(lowering: Lowering, node: ast.With | ast.AsyncWith) -> None:
    _managed(lowering, node, node.items)


def _managed(lowering: Lowering, node: ast.With | ast.AsyncWith, items: Sequence[ast.withitem]) -> None:
    """The first of the managers, and the others and the body within."""
    if not items:
        lowering.run(node.body)
        return
    item, *others = items
    graph = lowering.graph
    detail = "async" if isinstance(node, ast.AsyncWith) else None
    position = of_manager(item.context_expr, node, lowering.version)
    manager = lowering.held(lowering.value(item.context_expr))
    entered = lowering.result(Kind.ENTER, (manager,), detail, position)

    def body() -> None:
        if item.optional_vars is not None:
            lowering.assign(item.optional_vars, entered, node)
        _managed(lowering, node, others)

    def leaving() -> None:
        lowering.result(Kind.EXIT, (manager,), detail, position)

    def passing(exception: Operand) -> list[Edge]:
        swallows = lowering.result(Kind.EXIT, (manager, exception), detail, position)
        ways = branch(lowering, swallows, position)
        graph.frontier = ways.false
        return ways.true

    _watched(lowering, body, leaving, passing)


HANDLERS: Mapping[type[ast.stmt], Callable[[Lowering, Any], None]] = {
    ast.Try: _try,
    ast.TryStar: _try_groups,
    ast.With: _with,
    ast.AsyncWith: _with,
}
