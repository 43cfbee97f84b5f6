"""Rewrites a module so that its functions tell an ``OperandLog`` of what they decide on."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import CodeType
from typing import NamedTuple

from crashwright.engine.instrument.comparison_log.rewriting import BodyRewriter, Place, in_parts, probe_call, rewritten_functions
from crashwright.engine.instrument.operand_log.log import OperandLog, probes_of
from crashwright.engine.subject.mutants.operators import SYMBOLS

_DECIDED = (ast.Compare, ast.BoolOp, ast.Constant, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
"""What is told of otherwise, or stays as it is."""


class AskedFunctions(NamedTuple):
    """The codes of a module's functions, and the first number of a site that is still free."""

    codes: Mapping[Place, CodeType]
    free: int


def asked_functions(source: str | bytes, path: str, log: OperandLog, first_site: int) -> AskedFunctions:
    """Raises what ``compile`` raises."""
    rewriter = _AskingRewriter(first_site)
    codes = rewritten_functions(source, path, rewriter, probes_of(log))
    return AskedFunctions(codes, rewriter.site)


class _AskingRewriter(BodyRewriter):
    def __init__(self, site: int) -> None:
        self.site = site

    def _number(self) -> ast.Constant:
        self.site += 1
        return ast.Constant(self.site - 1)

    def _decision(self, node: ast.expr) -> ast.expr:
        """What is asked for its truth, once it was visited."""
        if isinstance(node, _DECIDED) or (isinstance(node, ast.Call) and isinstance(node.func, ast.Constant)):
            return node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return node
        return probe_call("truth", node, node, self._number())

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """No decision is made in it."""
        return node

    def visit_If(self, node: ast.If | ast.While | ast.IfExp | ast.Assert) -> ast.AST:
        """Its condition."""
        self.generic_visit(node)
        node.test = self._decision(node.test)
        return node

    visit_While = visit_IfExp = visit_Assert = visit_If

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Each of its parts."""
        self.generic_visit(node)
        node.values = [*map(self._decision, node.values)]
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """``not``"""
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            node.operand = self._decision(node.operand)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """Its conditions."""
        self.generic_visit(node)
        node.ifs = [*map(self._decision, node.ifs)]
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """Whether there is anything to go through."""
        self.generic_visit(node)
        node.iter = probe_call("truth", node.iter, node.iter, self._number())
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """A chain only where what stands in it is simple enough to be evaluated twice."""
        self.generic_visit(node)
        return in_parts(
            node,
            lambda op, left, right: probe_call("compare", node, ast.Constant(SYMBOLS[type(op)]), left, right, self._number()),
        )

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """What is called is looked at first."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name | ast.Attribute):
            node.func = probe_call("wrap", node.func, node.func, self._number())
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """An element that is read."""
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, ast.Slice | ast.Tuple):
            return node
        return probe_call("item", node, node.value, node.slice, self._number())
