"""Comprehensions and generator expressions: loops that fill a fresh display, written out where they stand.

# Deviation: a generator expression runs at once, not when it is consumed. That is the same where it is handed to something that
uses it up before anything else happens (``sum``, ``list``, ``str.join``, ...); ``any``, ``all`` and ``next`` stop it where they
would. Elsewhere ``Function.unmodelled`` says it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from crashwright.core.location import Position
from crashwright.symbolic.ir.lowering.conditions import branch
from crashwright.symbolic.ir.lowering.loops import LoopOver, iterate
from crashwright.symbolic.ir.lowering.lowering import Lowering
from crashwright.symbolic.ir.lowering.positions import of_addition, of_iteration, position_of
from crashwright.symbolic.ir.nodes import Call, Display, Edge, Global, Kind, MethodCallee, Operand
from crashwright.symbolic.ir.scopes import Comprehension

_USE_UP = frozenset({"list", "tuple", "set", "frozenset", "dict", "sum", "sorted", "min", "max"})
_METHODS_USE_UP = frozenset({"join", "extend", "update", "writelines"})
_STOPPING = frozenset({"any", "all", "next"})


def _displayed(lowering: Lowering, node: ast.ListComp | ast.SetComp | ast.DictComp) -> Operand:
    kind = {ast.ListComp: "list", ast.SetComp: "set", ast.DictComp: "dict"}[type(node)]
    return _filled(lowering, node, kind, lambda made: _add(lowering, node, made))


def _generated(lowering: Lowering, node: ast.GeneratorExp) -> Operand:
    if node not in lowering.consumed:
        lowering.note("generator expression that runs at once")
    made = _filled(lowering, node, "list", lambda made: _add(lowering, node, made))
    return lowering.result(Kind.DISPLAY, (made,), Display("generator"), position_of(node))


def _filled(lowering: Lowering, node: Comprehension, kind: str, add: Callable[[Operand], None]) -> Operand:
    """The first iterable belongs to the scope about the comprehension."""
    over = _over(lowering, node, 0)
    made = lowering.result(Kind.DISPLAY, (), Display(kind), position_of(node))
    with lowering.inside(node):
        _level(lowering, node, 0, over, lambda: add(made))
    return made


def _over(lowering: Lowering, node: Comprehension, level: int) -> LoopOver:
    generator = node.generators[level]
    position = of_iteration(generator.iter, lowering.anchor(node), lowering.version)
    return LoopOver(lowering.value(generator.iter), position, bool(generator.is_async))


def _level(lowering: Lowering, node: Comprehension, level: int, over: LoopOver, add: Callable[[], None]) -> None:
    generator = node.generators[level]

    def inner() -> None:
        if level + 1 == len(node.generators):
            add()
        else:
            _level(lowering, node, level + 1, _over(lowering, node, level + 1), add)

    iterate(lowering, over, generator.target, lambda: _filtered(lowering, node, generator, inner))


def _filtered(lowering: Lowering, node: Comprehension, generator: ast.comprehension, inner: Callable[[], None]) -> None:
    graph = lowering.graph
    if not generator.ifs:
        inner()
        return
    block = graph.open_block()
    skipped: list[Edge] = []
    for test in generator.ifs:
        if graph.frontier:
            ways = lowering.condition(test, node)
            skipped.extend(ways.false)
            graph.frontier = ways.true
    if graph.frontier:
        inner()
    graph.frontier = [*graph.frontier, *skipped]
    graph.close_block(block)


def _add(lowering: Lowering, node: Comprehension, made: Operand) -> None:
    whole = lowering.anchor(node)
    if isinstance(node, ast.DictComp):
        operands = [made, *lowering.values([node.key, node.value])]
        position = of_addition(node.key, node.value, whole, lowering.version)
        lowering.graph.emit(Kind.SET_INDEX, None, operands, None, position)
        return
    position = of_addition(node.elt, node.elt, whole, lowering.version)
    _append(lowering, made, lowering.value(node.elt), position, "add" if isinstance(node, ast.SetComp) else "append")


def _append(lowering: Lowering, made: Operand, value: Operand, position: Position | None, name: str = "append") -> None:
    lowering.result(Kind.CALL, (made, value), Call(MethodCallee(name), ("",)), position)


def given(lowering: Lowering, call: ast.Call) -> Callable[[ast.expr], Operand]:
    """How the first argument of a call is lowered: a generator expression that this call uses up, or stops, is known to be."""
    if not call.args or not isinstance(call.args[0], ast.GeneratorExp):
        return lowering.value
    function = call.func
    generator = call.args[0]
    if isinstance(function, ast.Attribute) and function.attr in _METHODS_USE_UP:
        lowering.consumed.add(generator)
    elif isinstance(function, ast.Name) and lowering.scope.place(function.id) == Global(function.id):
        if function.id in lowering.names.redefined:
            return lowering.value
        if function.id in _STOPPING:
            return lambda node: _stopped(lowering, node, function.id, call) if node is generator else lowering.value(node)
        if function.id in _USE_UP:
            lowering.consumed.add(generator)
    return lowering.value


def _stopped(lowering: Lowering, node: ast.GeneratorExp, by: str, call: ast.Call) -> Operand:
    """What ``any``, ``all`` or ``next`` takes of a generator expression: the element that decides, if there is one."""
    graph = lowering.graph
    outermost = len(lowering.loops)

    def add(made: Operand) -> None:
        value = lowering.value(node.elt)
        position = position_of(call)
        going_on: list[Edge] = []
        if by != "next":
            ways = branch(lowering, value, position)
            decides, going_on = (ways.true, ways.false) if by == "any" else (ways.false, ways.true)
            graph.frontier = decides
        if graph.frontier:
            _append(lowering, made, value, position)
            lowering.loops[outermost].breaks.extend(graph.leave())
        graph.frontier = going_on

    made = _filled(lowering, node, "list", add)
    return lowering.result(Kind.DISPLAY, (made,), Display("generator"), position_of(node))


COMPREHENSIONS: Mapping[type[ast.expr], Callable[[Lowering, Any], Operand]] = {
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp), _displayed),
    ast.GeneratorExp: _generated,
}
