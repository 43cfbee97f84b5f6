"""Rewriting for weak mutation: expressions with mutants hand their operands and result to the probe of their site.

``a + f(x)`` becomes ``SITE(a + (@0 := f(x)), a, @0, (@0 := None))``, within the probes of conditions where there are any. A small
expression is compiled twice, ``PROBED if GROUP.open else PLAIN``, so that a group whose mutants have all differed in this run costs
next to nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from copy import deepcopy

from crashwright.engine.instrument.expressions import ExpressionRewriter, ProbeOperand
from crashwright.engine.instrument.infection import Infections
from crashwright.engine.instrument.marking import group_at, has_sites, site_at, unmarked
from crashwright.engine.instrument.probed_code import GROUP, SITE, constant_call, first_part, is_fixed, place, repeated
from crashwright.engine.subject.flow.conditions import atoms, position_of


class InfectionRewriter(ExpressionRewriter):
    """An expression rewriter that heeds the marks of :mod:`marking`."""

    def __init__(self, infections: Infections | None = None) -> None:
        super().__init__()
        self._infections = infections
        self._grouped: int | None = None
        """The group that is being rewritten."""
        self._pending: list[int] = []
        """Sites of ``not`` in tests, waiting for the first atom beneath."""

    # -- sites and groups

    def site_of(self, node: ast.AST) -> int | None:
        """See ``ExpressionRewriter``."""
        return site_at(node) if self.probed is not None else None

    def _site_call(self, site: int, form: str, arguments: list[ast.expr], at: ast.AST) -> ast.Call:
        assert self._infections is not None
        self._infections.join(site, self._grouped)
        return constant_call(f"{SITE}{site}:{form}", arguments, at)

    def visit(self, node: ast.AST) -> ast.AST:
        """Groups are compiled twice; comparisons see to that themselves."""
        if self._grouped is None and self.probed is not None and isinstance(node, ast.expr) and not isinstance(node, ast.Compare):
            group = group_at(node)
            if group is not None:
                plain = unmarked(deepcopy(node))
                return self._either(group, lambda: self._visited_once(node), plain, node)
        return self._visited_once(node)

    def _visited_once(self, node: ast.AST) -> ast.expr:
        return super().visit(node)  # type: ignore[no-any-return]

    def _either(self, group: int, rewrite: Callable[[], ast.expr], plain: ast.expr, at: ast.expr) -> ast.expr:
        self._grouped = group
        try:
            probed = rewrite()
        finally:
            self._grouped = None
        is_open = ast.Attribute(ast.Constant(f"{GROUP}{group}"), "open", ast.Load())
        return place(ast.IfExp(place(is_open, at), probed, plain), at)

    def _guarded(self, node: ast.expr, rewrite: Callable[[ast.expr], ast.expr]) -> ast.expr:
        if not has_sites(node):
            return super()._guarded(node, rewrite)
        group = group_at(node)
        if group is None or self._grouped is not None:
            return rewrite(node)  # what skips the probe of a settled condition would skip those inside
        assert self.probed is not None
        start = len(self.probed.predicates)
        usual = super()._guarded(unmarked(deepcopy(node)), rewrite)
        del self.probed.predicates[start:]
        return self._either(group, lambda: rewrite(node), usual, node)

    # -- conditions

    def _structure(self, node: ast.expr, leaves: set[int], jump: ast.AST | None) -> ast.expr:
        site = None if id(node) in leaves else self.site_of(node)
        if id(node) in leaves:
            pending, self._pending = self._pending, []
            node_now = super()._structure(node, leaves, jump)
            for number in [] if is_fixed(node) else pending:
                node_now = self._site_call(number, "plain", [node_now], node)
            return node_now
        if site is not None:
            self._force(node)
        if isinstance(node, ast.BoolOp) and site is not None:
            first, *rest = node.values
            values = [self._structure(first, leaves, jump)]
            node.values = values + [self._seen(site, value, self._structure(value, leaves, jump)) for value in rest]
            return node
        if isinstance(node, ast.UnaryOp) and site is not None:
            self._pending.append(site)
        return super()._structure(node, leaves, jump)

    def _force(self, node: ast.expr) -> None:
        """The atoms beneath get probes, and so are True or False, whose truth nobody hears being asked once more."""
        assert self.probed is not None
        self.probed.forced.update(position_of(atom) for atom, _ in atoms(node))

    def _seen(self, site: int, original: ast.expr, value: ast.expr) -> ast.expr:
        return value if is_fixed(original) else self._site_call(site, "plain", [value], original)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """``and`` / ``or`` for its value."""
        site = self.site_of(node)
        originals = list(node.values)
        result = super().visit_BoolOp(node)
        if site is not None and isinstance(result, ast.BoolOp):
            first, *rest = result.values
            seen = [self._seen(site, original, value) for original, value in zip(originals[1:], rest, strict=True)]
            result.values = [first, *seen]
        return result

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """``not`` for its value, a sign, or a literal with one."""
        site = self.site_of(node)
        if site is None:
            return super().visit_UnaryOp(node)
        native = node if isinstance(node.operand, ast.Constant) else super().visit_UnaryOp(node)
        return self._site_call(site, "plain", [native], node)

    # -- operands

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """A literal."""
        site = self.site_of(node)
        return node if site is None else self._site_call(site, "plain", [node], node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A local variable, and those that may stand in its place."""
        site = self.site_of(node)
        if site is None or self._infections is None or not isinstance(node.ctx, ast.Load):
            return node
        names = self._infections.site(site).names
        return self._site_call(site, "plain", [node, *(place(ast.Name(name, ast.Load()), node) for name in names)], node)

    # -- operations

    def _infected(
        self, node: ast.Compare, result: ast.expr, operands: list[ProbeOperand], spent: bool, unset: list[str] | None = None
    ) -> ast.expr:
        site = self.site_of(node)
        if site is None:
            return result
        again = [deepcopy(operand.again) for operand in operands]
        names = [operand.temporary for operand in operands if operand.temporary] if spent else []
        emptied = place(self._assigned(names, ast.Constant(None)), node)
        if unset is None:
            return self._site_call(site, "plain", [result, *again, emptied], node)
        nothing = place(self._unset(unset if spent else []), node)
        return self._site_call(site, "chain", [nothing, result, *again, emptied], node)

    def _infected_there(self, node: ast.Compare, arguments: list[ast.expr] | None) -> ast.expr | None:
        site = self.site_of(node)
        if site is None:
            return None
        if arguments is None:
            return self._site_call(site, "evaluated", [node.left, node.comparators[0]], node)
        return self._site_call(site, "compared", arguments, node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Arithmetic."""
        site = self.site_of(node)
        if site is None:
            return super().visit_BinOp(node)
        operands = self._operands([node.left, node.right])
        if operands is None:
            node.left, node.right = self.visit_expression(node.left), self.visit_expression(node.right)
            return self._site_call(site, "evaluated", [node.left, node.right], node)
        node.left, node.right = (operand.native for operand in operands)
        names = [operand.temporary for operand in operands if operand.temporary]
        spent = place(self._assigned(names, ast.Constant(None)), node)
        return self._site_call(site, "plain", [node, *(operand.again for operand in operands), spent], node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        """``x += Y`` becomes ``x += SITE(x, Y)``."""
        site = self.site_of(node)
        target = node.target
        rewritten = self.visit_expression(target)
        assert isinstance(rewritten, ast.Name | ast.Attribute | ast.Subscript)
        value = self.visit_expression(node.value)
        if site is not None:
            form, parts = "plain", [repeated(ast.Name(target.id, ast.Load()))] if isinstance(target, ast.Name) else []
            if isinstance(target, ast.Attribute):
                form, parts = "attribute", [repeated(target.value), ast.Constant(target.attr)]
            elif isinstance(target, ast.Subscript):
                form, parts = "item", [repeated(target.value), repeated(target.slice)]
            known = [part for part in parts if part is not None]
            if len(known) == len(parts):
                value = self._site_call(site, form, [*(place(part, first_part(target)) for part in known), value], node.value)
        node.target, node.value = rewritten, value
        return node
