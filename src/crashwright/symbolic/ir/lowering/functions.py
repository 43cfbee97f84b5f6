"""A scope of a source file as a function of instructions: all tables together."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from crashwright.core.location import Position
from crashwright.symbolic.ir.lowering.assignments import ASSIGNMENTS, TARGETS
from crashwright.symbolic.ir.lowering.calls import CALLS
from crashwright.symbolic.ir.lowering.comprehensions import COMPREHENSIONS
from crashwright.symbolic.ir.lowering.conditions import CONDITIONS
from crashwright.symbolic.ir.lowering.definitions import DEFINED_VALUES, DEFINITIONS
from crashwright.symbolic.ir.lowering.expressions import EXPRESSIONS
from crashwright.symbolic.ir.lowering.handlers import HANDLERS
from crashwright.symbolic.ir.lowering.loops import LOOPS
from crashwright.symbolic.ir.lowering.lowering import Lowering, ModuleNames, Tables
from crashwright.symbolic.ir.lowering.matching import MATCHING
from crashwright.symbolic.ir.lowering.statements import STATEMENTS
from crashwright.symbolic.ir.nodes import Constant, Display, Function, Kind, Parameter
from crashwright.symbolic.ir.scopes import FUNCTIONS, Scope

_TABLES = Tables(
    values={**EXPRESSIONS, **CALLS, **COMPREHENSIONS, **DEFINED_VALUES},
    conditions=CONDITIONS,
    statements={**STATEMENTS, **ASSIGNMENTS, **LOOPS, **HANDLERS, **MATCHING, **DEFINITIONS},
    targets=TARGETS,
)


def lower(scope: Scope, module: str, names: ModuleNames, collecting: bool = False) -> Function:
    """The instructions of a function, lambda, module or class body; one that nests too deeply is opaque as a whole. ``collecting``:
    a generator that returns all that it would yield, in a list."""
    lowering = Lowering(scope, names, _TABLES)
    try:
        _body(lowering, collecting)
    except RecursionError:
        lowering = Lowering(scope, names, _TABLES)
        _too_deep(lowering)
    graph, node = lowering.graph, scope.node
    return Function(
        module,
        scope.qualname,
        scope.first_line,
        parameters_of(node.args) if isinstance(node, FUNCTIONS) else (),
        graph.nodes,
        returns=_numbers(lowering, Kind.RETURN),
        raises=_numbers(lowering, Kind.RAISE),
        blocks=tuple(graph.blocks),
        class_name=scope.class_name,
        kind=kind_of(scope),
        decorators=tuple(_texts(getattr(node, "decorator_list", ()))),
        return_annotation=_text(getattr(node, "returns", None)),
        unmodelled=tuple(lowering.unmodelled),
    )


def _body(lowering: Lowering, collecting: bool) -> None:
    graph, node = lowering.graph, lowering.function.node
    _entry(lowering)
    if collecting and lowering.function.is_generator:
        lowering.yielded = graph.temporary()
        graph.emit(Kind.DISPLAY, lowering.yielded, (), Display("list"))
    if isinstance(node, ast.Lambda):
        graph.emit(Kind.RETURN, None, (lowering.value(node.body),))
    elif isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        lowering.run(node.body)
        if graph.frontier:
            graph.emit(Kind.RETURN, None, (lowering.yielded or Constant(None),))


def _entry(lowering: Lowering) -> None:
    scope = lowering.function
    lowering.graph.emit(Kind.ENTRY, position=Position(scope.first_line, 0, scope.first_line, 0))
    if isinstance(scope.node, FUNCTIONS):
        lowering.graph.bind([scope.place(one.name) for one in parameters_of(scope.node.args)])


def _too_deep(lowering: Lowering) -> None:
    _entry(lowering)
    result = lowering.opaque("nests too deeply", lowering.function.node)
    lowering.graph.emit(Kind.RETURN, None, (result,))


def _numbers(lowering: Lowering, kind: Kind) -> tuple[int, ...]:
    return tuple([node.number for node in lowering.graph.nodes if node.kind is kind])


def kind_of(scope: Scope) -> str:
    """What of the kinds of :class:`Function` a scope is."""
    node = scope.node
    if isinstance(node, ast.AsyncFunctionDef):
        return "async generator" if scope.is_generator else "async"
    if isinstance(node, ast.FunctionDef):
        return "generator" if scope.is_generator else "function"
    return {ast.Lambda: "lambda", ast.Module: "module"}.get(type(node), "class")


def parameters_of(args: ast.arguments) -> tuple[Parameter, ...]:
    """The parameters in the order of the signature."""
    either = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [*[None] * (len(either) - len(args.defaults)), *args.defaults]
    found = [
        _parameter(one, "positional only" if place < len(args.posonlyargs) else "either", default)
        for place, (one, default) in enumerate(zip(either, defaults, strict=True))
    ]
    if args.vararg is not None:
        found.append(_parameter(args.vararg, "*", None))
    found += [_parameter(one, "keyword only", default) for one, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    if args.kwarg is not None:
        found.append(_parameter(args.kwarg, "**", None))
    return tuple(found)


def _parameter(one: ast.arg, form: str, default: ast.expr | None) -> Parameter:
    return Parameter(one.arg, form, _text(one.annotation), None if default is None else ast.unparse(default))


def _text(node: ast.expr | None) -> str:
    return "" if node is None else ast.unparse(node)


def _texts(nodes: Iterable[ast.expr]) -> list[str]:
    return [ast.unparse(node) for node in nodes]
