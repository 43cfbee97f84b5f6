"""Functions, lambdas and classes that are made within a function, and ``yield``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crashwright.symbolic.ir.lowering.lowering import Lowering
from crashwright.symbolic.ir.lowering.positions import position_of
from crashwright.symbolic.ir.nodes import Call, Constant, Definition, Kind, MethodCallee, Operand, ValueCallee
from crashwright.symbolic.ir.scopes import FunctionNode


def _made(lowering: Lowering, node: FunctionNode) -> Operand:
    """A function with its defaults. Annotations are not evaluated."""
    args = node.args
    positional = [one.arg for one in (*args.posonlyargs, *args.args)][-len(args.defaults) :] if args.defaults else []
    by_keyword = [(one.arg, default) for one, default in zip(args.kwonlyargs, args.kw_defaults, strict=True) if default is not None]
    defaults = lowering.values([*args.defaults, *[default for _name, default in by_keyword]])
    named = (*positional, *[name for name, _default in by_keyword])
    scope = lowering.names.scopes[node]
    return lowering.result(Kind.FUNCTION, defaults, Definition(scope.qualname, scope.first_line, named), position_of(node))


def _function(lowering: Lowering, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    decorators = lowering.values(node.decorator_list)
    _bind(lowering, node, _decorated(lowering, decorators, node.decorator_list, _made(lowering, node)))


def _class(lowering: Lowering, node: ast.ClassDef) -> None:
    decorators = lowering.values(node.decorator_list)
    bases = [one.value if isinstance(one, ast.Starred) else one for one in node.bases]
    named = ["*" if isinstance(one, ast.Starred) else "" for one in node.bases]
    named += ["**" if one.arg is None else one.arg for one in node.keywords]
    scope = lowering.names.scopes[node]
    definition = Definition(scope.qualname, scope.first_line, tuple(named))
    operands = lowering.values([*bases, *[one.value for one in node.keywords]])
    made = lowering.result(Kind.CLASS, operands, definition, position_of(node))
    _bind(lowering, node, _decorated(lowering, decorators, node.decorator_list, made))


def _decorated(lowering: Lowering, decorators: Sequence[Operand], nodes: Sequence[ast.expr], made: Operand) -> Operand:
    """Decorators are evaluated from above and called from below."""
    for decorator, node in zip(reversed(decorators), reversed(nodes), strict=True):
        made = lowering.result(Kind.CALL, (decorator, made), Call(ValueCallee(), ("",)), position_of(node))
    return made


def _bind(lowering: Lowering, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, made: Operand) -> None:
    lowering.assign(ast.copy_location(ast.Name(node.name, ast.Store()), node), made, node)


def _yield(lowering: Lowering, node: ast.Yield) -> Operand:
    value: Operand = Constant(None) if node.value is None else lowering.value(node.value)
    if lowering.yielded is None:
        return lowering.result(Kind.YIELD, (value,), None, position_of(node))
    lowering.result(Kind.CALL, (lowering.yielded, value), Call(MethodCallee("append"), ("",)), position_of(node))
    return Constant(None)


def _yield_from(lowering: Lowering, node: ast.YieldFrom) -> Operand:
    value = lowering.value(node.value)
    if lowering.yielded is None:
        return lowering.result(Kind.YIELD, (value,), "from", position_of(node))
    lowering.result(Kind.CALL, (lowering.yielded, value), Call(MethodCallee("extend"), ("",)), position_of(node))
    return Constant(None)


DEFINED_VALUES: Mapping[type[ast.expr], Callable[[Lowering, Any], Operand]] = {
    ast.Lambda: _made,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
}
DEFINITIONS: Mapping[type[ast.stmt], Callable[[Lowering, Any], None]] = {
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
}
