"""Constants of a module or function: literals that tests may need, where they stand, and regular expressions.

Docstrings are left out; f-strings give their literal parts; attribute names and subscript keys count, for they tell what a
duck-typed argument must have.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from crashwright.core.location import Position
from crashwright.engine.subject.flow.conditions import position_of
from crashwright.engine.subject.walking import REMEMBERED, children, nodes_of

_LONGEST = 200
_MOST_ITEMS = 40
_SCALARS = (bool, int, float, complex, str, bytes)
_REGEX_FUNCTIONS = frozenset({"compile", "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"})
_REGEX_MODULES = frozenset({"re", "regex", "_re", "re2"})
_KEY_METHODS = frozenset({"get", "pop", "setdefault"})
_ATTRIBUTE_FUNCTIONS = frozenset({"hasattr", "getattr", "setattr", "delattr"})


class Context(Enum):
    """What a constant is used for. ``detail`` of the constant names the other side where there is one."""

    COMPARISON = "comparison"
    KEY = "key"
    ARGUMENT = "argument"
    DEFAULT = "default"
    ATTRIBUTE = "attribute"
    FORMAT = "format"
    PATTERN = "pattern"
    OTHER = "other"


class SourceConstant(NamedTuple):
    """``value`` is a scalar, or a tuple, list or dict of scalars. ``detail`` is the name of what it is compared with or passed to,
    of the parameter it is the default of, or of the object whose key or attribute it is; empty where there is no name."""

    value: object
    position: Position
    context: Context
    detail: str = ""


class SourcePattern(NamedTuple):
    """A regular expression; ``function`` is the one of ``re`` that takes it."""

    text: str | bytes
    position: Position
    function: str


@lru_cache(maxsize=REMEMBERED)
def constants_of(tree: ast.AST) -> tuple[SourceConstant, ...]:
    """The constants in a module or function in source order (a function's nested ones included), each place once."""
    found: dict[tuple[Position, str], SourceConstant] = {}
    try:
        for constant in _Collector().visit(tree):
            found.setdefault((constant.position, repr(constant.value)), constant)
    except RecursionError:
        # A machine-made expression, hundreds of levels deep: what was found before it must do.
        return tuple(found.values())
    return tuple(sorted(found.values(), key=lambda constant: constant.position))


def patterns_of(tree: ast.AST) -> tuple[SourcePattern, ...]:
    """The literal regular expressions."""
    patterns = [
        SourcePattern(first.value, position_of(first), function)
        for function, first in _regex_calls(tree)
        if isinstance(first, ast.Constant) and isinstance(first.value, str | bytes)
    ]
    return tuple(sorted(patterns, key=lambda pattern: pattern.position))


def regex_arguments(tree: ast.AST) -> list[ast.expr]:
    """All that is given to the functions of ``re`` as a regular expression, in source order."""
    return sorted((first for _, first in _regex_calls(tree)), key=position_of)


def _regex_calls(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """First arguments of the functions of ``re`` (by these names, called on that module)."""
    for node in nodes_of(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=module, attr=function), args=[first, *_]):
                if function in _REGEX_FUNCTIONS and _name(module) in _REGEX_MODULES:
                    yield function, first


class _Collector:
    """Walks a tree once; the context of a constant is that of the nearest construct around it that gives one."""

    def visit(self, tree: ast.AST, context: Context = Context.OTHER, detail: str = "") -> Iterator[SourceConstant]:
        """All constants beneath ``tree``, which itself stands in ``context``."""
        match tree:
            case ast.Constant():
                if _is_wanted(tree.value):
                    yield SourceConstant(tree.value, position_of(tree), context, detail)
                return
            case ast.JoinedStr():
                yield from self._children(tree, Context.FORMAT)
                return
            case ast.Compare():
                yield from self._comparison(tree)
                return
            case ast.Call():
                yield from self._call(tree)
                return
            case ast.Subscript():
                yield from self.visit(tree.value)
                yield from self.visit(tree.slice, Context.KEY, _name(tree.value))
                return
            case ast.Attribute():
                yield SourceConstant(tree.attr, position_of(tree), Context.ATTRIBUTE, _name(tree.value))
                yield from self.visit(tree.value)
                return
            case ast.MatchValue() | ast.MatchSingleton() | ast.MatchMapping():
                yield from self._children(tree, Context.PATTERN)
                return
            case ast.arguments():
                yield from self._defaults(tree)
                return
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Module():
                yield from self._definition(tree)
                return
            case ast.UnaryOp(op=ast.USub() | ast.UAdd()) | ast.Tuple() | ast.List() | ast.Set() | ast.Dict():
                yield from self._whole(tree, context, detail)
            case ast.AnnAssign() | ast.arg():
                # Annotations are types, not values.
                value = tree.value if isinstance(tree, ast.AnnAssign) else None
                if value is not None:
                    yield from self.visit(value, context, detail)
                return
        inherits = isinstance(tree, ast.Tuple | ast.List | ast.Set | ast.UnaryOp | ast.IfExp | ast.Starred | ast.BinOp)
        yield from self._children(tree, context if inherits else Context.OTHER, detail if inherits else "")

    def _children(self, tree: ast.AST, context: Context = Context.OTHER, detail: str = "") -> Iterator[SourceConstant]:
        for child in children(tree):
            yield from self.visit(child, context, detail)

    def _comparison(self, tree: ast.Compare) -> Iterator[SourceConstant]:
        sides = [tree.left, *tree.comparators]
        for index, side in enumerate(sides):
            other = sides[index - 1] if index else sides[1]
            yield from self.visit(side, Context.COMPARISON, _name(other))

    def _call(self, tree: ast.Call) -> Iterator[SourceConstant]:
        yield from self.visit(tree.func)
        name = _name(tree.func)
        bare = name.rpartition(".")[2]
        for index, argument in enumerate(tree.args):
            if bare in _KEY_METHODS and index == 0 and isinstance(tree.func, ast.Attribute):
                yield from self.visit(argument, Context.KEY, _name(tree.func.value))
            elif bare in _ATTRIBUTE_FUNCTIONS and index == 1:
                yield from self.visit(argument, Context.ATTRIBUTE, _name(tree.args[0]))
            else:
                yield from self.visit(argument, Context.ARGUMENT, name)
        for keyword in tree.keywords:
            yield from self.visit(keyword.value, Context.ARGUMENT, keyword.arg or name)

    def _defaults(self, tree: ast.arguments) -> Iterator[SourceConstant]:
        positional = [*tree.posonlyargs, *tree.args]
        for argument, default in zip(positional[len(positional) - len(tree.defaults) :], tree.defaults, strict=True):
            yield from self.visit(default, Context.DEFAULT, argument.arg)
        for argument, keyword_default in zip(tree.kwonlyargs, tree.kw_defaults, strict=True):
            if keyword_default is not None:
                yield from self.visit(keyword_default, Context.DEFAULT, argument.arg)

    def _definition(self, tree: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module) -> Iterator[SourceConstant]:
        if not isinstance(tree, ast.Module):
            for decorator in tree.decorator_list:
                yield from self.visit(decorator)
        if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from self._defaults(tree.args)
        for statement in tree.body[1:] if ast.get_docstring(tree, clean=False) is not None else tree.body:
            yield from self.visit(statement)

    def _whole(self, tree: ast.AST, context: Context, detail: str) -> Iterator[SourceConstant]:
        """A display of scalars, or a signed number, as one value."""
        value = _literal(tree)
        if value is not None:
            yield SourceConstant(value, position_of(tree), context, detail)


def _literal(tree: ast.AST) -> object | None:
    try:
        value: object = ast.literal_eval(tree)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    if isinstance(value, dict):
        items = [part for pair in value.items() for part in pair]
    elif isinstance(value, list | tuple | set):
        items = list(value)
    else:
        return value
    return value if 0 < len(items) <= _MOST_ITEMS and all(item is None or _is_wanted(item) for item in items) else None


def _is_wanted(value: object) -> bool:
    return isinstance(value, _SCALARS) and not (isinstance(value, str | bytes) and len(value) >= _LONGEST)


def _name(tree: ast.AST) -> str:
    """A dotted name as written; the last known parts where the beginning is no name."""
    if isinstance(tree, ast.Name):
        return tree.id
    if isinstance(tree, ast.Attribute):
        base = _name(tree.value)
        return f"{base}.{tree.attr}" if base else tree.attr
    return _name(tree.func) if isinstance(tree, ast.Call) else ""
