"""Which keywords a function understands that takes any as ``**options``: those that it asks of them, itself, where it keeps them
or where it hands them on. Nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from crashwright.engine.subject.usage.usage import called_name
from crashwright.engine.subject.usage.uses_of_values import Function
from crashwright.engine.subject.walking import REMEMBERED, nodes_of

_LOOKING = frozenset({"get", "pop", "setdefault"})
_DEEPEST = 3
"""Calls that hand keywords on."""
MOST_NAMES = 24

Names = dict[str, type | None]
"""Keywords, with the type of what is taken in their place, or ``bool`` where they only decide something; None where that is
unknown."""


_Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class _Asked(NamedTuple):
    holder: ast.expr
    name: str
    kind: type | None


class Keywords:
    """What the functions and classes of ``trees`` ask of the keywords that they get."""

    def __init__(self, trees: Sequence[ast.AST]) -> None:
        self._by_name: dict[str, list[ast.AST]] = {}
        self._of_attributes: dict[str, Names] = {}
        for tree in trees:
            defined, asked_of_attributes = _read(tree)
            for node in defined:
                self._by_name.setdefault(node.name, []).append(node)
            for attribute, asked in asked_of_attributes:
                _add(self._of_attributes.setdefault(attribute, {}), asked.name, asked.kind)

    def understood(self, function: Function, depth: int = 0) -> Names:
        """What ``function`` makes of the keywords that it has no parameters for; empty where it takes none such."""
        star = function.args.kwarg
        if star is None or depth > _DEEPEST:
            return {}
        held = _held(function, star.arg)
        found: Names = {}
        for asked in _asked_in(function):
            if _is_held(asked.holder, held):
                _add(found, asked.name, asked.kind)
        for attribute in _kept_as(function, held):
            for name, kind in self._of_attributes.get(attribute, {}).items():
                _add(found, name, kind)
        for call in _handing_on(function, held):
            for name, kind in self._of_call(call, depth).items():
                _add(found, name, kind)
        own = {one.arg for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)}
        return {name: kind for name, kind in list(found.items())[:MOST_NAMES] if name not in own and name.isidentifier()}

    def _of_call(self, call: ast.Call, depth: int) -> Names:
        """What the one function understands that has the name which ``call`` calls."""
        known = self._by_name.get(called_name(call), [])
        called = _initialiser(known[0]) if len(known) == 1 else None
        if called is None:
            return {}
        function, bound = called
        given = {keyword.arg for keyword in call.keywords}
        arguments = [*function.args.posonlyargs, *function.args.args][bound + len(call.args) :]
        found: Names = {one.arg: None for one in (*arguments, *function.args.kwonlyargs) if one.arg not in given}
        return found | self.understood(function, depth + 1)


@lru_cache(maxsize=REMEMBERED)
def _read(tree: ast.AST) -> tuple[tuple[_Definition, ...], tuple[tuple[str, _Asked], ...]]:
    """The functions and classes of a module, and what is asked of attributes by their names: a module is around several others."""
    defined = tuple(node for node in nodes_of(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef))
    return defined, tuple((one.holder.attr, one) for one in _asked_in(tree) if isinstance(one.holder, ast.Attribute))


def _initialiser(node: ast.AST) -> tuple[Function, int] | None:
    """The function that runs when this is called, and how many parameters are bound before; None where that is not written here."""
    if isinstance(node, Function):
        first = node.args.args[0].arg if node.args.args else ""
        return node, int(first in ("self", "cls"))
    body = node.body if isinstance(node, ast.ClassDef) else []
    return next(((one, 1) for one in body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)


def _held(function: Function, star: str) -> frozenset[str]:
    """The names in ``function`` of the mapping of its keywords, copies among them."""
    held = {star}
    for node in nodes_of(function):
        if isinstance(node, ast.Assign) and _is_held(node.value, held):
            held.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return frozenset(held)


def _is_held(node: ast.expr, held: frozenset[str] | set[str]) -> bool:
    """Is it one of the names, or made of it: ``dict(options)``, ``options.copy()``, ``{**options}``, ``defaults | options``?"""
    match node:
        case ast.Name(id=name):
            return name in held
        case ast.Call(func=ast.Name(id="dict"), args=[inner]) | ast.Call(func=ast.Attribute(value=inner, attr="copy"), args=[]):
            return _is_held(inner, held)
        case ast.Dict(keys=keys, values=values):
            return any(key is None and _is_held(value, held) for key, value in zip(keys, values, strict=True))
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _is_held(left, held) or _is_held(right, held)
    return False


def _kept_as(function: Function, held: frozenset[str]) -> Iterator[str]:
    """The attributes that hold the keywords from then on."""
    for node in nodes_of(function):
        match node:
            case ast.Assign(targets=targets, value=value) if _is_held(value, held):
                yield from (target.attr for target in targets if isinstance(target, ast.Attribute))
            case ast.AnnAssign(target=ast.Attribute(attr=attribute), value=ast.expr() as value) if _is_held(value, held):
                yield attribute
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=attribute), attr="update")) if _hands_on(node, held):
                yield attribute


def _handing_on(function: Function, held: frozenset[str]) -> Iterator[ast.Call]:
    """The calls that get the keywords as keywords."""
    for node in nodes_of(function):
        if isinstance(node, ast.Call) and any(one.arg is None and _is_held(one.value, held) for one in node.keywords):
            yield node


def _hands_on(call: ast.Call, held: frozenset[str]) -> bool:
    """Does the call get the mapping itself, or all in it?"""
    return any(_is_held(one, held) for one in (*call.args, *(keyword.value for keyword in call.keywords if keyword.arg is None)))


def _asked_in(tree: ast.AST) -> Iterator[_Asked]:
    """Constant texts that are looked up in anything."""
    deciding = {id(node) for node in _decisions(tree)}
    for node in nodes_of(tree):
        match node:
            case ast.Subscript(value=holder, slice=ast.Constant(value=str(name)), ctx=ast.Load() | ast.Del()):
                yield _Asked(holder, name, bool if id(node) in deciding else None)
            case ast.Call(func=ast.Attribute(value=holder, attr=method), args=[ast.Constant(value=str(name)), *rest]) if (
                method in _LOOKING
            ):
                default = rest[0].value if rest and isinstance(rest[0], ast.Constant) else None
                yield _Asked(holder, name, type(default) if default is not None else bool if id(node) in deciding else None)
            case ast.Compare(left=ast.Constant(value=str(name)), ops=[ast.In() | ast.NotIn()], comparators=[holder]):
                yield _Asked(holder, name, None)


def _decisions(tree: ast.AST) -> Iterator[ast.expr]:
    """What is tested as it is."""
    for node in nodes_of(tree):
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            yield from _tested(node.test)
        elif isinstance(node, ast.comprehension):
            for condition in node.ifs:
                yield from _tested(condition)


def _tested(test: ast.expr) -> Iterator[ast.expr]:
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _tested(value)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _tested(test.operand)
    else:
        yield test


def _add(found: Names, name: str, kind: type | None) -> None:
    """What is known of a kind stays."""
    if found.get(name) is None:
        found[name] = kind
