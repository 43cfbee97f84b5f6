"""Definite assignment: which local names surely have a value where a statement of a function begins."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from crashwright.engine.subject.walking import children, walk

Function = ast.FunctionDef | ast.AsyncFunctionDef
Names = frozenset[str]


class DefiniteAssignment:
    """``before[id(statement)]`` are the local names with a value at each statement of one function that can be reached.

    Left out are names that are ever deleted (``del``, ``except ... as``) or declared global or nonlocal, and those that only
    imports and definitions bind; what conditional parts of expressions and patterns bind is not counted.
    """

    def __init__(self, function: Function | ast.Lambda) -> None:
        arguments = function.args
        named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        named += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        self.before: dict[int, Names] = {}
        self.parameters: Names = frozenset(one.arg for one in named)
        self.unsure: Names = frozenset() if isinstance(function, ast.Lambda) else frozenset(_unsure(function.body))
        if not isinstance(function, ast.Lambda):
            self._block(function.body, self.parameters - self.unsure)

    def _block(self, statements: list[ast.stmt], known: Names | None) -> Names | None:
        """What is known behind the statements; None where nothing gets there."""
        for statement in statements:
            known = None if known is None else self._statement(statement, known)
        return known

    def _statement(self, node: ast.stmt, known: Names) -> Names | None:
        self.before[id(node)] = known
        match node:
            case ast.If():
                return _both(self._block(node.body, known), self._block(node.orelse, known))
            case ast.While():
                self._block(node.body, known)
                self._block(node.orelse, known)
                return known
            case ast.For() | ast.AsyncFor():
                self._block(node.body, self._bound([node.target], known))
                self._block(node.orelse, known)
                return known
            case ast.With() | ast.AsyncWith():
                targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
                inside = self._bound(targets, known)
                self._block(node.body, inside)
                return inside  # the manager may suppress an exception anywhere in the body
            case ast.Try() | ast.TryStar():
                return self._try(node, known)
            case ast.Match():
                for case in node.cases:
                    self._block(case.body, known)
                return known
            case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
                return None
            case ast.Assign():
                return self._bound(node.targets, known)
            case ast.AnnAssign() if node.value is not None:
                return self._bound([node.target], known)
        return known

    def _try(self, node: ast.Try | ast.TryStar, known: Names) -> Names | None:
        after = self._block(node.body, known)
        after = self._block(node.orelse, after)
        for handler in node.handlers:
            after = _both(after, self._block(handler.body, known))
        final = self._block(node.finalbody, known)
        if after is None or final is None:
            return None
        return after | final

    def _bound(self, targets: Iterable[ast.expr], known: Names) -> Names:
        names = {
            part.id for target in targets for part in walk(target) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }
        return known | (names - self.unsure)


def _both(one: Names | None, other: Names | None) -> Names | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _unsure(statements: Iterable[ast.AST]) -> set[str]:
    found: set[str] = set()
    waiting = list(statements)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.update(names)
            case ast.ExceptHandler(name=str(name)):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Del()):
                found.add(name)
        waiting.extend(children(node))
    return found
