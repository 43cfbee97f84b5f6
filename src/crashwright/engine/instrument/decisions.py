"""Probes at the decisions that are no conditions: ``match`` cases, suppressed exceptions, items of comprehensions, and calls that
are returned and say yes or no (``return text.isdigit()``), which guide those who call the function for a flag.

They are the decisions of ``subject.flow.cfg``. After ``case 3`` comes ``case _ if EQ(@cw, 9, False, x, 3, None)``, which
is never taken and notes that the pattern failed, with a distance where the pattern is a value.
"""

from __future__ import annotations

import ast
from abc import abstractmethod

from crashwright.engine.instrument.infection import Infections
from crashwright.engine.instrument.infection_rewrite import InfectionRewriter
from crashwright.engine.instrument.layout import FALSE, Branching
from crashwright.engine.instrument.probed_code import call, place, repeated
from crashwright.engine.subject.flow.conditions import matches_all, never_suppresses, tested_by
from crashwright.engine.subject.source import Comprehension

_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)


class DecisionRewriter(InfectionRewriter):
    """An expression rewriter that knows of decisions between statements."""

    def __init__(self, infections: Infections | None = None) -> None:
        super().__init__(infections)
        self.before: list[ast.stmt] = []
        self.after: list[ast.stmt] = []
        """What goes before and behind the statement just rewritten."""
        self._matches = 0

    @abstractmethod
    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Statements rewritten."""

    @abstractmethod
    def write(self, index: ast.expr, value: float, at: ast.AST) -> ast.stmt:
        """A statement that writes to the state."""

    @property
    def _deciding(self) -> bool:
        return self.probed is not None and self.probed.has_locals

    # -- return

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        """``return``: a call with a yes or no for its value; comparisons have their probes anyway."""
        if node.value is not None:
            asks = self._deciding and tested_by(node.value) is not None
            node.value = self._guarded(node.value, self._told) if asks else self.visit_expression(node.value)
        return node

    def _told(self, node: ast.expr) -> ast.expr:
        assert isinstance(node, ast.Call)
        kind = tested_by(node)
        assert self.probed is not None
        assert kind is not None
        if kind != "match":
            return self._call_test(node, kind, None)
        predicate = self.probed.predicate(node, kind)
        inner = self.generic_expression(node)
        if not self.probed.carries(predicate):
            return inner
        return call("value", [self.state(node), self.probed.place(predicate), inner], node)

    # -- match

    def visit_Match(self, node: ast.Match) -> ast.stmt:
        """``match``: patterns stay as they are."""
        node.subject = self.visit_expression(node.subject)
        if not self._deciding:
            for case in node.cases:
                self._case(case)
            return node
        subject = repeated(node.subject)
        temporary: str | None = None
        if subject is None:
            self._matches += 1
            temporary = f"@match{self._matches}"
            subject = ast.Name(temporary, ast.Load())
            node.subject = place(ast.NamedExpr(ast.Name(temporary, ast.Store()), node.subject), node.subject)
        cases: list[ast.match_case] = []
        before: list[ast.stmt] = []
        for case in node.cases:
            cases += self._decided(case, subject, before)
            if temporary is not None:
                case.body.insert(0, _assigned(temporary, None, case.pattern))
        node.cases = cases
        after = [] if temporary is None else [_assigned(temporary, None, node)]
        self.before, self.after = before, after
        return node

    def _case(self, case: ast.match_case) -> None:
        if case.guard is not None:
            case.guard = self.test(case.guard, case.pattern)
        case.body = self.block(case.body)

    def _decided(self, case: ast.match_case, subject: ast.expr, before: list[ast.stmt]) -> list[ast.match_case]:
        """The case, and the one behind it that notes its failure. ``before`` gets what must precede the statement."""
        assert self.probed is not None
        if matches_all(case.pattern):
            self._case(case)
            return [case]
        predicate = self.probed.predicate(case.pattern, "case")
        at = case.pattern
        if case.guard is None:
            self.probed.branchings.append(Branching(predicate, len(self.probed.markers)))
        if not self.probed.carries(predicate):
            self._case(case)
            return [case]
        if case.guard is None:
            self._case(case)
            return [case, self._failed(self._distance(predicate, case.pattern, subject), at)]
        self._matches += 1
        flag = f"@match{self._matches}"
        before.append(_assigned(flag, False, at))
        self._case(case)
        assert case.guard is not None
        noted = call("flag", [self.state(at), self.probed.place(predicate), ast.Constant(True)], at)
        taken = ast.NamedExpr(ast.Name(flag, ast.Store()), noted)
        case.guard = place(ast.BoolOp(ast.And(), [taken, case.guard]), at)
        untaken = ast.UnaryOp(ast.Not(), ast.Name(flag, ast.Load()))
        failed = ast.BoolOp(ast.And(), [untaken, self._distance(predicate, case.pattern, subject)])
        return [case, self._failed(failed, at)]

    def _failed(self, guard: ast.expr, at: ast.AST) -> ast.match_case:
        wildcard = ast.copy_location(ast.MatchAs(), at)
        return ast.match_case(wildcard, place(guard, at), [ast.copy_location(ast.Pass(), at)])

    def _distance(self, predicate: int, pattern: ast.pattern, subject: ast.expr) -> ast.expr:
        """A call that notes the failure of the pattern, and is False."""
        assert self.probed is not None
        again = repeated(subject)
        probe, wanted = _measure(pattern)
        arguments: list[ast.expr] = [self.state(pattern), self.probed.place(predicate), ast.Constant(False)]
        if wanted is not None and again is not None:
            arguments += [again, wanted, ast.Constant(None)]
        else:
            probe = "flag"
        return place(call(probe, [place(argument, pattern) for argument in arguments], pattern), pattern)

    # -- with

    def suppressing(self, node: ast.With | ast.AsyncWith) -> ast.stmt:
        """``with`` whose body is left by a jump: what follows is reached only if an exception is suppressed. Its body is yet to be
        rewritten.

        # Deviation: not suppressed counts as soon as the jump begins, though it may still raise.
        """
        if not self._deciding or not isinstance(node.body[-1], _LEAVING) or all(map(never_suppresses, node.items)):
            node.body = self.block(node.body)
            return node
        assert self.probed is not None
        predicate = self.probed.predicate(node, "with")
        suppressed = self.write(self.probed.place(predicate), 0.0, node)
        kept = self.write(self.probed.place(predicate, FALSE), 0.0, node.body[-1])
        node.body = self.block(node.body)
        node.body.insert(-1, kept)
        self.before, self.after = [], [suppressed]
        return node

    # -- comprehensions

    def iterated(self, node: Comprehension, first: ast.expr) -> int | None:
        """The predicate of the first iterable of a list, set or dict comprehension: true where there is an item, false where there
        are no more. Generator expressions have none: nobody sees them end."""
        if not self._deciding or isinstance(node, ast.GeneratorExp):
            return None
        assert self.probed is not None
        predicate = self.probed.predicate(first, "iter")
        return predicate if self.probed.carries(predicate) else None

    def noticed(self, predicate: int, generator: ast.comprehension) -> None:
        """Lets the comprehension note that there is an item."""
        assert self.probed is not None
        at = generator.iter
        is_open = ast.Subscript(self.state(at), self.probed.place(predicate), ast.Load())
        noted = call("flag", [self.state(at), self.probed.place(predicate), ast.Constant(True)], at)
        generator.ifs.insert(0, place(ast.BoolOp(ast.Or(), [ast.UnaryOp(ast.Not(), is_open), noted]), at))

    def exhausted(self, predicate: int, node: ast.expr) -> ast.expr:
        """Lets the comprehension, now rewritten, note that it has ended."""
        assert self.probed is not None
        return call("exhausted", [self.state(node), self.probed.place(predicate), node], node)


def _measure(pattern: ast.pattern) -> tuple[str, ast.expr | None]:
    """The probe that knows a distance to the pattern, and what it wants of the subject."""
    match pattern:
        case ast.MatchAs(pattern=ast.pattern() as inner):
            return _measure(inner)
        case ast.MatchValue(value=value):
            return "eq", None if isinstance(value, ast.Name) else repeated(value)
        case ast.MatchOr(patterns=patterns):
            values = [_measure(one)[1] if isinstance(one, ast.MatchValue) else None for one in patterns]
            known = [value for value in values if value is not None]
            return "in_", ast.Tuple(known, ast.Load()) if len(known) == len(values) else None
    return "flag", None


def _assigned(name: str, value: object, at: ast.AST) -> ast.stmt:
    target = ast.copy_location(ast.Name(name, ast.Store()), at)
    constant = ast.Constant(value)  # type: ignore[arg-type]
    return ast.copy_location(ast.Assign([target], ast.copy_location(constant, at)), at)
