"""The source of one definition: what it binds, which names it leaves open, the code that it compiles to.

A definition is one ``class``, ``def`` or ``async def`` statement with its decorators, as text: whatever a person would write there
can be carried, taken from a document or put together. The names that it leaves open are bound by the statement that holds it.
"""

from __future__ import annotations

import ast
import symtable
import warnings
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType

from crashwright.core.unparsable import UNPARSABLE

Definable = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_REMEMBERED = 1024


def source_of(node: Definable) -> str:
    """``node`` in the one form in which definitions are compared: without comments and types of its own layout."""
    return ast.unparse(ast.fix_missing_locations(node))


def parsed(source: str) -> Definable:
    """The statement, a tree of its own. Raises ValueError where it is no definition, or more than one statement."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(source).body
    except UNPARSABLE as error:
        raise ValueError(str(error)) from error
    if len(body) != 1 or not isinstance(body[0], Definable):
        raise ValueError("not one definition")
    return body[0]


@lru_cache(maxsize=_REMEMBERED)
def code_of(source: str, file: str) -> CodeType:
    """What defines it when it is executed; frames of it name ``file``. Raises ValueError where it does not compile."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(source, file, "exec", dont_inherit=True)
    except UNPARSABLE as error:
        raise ValueError(str(error)) from error


@lru_cache(maxsize=_REMEMBERED)
def name_of(source: str) -> str:
    """The name that it binds."""
    return parsed(source).name


@lru_cache(maxsize=_REMEMBERED)
def is_class_source(source: str) -> bool:
    """Whether it makes a class."""
    return isinstance(parsed(source), ast.ClassDef)


@lru_cache(maxsize=_REMEMBERED)
def returned_by_methods(source: str) -> tuple[tuple[str, ast.expr], ...]:
    """What the methods of a class return, by their names: those that neither wait nor yield."""
    node = parsed(source)
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef)] if isinstance(node, ast.ClassDef) else []
    found: list[tuple[str, ast.expr]] = []
    for method in methods:
        inner = list(ast.walk(method))
        if not any(isinstance(one, ast.Yield | ast.YieldFrom | ast.FunctionDef) for one in inner[1:]):
            found += [(method.name, one.value) for one in inner if isinstance(one, ast.Return) and one.value is not None]
    return tuple(found)


@lru_cache(maxsize=_REMEMBERED)
def is_inert(source: str) -> bool:
    """Whether to define it runs nothing: neither decorators nor bases, no defaults or class attributes but constants."""
    return _is_inert(parsed(source))


def _is_inert(node: ast.stmt) -> bool:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        defaults = [*node.args.defaults, *(one for one in node.args.kw_defaults if one is not None)]
        return not node.decorator_list and all(isinstance(one, ast.Constant) for one in defaults)
    if isinstance(node, ast.ClassDef):
        bare = not (node.decorator_list or node.bases or node.keywords)
        return bare and all(_is_inert(inner) for inner in node.body)
    value = node.value if isinstance(node, ast.Assign | ast.Expr) else None
    return isinstance(node, ast.Pass) or isinstance(value, ast.Constant)


@lru_cache(maxsize=_REMEMBERED)
def open_names(source: str) -> tuple[str, ...]:
    """The names that it takes from around it, itself and what it declares global left out, in order of the alphabet. Raises
    ValueError where it does not compile."""
    scopes = _scopes_of(source)
    own = name_of(source)
    return tuple(sorted({symbol.get_name() for scope in scopes for symbol in _open(scope)} - {own}))


@lru_cache(maxsize=_REMEMBERED)
def bound_names(source: str) -> frozenset[str]:
    """The names that it binds anywhere inside. Raises ValueError where it does not compile."""
    scopes = _scopes_of(source)
    return frozenset(s.get_name() for scope in scopes for s in scope.get_symbols() if s.is_local() or s.is_parameter())


@lru_cache(maxsize=_REMEMBERED)
def raised_names(source: str) -> frozenset[str]:
    """The exceptions that it raises, by the names that stand there."""
    found = (node.exc for node in ast.walk(parsed(source)) if isinstance(node, ast.Raise))
    classes = (one.func if isinstance(one, ast.Call) else one for one in found)
    return frozenset(one.id for one in classes if isinstance(one, ast.Name))


def is_clear(source: str) -> bool:
    """Whether it compiles, and each of its names means one thing: what is open in one scope is bound in none."""
    try:
        return not bound_names(source).intersection((*open_names(source), "__class__"))
    except ValueError:
        return False  # two parameters may have one name since a part of it was renamed


def _scopes_of(source: str) -> list[symtable.SymbolTable]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [*_scopes(symtable.symtable(source, "definition", "exec"))]
    except UNPARSABLE as error:
        raise ValueError(str(error)) from error


def _scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for inner in table.get_children():
        yield from _scopes(inner)


def _open(scope: symtable.SymbolTable) -> Iterator[symtable.Symbol]:
    outermost = scope.get_type() == "module"
    for symbol in scope.get_symbols():
        if symbol.is_global() and not symbol.is_local() if not outermost else symbol.is_referenced() and not symbol.is_assigned():
            yield symbol
