"""A chosen function while it is rewritten, and the trees of which its probes are made."""

from __future__ import annotations

import ast
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice

from crashwright.core.location import CodeKey, Position
from crashwright.engine.instrument.layout import Branching, slot_of
from crashwright.engine.instrument.trace import Predicate
from crashwright.engine.subject.flow.conditions import position_of

STATE = "@cw"
PROBE = "@cw:probe:"
FUNCTION = "@cw:function:"
UNSET_CONSTANT = "@cw:unset"
SITE = "@cw:site:"
GROUP = "@cw:group:"
"""Local names and constants that no source can spell. The constants stand for objects until the code is assembled."""
PAUSES = (ast.Await, ast.Yield, ast.YieldFrom)
"""Expressions in which a function stops, to be resumed by somebody."""


@dataclass(slots=True)
class ProbedCode:
    """A chosen function while it is rewritten. Numbers are given in order of the source, whichever predicates carry probes."""

    key: CodeKey
    ordinal: int
    wanted: frozenset[Position] | None
    has_locals: bool
    """False where the function looks at its own local names: then the activation is asked for each time, without a name."""
    site: ast.expr | None = None
    """Where the crash is wanted: see :func:`site_in`."""
    predicates: list[Predicate] = field(default_factory=list)
    markers: list[Position] = field(default_factory=list)
    branchings: list[Branching] = field(default_factory=list)
    measured: tuple[str, ...] | None = None
    """The parameters that the entry probe tells of, where there is one."""
    forced: set[Position] = field(default_factory=set)
    """Predicates that carry probes because those of mutants need them to."""
    _places: list[tuple[ast.Constant, int, int]] = field(default_factory=list)

    def predicate(self, node: ast.AST, kind: str) -> int:
        """The number of a new predicate."""
        self.predicates.append(Predicate(position_of(node), kind))
        return len(self.predicates) - 1

    def carries(self, predicate: int) -> bool:
        """Whether the predicate gets a probe."""
        position = self.predicates[predicate].position
        return self.wanted is None or position in self.wanted or position in self.forced

    def place(self, predicate: int, part: int = 0) -> ast.Constant:
        """Where a part of the predicate's slot is in the state: a constant that gets its value by :meth:`finish`."""
        constant = ast.Constant(0)
        self._places.append((constant, predicate, part))
        return constant

    def finish(self) -> None:
        """All of the function has been seen."""
        for constant, predicate, part in self._places:
            constant.value = slot_of(predicate, len(self.markers)) + part

    def marker(self, statement: ast.stmt) -> int:
        """The number of a new marker."""
        self.markers.append(position_of(statement))
        return len(self.markers) - 1


def place(node: ast.expr, at: ast.AST) -> ast.expr:
    """``node`` and what it is made of, as far as it has no place yet, at the place of another."""
    for part in ast.walk(node):
        if isinstance(part, ast.expr) and not hasattr(part, "lineno"):
            ast.copy_location(part, at)
    return node


def call(probe: str, arguments: list[ast.expr], at: ast.AST) -> ast.Call:
    """The call of a probe."""
    return constant_call(PROBE + probe, arguments, at)


def constant_call(constant: str, arguments: list[ast.expr], at: ast.AST) -> ast.Call:
    """The call of what the constant stands for."""
    made = ast.copy_location(ast.Call(ast.Constant(constant), arguments, []), at)
    # Python 3.11 may fuse two loads into one instruction, which has the place of the first: so what is loaded just before the
    # subject's expression has the place of the expression's first part.
    first = first_part(at)
    for part in (made.func, *arguments):
        if not hasattr(part, "lineno"):
            ast.copy_location(part, first)
    return made


def first_part(node: ast.AST) -> ast.AST:
    """What is evaluated first."""
    while True:
        match node:
            case ast.Compare(left=part) | ast.BinOp(left=part) | ast.Call(func=part) | ast.IfExp(test=part):
                node = part
            case ast.Attribute(value=part) | ast.Subscript(value=part) | ast.NamedExpr(value=part) | ast.UnaryOp(operand=part):
                node = part
            case _:
                return node


def site_in(code: ast.AST, caret: Position) -> ast.Subscript | ast.BinOp | None:
    """The index access or division that failed with this caret: the one exactly there, else the innermost within a caret that is no
    expression's own."""
    innermost: ast.Subscript | ast.BinOp | None = None
    for node in ast.walk(code):  # outer before inner
        if isinstance(node, ast.expr) and _within(position_of(node), caret):
            site = node if isinstance(node, (ast.Subscript, ast.BinOp)) and _may_fail(node) else None
            if position_of(node) == caret:
                return site
            innermost = site or innermost
    return innermost


def _within(inner: Position, outer: Position) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


def _may_fail(node: ast.Subscript | ast.BinOp) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod)) and not isinstance(node.right, ast.Constant)
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return not any(isinstance(part, (ast.Slice, ast.Starred)) for part in parts)


def repeated(node: ast.expr) -> ast.expr | None:
    """``node`` for a second evaluation, where that is harmless: names, constants and displays of constants."""
    match node:
        case ast.Constant():
            return ast.Constant(node.value)
        case ast.Name():
            return ast.Name(node.id, ast.Load())
        case ast.NamedExpr():
            return ast.Name(node.target.id, ast.Load())
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
            return ast.UnaryOp(ast.USub(), ast.Constant(value))
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items) if all(isinstance(i, ast.Constant) for i in items):
            return ast.Tuple([ast.Constant(i.value) for i in items if isinstance(i, ast.Constant)], ast.Load())
    return None


def small_copy(node: ast.expr, limit: int = 24) -> ast.expr | None:
    """A copy of an expression; None for large ones, those with code objects of their own, and those that pause."""
    parts = list(islice(ast.walk(node), limit + 1))
    own_code = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    if len(parts) > limit or any(isinstance(part, (*own_code, *PAUSES)) for part in parts):
        return None
    return deepcopy(node)


def is_fixed(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id == "__debug__")


def truth_is_known(node: ast.expr) -> bool:
    """Whether a value is true or false whatever happens before, as the ``{}`` of ``options or {}``."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return not node.elts or any(not isinstance(element, ast.Starred) for element in node.elts)
    if isinstance(node, ast.Dict):
        return not node.keys or any(key is not None for key in node.keys)
    return is_fixed(node) or isinstance(node, (ast.Lambda, ast.GeneratorExp))
