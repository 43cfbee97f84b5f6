"""Rewriting of expressions: the conditions of a chosen function get probes, and evaluate exactly as before.

A comparison ``f(x) < limit`` in a test becomes ``LT(@cw, 9, not not (@0 := f(x)) < limit, @0, limit, (@0 := None))``: the subject's
own frame evaluates the operands, the comparison and its truth, once and in order; the probe then sees result and operands.
Operands that are no plain names or constants go through temporaries, emptied by the last argument. Every node has the place of
the one it stands for, so tracebacks agree to the column. Where the expression is small, ``EXPRESSION if @cw[11] else LT(...)``
skips the probe of a settled predicate.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from dataclasses import dataclass

from crashwright.engine.instrument.interface import OPERATORS
from crashwright.engine.instrument.layout import SETTLED
from crashwright.engine.instrument.probed_code import (
    FUNCTION,
    STATE,
    UNSET_CONSTANT,
    ProbedCode,
    call,
    first_part,
    is_fixed,
    place,
    repeated,
    small_copy,
    truth_is_known,
)
from crashwright.engine.subject.flow.conditions import CHARACTER_TESTS, atoms, tested_by

_KINDS: dict[type[ast.cmpop], str] = {
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Is: "is",
    ast.IsNot: "is_not",
    ast.In: "in",
    ast.NotIn: "not_in",
}
_PROBES = {"in": "in_", "isinstance": "isinstance_"}
# Before 3.12 the compiler gives the jump of a test, but for comparisons, the place of the whole statement or expression that tests.
_JUMP_AT_OWNER = sys.version_info < (3, 12)


@dataclass(slots=True)
class ProbeOperand:
    """An operand in its place, and once more for the probe; ``temporary`` carries it where it cannot be evaluated twice."""

    native: ast.expr
    again: ast.expr
    temporary: str | None = None


class ExpressionRewriter(ast.NodeTransformer):
    """Puts probes into expressions. ``probed`` is the function that they record to, None outside chosen functions."""

    def __init__(self) -> None:
        self.probed: ProbedCode | None = None
        self.temporaries = True
        """Whether an assignment expression may stand here: not in comprehensions, where it would reach into the function."""
        self._depth = 0
        self._owners: dict[int, ast.AST] = {}
        """Of conditional expressions that are tests themselves: what tests them."""

    # -- the two contexts of a condition: a test, where only its truth counts, and elsewhere, where its value does

    def test(self, node: ast.expr, owner: ast.AST) -> ast.expr:
        """A test of ``owner`` (a statement, conditional expression or comprehension)."""
        if self.probed is None:
            return self.visit_expression(node)
        return self._structure(node, {id(atom) for atom, _ in atoms(node)}, owner if _JUMP_AT_OWNER else None)

    def _structure(self, node: ast.expr, leaves: set[int], jump: ast.AST | None) -> ast.expr:
        if id(node) in leaves:
            if isinstance(node, ast.IfExp) and jump is not None:
                self._owners[id(node)] = jump
            return self._atom(node, node if jump is None or isinstance(node, ast.Compare) else jump)
        if isinstance(node, ast.BoolOp):
            node.values = [self._structure(value, leaves, jump) for value in node.values]
        elif isinstance(node, ast.UnaryOp):
            node.operand = self._structure(node.operand, leaves, jump)
        return node

    def visit_expression(self, node: ast.expr) -> ast.expr:
        """``node`` rewritten, its value unchanged."""
        result = self.visit(node)
        assert isinstance(result, ast.expr)
        return result

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """``and`` / ``or`` for its value, which is one of the operands."""
        node.values = [self._value_operand(value) for value in node.values]
        return node

    def _value_operand(self, node: ast.expr) -> ast.expr:
        if self.probed is None or isinstance(node, (ast.BoolOp, ast.UnaryOp, ast.Compare)) or truth_is_known(node):
            return self.visit_expression(node)
        return self._guarded(node, self._value_probe)

    def _value_probe(self, node: ast.expr) -> ast.expr:
        assert self.probed is not None
        predicate = self.probed.predicate(node, "truth")
        inner = self.visit_expression(node)
        if not self.probed.carries(predicate):
            return inner
        return call("value", [self.state(node), self.probed.place(predicate), inner], node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """``not`` for its value: a test of its operand, but where ``and`` / ``or`` stand beneath, whose truth is asked twice."""
        if isinstance(node.op, ast.Not) and self.probed is not None and not self._asked_twice(node.operand):
            node.operand = self._atom(node.operand, node)
        else:
            node.operand = self.visit_expression(node.operand)
        return node

    @staticmethod
    def _asked_twice(node: ast.expr) -> bool:
        return isinstance(node, ast.BoolOp) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """A conditional expression."""
        node.test = self.test(node.test, self._owners.pop(id(node), node))
        node.body = self.visit_expression(node.body)
        node.orelse = self.visit_expression(node.orelse)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """A comparison for its value."""
        if self.probed is None:
            return self.generic_expression(node)
        return self._guarded(node, self._compared_value)

    def _compared_value(self, node: ast.expr) -> ast.expr:
        assert isinstance(node, ast.Compare)
        return self._compare(node, None)

    def generic_expression(self, node: ast.expr) -> ast.expr:
        """``node`` with only its parts rewritten."""
        result = self.generic_visit(node)
        assert isinstance(result, ast.expr)
        return result

    # -- the site of the crash

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """At the site ``X[Y]`` becomes ``(@0 := X)[INDEX(@cw, 9, @0, (@0 := None), Y)]``: whether loaded, stored or deleted."""
        predicate = self._site(node)
        node.value, node.slice = self.visit_expression(node.value), self.visit_expression(node.slice)
        if self.probed is None or predicate is None:
            return node
        spent: ast.expr = ast.Constant(None)
        again = repeated(node.value)
        if again is None:
            if not self.temporaries:
                return node
            # Emptied before the index is evaluated, so that what is in there may use the same name.
            name = f"@{self._depth}"
            spent = self._assigned([name], spent)
            again = ast.Name(name, ast.Load())
            node.value = place(ast.NamedExpr(ast.Name(name, ast.Store()), node.value), node.value)
        arguments = [self.probed.place(predicate), place(again, node.value), place(spent, first_part(node.slice)), node.slice]
        node.slice = call("index", [self.state(node.slice), *arguments], node.slice)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """At the site ``X / Y`` becomes ``X / DIVISOR(@cw, 9, Y)``."""
        predicate = self._site(node)
        node.left, node.right = self.visit_expression(node.left), self.visit_expression(node.right)
        if self.probed is not None and predicate is not None:
            node.right = call("divisor", [self.state(node.right), self.probed.place(predicate), node.right], node.right)
        return node

    def _site(self, node: ast.expr) -> int | None:
        """The number of the predicate if ``node`` is the site, and carries a probe."""
        if self.probed is None or node is not self.probed.site:
            return None
        predicate = self.probed.predicate(node, "site")
        return predicate if self.probed.carries(predicate) else None

    # -- atoms

    def _atom(self, node: ast.expr, jump: ast.AST) -> ast.expr:
        return node if is_fixed(node) else self._guarded(node, lambda atom: self._probed_atom(atom, jump))

    def _guarded(self, node: ast.expr, rewrite: Callable[[ast.expr], ast.expr]) -> ast.expr:
        """``node`` with its probe, skipped when the predicate is settled: for small expressions with no other predicate inside."""
        assert self.probed is not None
        predicate = len(self.probed.predicates)
        copy = small_copy(node) if self.probed.has_locals else None
        probed = rewrite(node)
        if copy is None or not self.probed.carries(predicate) or len(self.probed.predicates) > predicate + 1:
            return probed
        settled = ast.Subscript(self.state(node), self.probed.place(predicate, SETTLED), ast.Load())
        return place(ast.IfExp(settled, copy, probed), node)

    def _probed_atom(self, node: ast.expr, jump: ast.AST) -> ast.expr:
        if isinstance(node, ast.Compare):
            return self._compare(node, jump)
        kind = tested_by(node)
        if kind == "match":
            return self._outcome_only(node, kind, jump)
        if isinstance(node, ast.Call) and kind is not None:
            return self._call_test(node, kind, jump)
        return self._truth(node, jump)

    def _outcome_only(self, node: ast.expr, kind: str, jump: ast.AST) -> ast.expr:
        assert self.probed is not None
        predicate = self.probed.predicate(node, kind)
        return self._flagged(predicate, self.generic_expression(node), jump, node)

    def _flagged(self, predicate: int, native: ast.expr, jump: ast.AST | None, at: ast.expr) -> ast.expr:
        assert self.probed is not None
        if not self.probed.carries(predicate):
            return native
        return call("flag", [self.state(at), self.probed.place(predicate), self._outcome(native, jump)], at)

    def _truth(self, node: ast.expr, jump: ast.AST) -> ast.expr:
        assert self.probed is not None
        predicate = self.probed.predicate(node, "truth")
        if not self.probed.carries(predicate):
            return self.visit_expression(node)
        depth = self._depth
        operand = self._operand(node)
        self._depth = depth
        if operand is None:
            return self._flagged(predicate, self.visit_expression(node), jump, node)
        return self._measured("truth", predicate, self._outcome(operand.native, jump), [operand], node)

    def _call_test(self, node: ast.Call, kind: str, jump: ast.AST | None) -> ast.expr:
        """``isinstance(x, C)``, ``s.startswith(p)``, ``s.isdigit()``: the operands are the receiver, if any, and the arguments.
        ``jump`` is None where the value of the call counts."""
        assert self.probed is not None
        predicate = self.probed.predicate(node, kind)
        receiver = node.func if isinstance(node.func, ast.Attribute) else None
        nodes = ([receiver.value] if receiver is not None else []) + node.args
        if not self.probed.carries(predicate):
            return self.generic_expression(node)
        operands = self._operands(nodes)
        if operands is None:
            return self._flagged(predicate, self.generic_expression(node), jump, node)
        natives = [operand.native for operand in operands]
        if receiver is not None:
            receiver.value = natives.pop(0)
        node.args = natives
        result = self._outcome(node, jump)
        if kind in CHARACTER_TESTS:
            return self._measured("text_is", predicate, result, operands, node, ast.Constant(kind))
        return self._measured(_PROBES.get(kind, kind), predicate, result, operands, node)

    # -- comparisons

    def _compare(self, node: ast.Compare, jump: ast.AST | None) -> ast.expr:
        """``jump`` is None where the value of the comparison counts."""
        assert self.probed is not None
        if len(node.ops) > 1:
            return self._chain(node, jump)
        kind = _KINDS[type(node.ops[0])]
        predicate = self.probed.predicate(node, kind)
        carries, infects = self.probed.carries(predicate), self.site_of(node) is not None
        if not carries and not infects:
            return self.generic_expression(node)
        if kind in ("is", "is_not") and not infects:
            return self._flagged(predicate, self.generic_expression(node), None, node)
        operands = self._operands([node.left, *node.comparators])
        if operands is None:
            return self._compared(self._visited(node), kind, predicate)
        left, right = operands
        node.left, node.comparators = left.native, [right.native]
        native = node if kind in ("in", "not_in", "is", "is_not") else self._outcome(node, jump)
        flagged = kind in ("is", "is_not")
        result = self._infected(node, native, operands, spent=flagged or not carries)
        if flagged or not carries:
            return self._flagged(predicate, result, None, node)
        if kind in ("gt", "ge") or (kind in ("eq", "ne") and is_fixed(left.again) and not is_fixed(right.again)):
            operands.reverse()
        probe = {"gt": "lt", "ge": "le"}.get(kind, _PROBES.get(kind, kind))
        return self._measured(probe, predicate, result, operands, node)

    def _compared(self, node: ast.Compare, kind: str, predicate: int) -> ast.expr:
        """In a comprehension, where the probe evaluates the comparison."""
        assert self.probed is not None
        if not self.probed.carries(predicate) or kind in ("is", "is_not"):
            return self._flagged(predicate, self._infected_there(node, None) or node, None, node)
        pair = [ast.Constant(OPERATORS.index(kind)), node.left, node.comparators[0]]
        arguments = [self.state(node), self.probed.place(predicate), *pair]
        return self._infected_there(node, arguments) or call("compared", arguments, node)

    # -- what weak mutation adds (see ``infection_rewrite``)

    def site_of(self, node: ast.AST) -> int | None:  # noqa: ARG002
        """The number of the mutation site that the node is."""
        return None

    def _infected(
        self,
        node: ast.Compare,  # noqa: ARG002
        result: ast.expr,
        operands: list[ProbeOperand],  # noqa: ARG002
        spent: bool,  # noqa: ARG002
        unset: list[str] | None = None,  # noqa: ARG002
    ) -> ast.expr:
        """``result`` after the probe of the site; ``spent``: it is the last to see the temporaries. ``unset``: those of operands
        that a chain may not evaluate."""
        return result

    def _infected_there(self, node: ast.Compare, arguments: list[ast.expr] | None) -> ast.expr | None:  # noqa: ARG002
        """The site's own evaluation of a comparison in a comprehension; ``arguments`` are those of the probe ``compared``."""
        return None

    def _visited(self, node: ast.Compare) -> ast.Compare:
        self.generic_visit(node)
        return node

    def _chain(self, node: ast.Compare, jump: ast.AST | None) -> ast.expr:
        assert self.probed is not None
        predicate = self.probed.predicate(node, "chain")
        # The jumps inside and after a chained comparison have its own place in every version.
        at_jump = node if jump is not None else None
        carries = self.probed.carries(predicate)
        if not self.temporaries or not (carries or self.site_of(node) is not None):
            return self._flagged(predicate, self.generic_expression(node), at_jump, node)
        operands = self._operands([node.left, *node.comparators], lazy_from=2)
        assert operands is not None
        node.left, *node.comparators = (operand.native for operand in operands)
        lazy = [operand.temporary for operand in operands[2:] if operand.temporary]
        kinds = ast.Tuple([ast.Constant(OPERATORS.index(_KINDS[type(op)])) for op in node.ops], ast.Load())
        result = self._infected(node, self._outcome(node, at_jump), operands, not carries, lazy)
        if not carries:
            return result
        unset = self._unset(lazy)
        again = [operand.again for operand in operands]
        spent = self._assigned([o.temporary for o in operands if o.temporary], ast.Constant(None))
        arguments: list[ast.expr] = [self.probed.place(predicate), kinds, unset, result, *again, spent]
        return call("chain", [self.state(node), *(place(argument, node) for argument in arguments)], node)

    # -- parts of probe calls

    def state(self, at: ast.AST) -> ast.expr:
        """The state of the running function's activation."""
        assert self.probed is not None
        if self.probed.has_locals:
            return ast.copy_location(ast.Name(STATE, ast.Load()), at)
        return call("current", [ast.Constant(f"{FUNCTION}{self.probed.ordinal}")], at)

    def _outcome(self, native: ast.expr, jump: ast.AST | None) -> ast.expr:
        """In a test the truth of ``native``, asked where the jump would ask; else ``native`` itself."""
        if jump is None:
            return native
        inner = ast.copy_location(ast.UnaryOp(ast.Not(), native), jump)
        return ast.copy_location(ast.UnaryOp(ast.Not(), inner), jump)

    def _operand(self, node: ast.expr, lazy: bool = False) -> ProbeOperand | None:
        """None where it would need a temporary and there are none; ``node`` is then untouched."""
        if not self.temporaries and repeated(node) is None:
            return None
        again = None if lazy else repeated(node)
        native = self.visit_expression(node)
        if again is not None:
            return ProbeOperand(native, place(again, node))
        name = f"@{self._depth}"
        self._depth += 1
        target = ast.copy_location(ast.Name(name, ast.Store()), node)
        named = ast.copy_location(ast.NamedExpr(target, native), node)
        return ProbeOperand(named, ast.copy_location(ast.Name(name, ast.Load()), node), name)

    def _operands(self, nodes: list[ast.expr], lazy_from: int = sys.maxsize) -> list[ProbeOperand] | None:
        """While an operand waits in its temporary, those to its right use others."""
        if not self.temporaries and any(repeated(node) is None for node in nodes):
            return None
        depth = self._depth
        operands = [self._operand(node, index >= lazy_from) for index, node in enumerate(nodes)]
        self._depth = depth
        return [operand for operand in operands if operand is not None]

    def _unset(self, names: list[str]) -> ast.expr:
        return self._assigned(names, ast.Constant(UNSET_CONSTANT))

    def _assigned(self, names: list[str], value: ast.expr) -> ast.expr:
        for name in names:
            value = ast.NamedExpr(ast.Name(name, ast.Store()), value)
        return value

    def _measured(
        self, probe: str, predicate: int, result: ast.expr, operands: list[ProbeOperand], at: ast.expr, *more: ast.expr
    ) -> ast.expr:
        assert self.probed is not None
        spent = place(self._assigned([o.temporary for o in operands if o.temporary], ast.Constant(None)), at)
        again = [operand.again for operand in operands]
        return call(probe, [self.state(at), self.probed.place(predicate), result, *again, *more, spent], at)
