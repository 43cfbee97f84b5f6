"""Mutants of values that a module and its classes are given once, where they are defined: limits, tables, texts (paper 004 mutates
functions alone).

A plain constant of the module is none of them: it is changed where functions read it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from crashwright.core.location import CodeKey
from crashwright.engine.subject.flow.conditions import position_of
from crashwright.engine.subject.mutants.enumeration import Mutant
from crashwright.engine.subject.mutants.operators import Operator, changed_constant

MOST_IN_VALUE = 6
"""Mutants of one value: a table of a thousand rows is one idea."""
_PARTS = (
    ast.Constant,
    ast.Tuple,
    ast.List,
    ast.Set,
    ast.Dict,
    ast.Name,
    ast.Attribute,
    ast.BinOp,
    ast.UnaryOp,
    ast.Call,
    ast.keyword,
    ast.operator,
    ast.unaryop,
    ast.expr_context,
)
"""What such a value is made of: nothing that decides, binds or waits."""


class GivenValue(NamedTuple):
    """``name`` of the class ``owner`` ("" for the module) is given ``value``."""

    owner: str
    name: str
    value: ast.expr

    @property
    def qualname(self) -> str:
        """As it is told to users."""
        return f"{self.owner}.{self.name}" if self.owner else self.name


def given_values(tree: ast.Module) -> Iterator[GivenValue]:
    """Those of the module and of its classes, in order of the source."""
    yield from _given("", tree.body)


def value_mutants_of(tree: ast.Module, module: str) -> Iterator[Mutant]:
    """For each value the changes of its literals, at most ``MOST_IN_VALUE`` from all over it."""
    for given in given_values(tree):
        found = list(_changes(given.value))
        for number in range(min(len(found), MOST_IN_VALUE)):
            node, replacement = found[number * len(found) // min(len(found), MOST_IN_VALUE)]
            yield Mutant(
                number=number,
                key=CodeKey(module, given.qualname, given.value.lineno),
                position=position_of(node),
                operator=Operator.VALUE,
                original=repr(node.value),
                replacement=replacement,
                node="Constant",
            )


def reading_lines(tree: ast.Module, given: GivenValue) -> frozenset[int]:
    """The lines of the module that read a name like this."""
    found: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name, ctx=ast.Load()) | ast.Name(id=name, ctx=ast.Load()) if name == given.name:
                found.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return frozenset(found)


def _given(owner: str, body: list[ast.stmt]) -> Iterator[GivenValue]:
    times = Counter(name for statement in body for name in _bound(statement))
    for statement in body:
        match statement:
            case ast.ClassDef(name=name, body=inner):
                yield from _given(f"{owner}.{name}" if owner else name, inner)
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if times[name] == 1 and not name.startswith("__"):
                if (owner or not isinstance(value, ast.Constant)) and all(isinstance(part, _PARTS) for part in ast.walk(value)):
                    yield GivenValue(owner, name, value)


def _bound(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
        return
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            yield node.id


def _changes(value: ast.expr) -> Iterator[tuple[ast.Constant, str]]:
    for node in ast.walk(value):
        if isinstance(node, ast.Constant):
            for replacement in changed_constant(node.value):
                yield node, replacement
