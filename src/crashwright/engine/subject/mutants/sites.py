"""The places of one function at which mutation operators apply, in order of the source."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from crashwright.engine.subject.flow.assigned import DefiniteAssignment, Names
from crashwright.engine.subject.mutants.operators import (
    STRONG,
    SYMBOLS,
    Operator,
    arithmetic,
    changed_constant,
    constant,
    relational,
    signed,
)
from crashwright.engine.subject.mutants.strong_sites import StrongSite, defaults, strong_sites

MOST_VARIABLES = 3
"""Replacements of one variable at one place. # Deviation: 100 in the paper, but there only variables of the same type; in Python
most of a hundred would be of other types, and infected as soon as they are touched."""

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_NONE: Mapping[str, object] = MappingProxyType({})
_SKIPPED_FIELDS = frozenset({"annotation", "returns", "decorator_list", "type_comment", "type_params", "format_spec"})


class _Waiting(NamedTuple):
    node: ast.AST
    known: Names | None
    """The names that may stand for others here; None in nested scopes."""


class FunctionSites:
    """``strong`` asks for strong mutants; ``own`` are the lines of lambdas that have keys of their own and are left
    out; ``constants`` are names of the module with a value that is a literal."""

    def __init__(
        self,
        function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        strong: bool,
        own: Collection[int],
        constants: Mapping[str, object] = _NONE,
    ) -> None:
        self._function = function
        self._strong = strong
        self._own = own
        self._constants = constants
        self._assignment = DefiniteAssignment(function)
        self._instance = frozenset(_first_parameter(function) & {"self", "cls"})
        self._tests: set[int] = set()
        self._numeric: set[int] = set()
        self._fixed: set[int] = set()
        self._less: set[int] = set()
        """Numbers of comparisons that one less tells something of: to them, one more is what another comparison is."""

    def sites(self) -> Iterator[StrongSite]:
        """All places. Not by recursion: machine-made expressions can be a thousand levels deep."""
        function = self._function
        body: list[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else list(_without_docstring(function.body))
        known = self._assignment.parameters - self._assignment.unsure if isinstance(function, ast.Lambda) else frozenset()
        if self._strong:
            yield from defaults(function)
        waiting = [_Waiting(node, known) for node in reversed(body)]
        while waiting:
            node, known_here = waiting.pop()
            if isinstance(node, ast.stmt) and known_here is not None:
                known_here = self._assignment.before.get(id(node), frozenset())
            yield from self._at(node, known_here)
            inner = None if isinstance(node, (*_COMPREHENSIONS, ast.Lambda)) else known_here
            waiting.extend(_Waiting(child, inner) for child in reversed(list(self._children(node))))

    def _children(self, node: ast.AST) -> Iterator[ast.AST]:
        match node:
            case ast.Raise() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return
            case ast.stmt() if type(node).__name__ == "TypeAlias":  # since Python 3.12
                return
            case ast.Lambda() if node.lineno in self._own:
                return
            case ast.Lambda():
                yield node.body
                return
            case ast.Assert():
                yield node.test
                return
            case ast.Expr(value=ast.Constant()):
                return
            case ast.JoinedStr(values=values):
                yield from (part for part in values if not isinstance(part, ast.Constant))
                return
            case ast.UnaryOp() if signed(node) is not None:
                return
            case ast.pattern() if not self._strong:
                return
        for name, value in ast.iter_fields(node):
            if name not in _SKIPPED_FIELDS:
                yield from (part for part in (value if isinstance(value, list) else [value]) if isinstance(part, ast.AST))

    def _at(self, node: ast.AST, known: Names | None) -> Iterator[StrongSite]:
        self._note_parts(node)
        if self._strong and id(node) in self._tests:
            assert isinstance(node, ast.expr)
            yield StrongSite(node, 0, Operator.CONDITION, "", ("not",))
        if self._strong:
            yield from strong_sites(node, known, self._instance, self._constants)
        match node:
            case ast.Compare():
                yield from self._compare(node)
            case ast.BinOp():
                yield from self._arithmetic(node, node.op, node.left, node.right)
            case ast.AugAssign():
                yield from self._arithmetic(node, node.op, node.value, node.value)
            case ast.BoolOp():
                symbol = SYMBOLS[type(node.op)]
                yield StrongSite(node, 0, Operator.BOOLOP, symbol, ("or" if symbol == "and" else "and",))
            case ast.Constant():
                yield from self._constant(node, node.value)
            case ast.UnaryOp():
                value = signed(node)
                if value is not None:
                    yield from self._constant(node, value)
                elif not isinstance(node.op, ast.UAdd):
                    yield StrongSite(node, 0, Operator.UNARY, SYMBOLS[type(node.op)], ("",))
            case ast.Name(ctx=ast.Load()) if known is not None and not self._strong:
                yield from self._variable(node, known)

    def _note_parts(self, node: ast.AST) -> None:
        """Remembers what is to come below: tests, operands of arithmetic, tests that the compiler decides."""
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                self._tests.add(id(test))
                self._fix(test)
            case ast.Assert(test=test):
                self._fix(test)
            case ast.BinOp(op=op, left=left, right=right):
                self._numeric.update((id(left), id(right)))
                if isinstance(op, ast.Mod) and isinstance(right, ast.Tuple):
                    self._fixed.add(id(left))  # the compiler may turn these into f-strings, with other places for errors
            case ast.AugAssign(value=value):
                self._numeric.add(id(value))
            case ast.Compare(left=left, ops=ops, comparators=right) if all(
                isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for op in ops
            ):
                self._numeric.update(map(id, (left, *right)))
                for first, sign, second in zip((left, *right), ops, right, strict=False):
                    self._less.add(id(second if isinstance(sign, ast.Lt | ast.GtE) else first))

    def _fix(self, test: ast.expr) -> None:
        """``while True``: a weak mutant there could be seen only by changing how the loop is compiled."""
        match test:
            case ast.Constant():
                self._fixed.add(id(test))
            case ast.BoolOp(values=values):
                for value in values:
                    self._fix(value)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self._fix(operand)

    def _compare(self, node: ast.Compare) -> Iterator[StrongSite]:
        left = node.left
        for part, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            symbol = SYMBOLS[type(op)]
            replacements = STRONG[symbol] if self._strong else relational(symbol, left, right, len(node.ops) == 1)
            yield StrongSite(node, part, Operator.ROR, symbol, replacements)
            left = right

    def _arithmetic(
        self, node: ast.BinOp | ast.AugAssign, op: ast.operator, left: ast.expr, right: ast.expr
    ) -> Iterator[StrongSite]:
        symbol = SYMBOLS.get(type(op))  # there is no other matrix product
        found = None if symbol is None else arithmetic(symbol, left, right)
        if symbol is not None and found is not None:
            yield StrongSite(node, 0, found[0], symbol, STRONG[symbol] if self._strong else found[1])

    def _constant(self, node: ast.Constant | ast.UnaryOp, value: object) -> Iterator[StrongSite]:
        if self._strong and id(node) in self._less and type(value) is int:
            replacements: tuple[str, ...] = (repr(value - 1),)
        elif self._strong:
            replacements = changed_constant(value)
        else:
            replacements = () if id(node) in self._fixed else constant(value)
        if replacements:
            yield StrongSite(node, 0, Operator.CONSTANT, repr(value), replacements)

    def _variable(self, node: ast.Name, known: Names) -> Iterator[StrongSite]:
        if node.id not in known or node.id in self._instance:
            return
        others = sorted(known - {node.id} - self._instance)
        if others:
            yield StrongSite(node, 0, Operator.VARIABLE, node.id, _some(others))
        if id(node) in self._numeric:
            yield StrongSite(node, 0, Operator.UNARY, "", ("-",))


def _some(names: list[str]) -> tuple[str, ...]:
    """At most ``MOST_VARIABLES``, from the whole alphabet."""
    if len(names) <= MOST_VARIABLES:
        return tuple(names)
    return tuple(names[number * len(names) // MOST_VARIABLES] for number in range(MOST_VARIABLES))


def _first_parameter(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    return {one.arg for one in (*function.args.posonlyargs, *function.args.args)[:1]}


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            return rest
    return body
