"""On which of its parameters the conditions of a function decide, and the values that lead one way or the other: what stands on the
other side of a comparison, True and False where the parameter alone is the condition.

A parameter that becomes a field (``self.quiet = quiet``) is decided on wherever that field is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from crashwright.engine.subject.flow.conditions import atoms
from crashwright.engine.subject.walking import walk

Scalar: TypeAlias = bool | int | float | str | bytes | None
_ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_MOST_OF_ONE = 8
"""Values of one parameter."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def guards_of(function: ast.AST, elsewhere: Sequence[ast.AST] = ()) -> dict[str, tuple[Scalar, ...]]:
    """The values by parameter, in order of appearance. ``elsewhere`` are other functions, in which fields and variables called like
    a parameter are taken for it."""
    if not isinstance(function, _Function):
        return {}
    arguments = function.args
    names = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    fields = _fields(function, names)

    def parameter(node: ast.expr) -> str | None:
        match node:
            case ast.Name(id=name) if name in names:
                return name
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                return fields.get(name)
        return None

    found: dict[str, dict[str, Scalar]] = {}
    for tree in (function, *elsewhere):
        for name, value in _decisions(tree, parameter):
            found.setdefault(name, {}).setdefault(repr(value), value)
    return {name: tuple(values.values())[:_MOST_OF_ONE] for name, values in found.items()}


def _fields(function: _Function, names: set[str]) -> Mapping[str, str]:
    """The fields that parameters become, with the parameter."""
    found: dict[str, str] = {}
    for node in walk(function):
        match node:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=field)], value=value):
                parts = value.values if isinstance(value, ast.BoolOp) else [value]
                for one in parts:
                    if isinstance(one, ast.Name) and one.id in names:
                        found[field] = one.id
    return found


def _decisions(tree: ast.AST, parameter: Callable[[ast.expr], str | None]) -> Iterator[tuple[str, Scalar]]:
    for node in walk(tree):
        tests: list[ast.expr] = []
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
                tests = [test]
            case ast.comprehension(ifs=conditions):
                tests = conditions
            case ast.BoolOp():
                tests = [node]
            case ast.Match(subject=subject):
                name = parameter(subject)
                cases = [one for case in node.cases for one in walk(case.pattern) if isinstance(one, ast.MatchValue)]
                if name is not None:
                    yield from ((name, value) for one in cases for value in _scalars(one.value))
        for test in tests:
            for atom, _ in atoms(test):
                yield from _decided(atom, parameter)


def _decided(atom: ast.expr, parameter: Callable[[ast.expr], str | None]) -> Iterator[tuple[str, Scalar]]:
    alone = parameter(atom)
    if alone is not None:
        yield from ((alone, True), (alone, False))
    if not isinstance(atom, ast.Compare):
        return
    sides = (atom.left, *atom.comparators)
    for left, operator, right in zip(sides, atom.ops, sides[1:], strict=False):
        for one, other in ((left, right), (right, left)):
            name = parameter(one)
            if name is None:
                continue
            for value in _scalars(other):
                yield name, value
                if isinstance(operator, _ORDER) and type(value) is int:
                    yield from ((name, value - 1), (name, value + 1))


def _scalars(node: ast.expr) -> Iterator[Scalar]:
    match node:
        case ast.Constant(value=None | int() | float() | str() | bytes() as value):
            yield value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            yield -number
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            for item in items:
                yield from _scalars(item)
