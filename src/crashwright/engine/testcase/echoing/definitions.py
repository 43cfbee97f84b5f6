"""Definitions that a document shows, as statements: every name that they take from around them is bound to what it means."""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Callable, Mapping

from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase.definitions.inline import InlineNames
from crashwright.engine.testcase.definitions.source import (
    Definable,
    bound_names,
    code_of,
    is_clear,
    open_names,
    source_of,
)
from crashwright.engine.testcase.names.source import dotted_parts
from crashwright.engine.testcase.statements import Definition, Named, Ref, Variable

LONGEST_DEFINITION = 1500
Meaning = Callable[..., Named | None]


def shown_definition(
    variable: Variable,
    node: Definable,
    variables: Mapping[str, Variable],
    meaning: Meaning,
    longest: int = LONGEST_DEFINITION,
) -> Definition:
    """``node`` as a statement. ``variables`` are those at hand, ``meaning`` says what a name or a dotted name is. Raises ValueError
    where a name means nothing, or two things, and where it has more than ``longest`` characters."""
    node = _plain(node)
    source = source_of(node)
    if len(source) > longest:
        raise ValueError("too long")
    code_of(source, "")
    taken = {*bound_names(source), *variables, *dir(builtins), node.name}
    known = frozenset(name for name in open_names(source) if name not in variables and not hasattr(builtins, name))
    resolver = _Resolver(known, InlineNames(taken), meaning)
    source = source_of(resolver.visit(node))
    if not is_clear(source):
        raise ValueError("a name that means two things")
    names = resolver.names.known
    bound: list[tuple[str, Named | Ref]] = []
    for name in open_names(source):
        if name in variables:
            bound.append((name, Ref(variables[name])))
        elif name in names:
            bound.append((name, names[name]))
        elif not hasattr(builtins, name):
            raise ValueError(f"{name} means nothing")
    return Definition(variable, source, tuple(bound))


def _plain(node: Definable) -> Definable:
    """A copy without docstrings, which say nothing to the test."""
    node = copy.deepcopy(node)
    for inner in walk(node):
        if isinstance(inner, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(inner) is not None:
            inner.body = inner.body[1:] or [ast.Pass()]
    return node


class _Resolver(ast.NodeTransformer):
    """Puts one name in place of each dotted name that means something."""

    def __init__(self, known: frozenset[str], names: InlineNames, meaning: Meaning) -> None:
        self._known = known
        self.names = names
        self._meaning = meaning

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return self._resolved(node) or self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._resolved(node) or node

    def _resolved(self, node: ast.expr) -> ast.Name | None:
        parts = dotted_parts(node)
        if parts is None or parts[0] not in self._known:
            return None
        named = self._meaning(*parts)
        return None if named is None else ast.Name(self.names.of(named), ast.Load())
