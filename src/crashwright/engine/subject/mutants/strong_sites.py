"""Places of a function at which strong mutants alone apply: slips that change what code does and hardly how it runs."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from crashwright.engine.subject.flow.assigned import Names
from crashwright.engine.subject.mutants.operators import Operator, changed_constant

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_LONGEST = 60
"""Characters of what is told of a place."""
_MOST_PARTS = 4
"""Of a condition that are left out, one at a time."""
_NAMED = (ast.Name, ast.Attribute, ast.Subscript)


class StrongSite(NamedTuple):
    """A place and what may stand there instead."""

    node: ast.expr | ast.stmt
    part: int
    operator: Operator
    original: str
    replacements: tuple[str, ...]


def defaults(function: Function) -> Iterator[StrongSite]:
    """Other literals as defaults of parameters."""
    arguments = function.args
    for node in (*arguments.defaults, *arguments.kw_defaults):
        if isinstance(node, ast.Constant) and (replacements := changed_constant(node.value)):
            yield StrongSite(node, 0, Operator.DEFAULT, repr(node.value), replacements)


def strong_sites(
    node: ast.AST, known: Names | None, instance: Collection[str], constants: Mapping[str, object]
) -> Iterator[StrongSite]:
    """Those at ``node``. ``known`` are local names that surely have a value here, ``instance`` those of the object itself,
    ``constants`` names of the module with a literal as value."""
    match node:
        case ast.stmt() if _can_go(node, known):
            yield StrongSite(node, 0, Operator.STATEMENT, _text(node), ("",))
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield StrongSite(node, 0, Operator.RESULT, _text(value), ("None",))
        case ast.JoinedStr(values=values):
            for part, value in enumerate(values):
                yield from _of_format(node, part, value)
        case ast.Call(args=arguments):
            yield from _of_call(node, known, instance)
            if len(arguments) > 1 and all(isinstance(one, _NAMED) for one in arguments[:2]):
                first, second = map(ast.unparse, arguments[:2])
                if first != second:
                    yield StrongSite(node, 0, Operator.ARGUMENTS, f"{first}, {second}", (f"{second}, {first}",))
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.FloorDiv(), left=left, right=right):
            yield StrongSite(node, 0, Operator.OPERAND, _text(node), (ast.unparse(left),))
            if isinstance(node.op, ast.Add) and not isinstance(left, ast.Constant):
                yield StrongSite(node, 1, Operator.OPERAND, _text(node), (ast.unparse(right),))
        case ast.BoolOp(values=values):
            for part in range(min(len(values), _MOST_PARTS)):
                yield StrongSite(node, part, Operator.OPERAND, _text(node), (f"without {_text(values[part])}",))
        case ast.Name(id=name, ctx=ast.Load()) if name in constants and (known is None or name not in known):
            yield StrongSite(node, 0, Operator.CONSTANT, name, changed_constant(constants[name]))


def _can_go(node: ast.stmt, known: Names | None) -> bool:
    """Whether the function still makes sense without the statement."""
    match node:
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.Raise() | ast.Delete() | ast.AugAssign():
            return True
        case ast.Assign(targets=targets):
            return all(_has_value(one, known) for one in targets)
        case ast.AnnAssign(target=target, value=ast.expr()):
            return _has_value(target, known)
    return False


def _has_value(target: ast.expr, known: Names | None) -> bool:
    """Whether what is assigned to has a value before, or mostly has."""
    return isinstance(target, ast.Attribute | ast.Subscript) or (
        isinstance(target, ast.Name) and known is not None and target.id in known
    )


def _of_format(node: ast.JoinedStr, part: int, value: ast.expr) -> Iterator[StrongSite]:
    match value:
        case ast.Constant(value=str() as text):
            yield StrongSite(node, part, Operator.FORMAT, repr(text), changed_constant(text)[:1])
        case ast.FormattedValue(format_spec=ast.expr() as spec):
            yield StrongSite(node, part, Operator.FORMAT, _text(spec), ("",))


def _of_call(node: ast.Call, known: Names | None, instance: Collection[str]) -> Iterator[StrongSite]:
    """What is called on, or with, in the place of what comes back."""
    match node:
        case ast.Call(func=ast.Attribute(value=receiver), args=[], keywords=[]):
            if isinstance(receiver, ast.Name) and (known is None or receiver.id not in known or receiver.id in instance):
                return  # a module, a class, or the object itself
            yield StrongSite(node, 0, Operator.CALL, _text(node), (ast.unparse(receiver),))
        case ast.Call(func=ast.Name(), args=[argument], keywords=[]) if not isinstance(argument, ast.Starred | ast.GeneratorExp):
            yield StrongSite(node, 0, Operator.CALL, _text(node), (ast.unparse(argument),))


def _text(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
