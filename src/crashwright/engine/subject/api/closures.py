"""Functions that are made within others, decorators' wrappers most of all: no import reaches them. A test calls the outermost
function, then what that returns, and so on down to the one that is wanted."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from crashwright.core.location import CodeKey
from crashwright.core.report import Unknown
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.hints import hint_of
from crashwright.engine.subject.api.types import ANY, Hint
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.walking import children, walk

_LOCAL = ".<locals>."
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Closure(NamedTuple):
    """``outer`` is the name of the outermost function, ``levels`` are those between it and ``last``, the one that is wanted: they
    have no address, and are called by what the one before returns. ``attribute``: the last one is got as an attribute of that name,
    and not as the result."""

    outer: str
    levels: tuple[Callee, ...]
    last: Callee
    attribute: bool = False


def closure_of(key: CodeKey, sources: Sources) -> Closure | None:
    """The way to the function ``key``; None where it is not made within another, or is not seen to get out of it."""
    source = sources.of_module(key.module)
    parts = key.qualname.split(_LOCAL)
    if len(parts) < 2 or isinstance(source, Unknown) or any("." in part or part.startswith("<") for part in parts[1:]):
        return None
    around: list[tuple[CodeKey, _Function]] = []
    code: CodeKey | None = key
    while code is not None and len(around) < len(parts):
        node = source.node_of(code)
        if not isinstance(node, _Function):
            return None
        around.append((code, node))
        code = source.parents.get(code)
    around.reverse()
    for (_, outer), (_, inner) in pairwise(around[:-1]):
        if not _is_returned(outer, inner.name):
            return None
    maker, wanted = around[-2][1], around[-1][1]
    attribute = not _is_returned(maker, wanted.name)
    if attribute and not _is_set(maker, wanted.name):
        return None
    levels = tuple(as_callee(one.module, one.qualname, node) for one, node in around[1:-1])
    return Closure(around[0][1].name, levels, as_callee(key.module, key.qualname, wanted), attribute)


def closures_in(module: str, sources: Sources) -> Iterator[tuple[CodeKey, Closure]]:
    """All that the functions of ``module`` give back, with the outermost function of each."""
    source = sources.of_module(module)
    if isinstance(source, Unknown):
        return
    for key, _ in source.codes():
        closure = closure_of(key, sources) if _LOCAL in key.qualname else None
        if closure is not None:
            outer = key
            while _LOCAL in outer.qualname:
                outer = source.parents[outer]
            yield outer, closure


def as_callee(module: str, qualname: str, node: _Function) -> Callee:
    """A function without an address, as its source declares it."""
    yields = any(isinstance(part, ast.Yield | ast.YieldFrom) for part in walk(node))
    is_async = isinstance(node, ast.AsyncFunctionDef)
    parameters = tuple(_parameters(node.args))
    return Callee(module, qualname, CalleeKind.FUNCTION, parameters, is_async=is_async, is_generator=yields)


def _parameters(arguments: ast.arguments) -> list[Parameter]:
    plain = [*arguments.posonlyargs, *arguments.args]
    required = len(plain) - len(arguments.defaults)
    found = [
        Parameter(
            one.arg,
            ParameterKind.POSITIONAL_ONLY if index < len(arguments.posonlyargs) else ParameterKind.POSITIONAL_OR_KEYWORD,
            _hint(one),
            required=index < required,
        )
        for index, one in enumerate(plain)
    ]
    if arguments.vararg is not None:
        found.append(Parameter(arguments.vararg.arg, ParameterKind.VAR_POSITIONAL, required=False))
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(Parameter(one.arg, ParameterKind.KEYWORD_ONLY, _hint(one), required=default is None))
    if arguments.kwarg is not None:
        found.append(Parameter(arguments.kwarg.arg, ParameterKind.VAR_KEYWORD, required=False))
    return found


def _hint(argument: ast.arg) -> Hint:
    """What its annotation says by names of the language."""
    return ANY if argument.annotation is None else hint_of(ast.unparse(argument.annotation))


def _is_returned(function: _Function, name: str) -> bool:
    """Whether the function returns its inner one, or what it made of it."""
    names = {name}
    own = _own(function)
    for node in own:  # in order: an alias is made before it is returned
        if isinstance(node, ast.Assign) and _mentions(node.value, names):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return any(isinstance(node, ast.Return) and node.value is not None and _mentions(node.value, names) for node in own)


def _is_set(function: _Function, name: str) -> bool:
    """Whether the function hangs its inner one on something, by its name."""
    return any(
        isinstance(node, ast.Assign)
        and _mentions(node.value, {name})
        and any(isinstance(target, ast.Attribute) and target.attr == name for target in node.targets)
        for node in _own(function)
    )


def _own(node: ast.AST) -> list[ast.stmt]:
    """The statements of a function without those of functions within it."""
    found: list[ast.stmt] = []
    for child in children(node):
        if isinstance(child, ast.stmt):
            found.append(child)
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case) and not isinstance(child, _Function | ast.ClassDef):
            found += _own(child)
    return found


def _mentions(value: ast.expr, names: set[str]) -> bool:
    """Whether one of ``names`` stands there as a value; what is called there itself does not get out."""
    called = {id(part.func) for part in walk(value) if isinstance(part, ast.Call)}
    return any(isinstance(part, ast.Name) and part.id in names and id(part) not in called for part in walk(value))
