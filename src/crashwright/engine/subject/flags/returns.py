"""What must happen inside a function so that it returns a wanted result (paper 003: required branches; SPEC 8, anchors).

The function is read as if every ``return`` of a condition decided between two returns of constants (``return a < b and c`` as
``if a < b and c: return True``, ``else: return False``), and every local that is returned between the assignments to it. Each of
these ends is an anchor: the last place on a way to a result, and what it is control dependent on are the required branches.
"""

from __future__ import annotations

import ast
from copy import deepcopy
from types import EllipsisType
from typing import NamedTuple

from crashwright.core.location import CodeKey, Position
from crashwright.engine.subject.api.call_graph import own_expressions
from crashwright.engine.subject.flags.branches import (
    Asks,
    Assignment,
    FlagAnalysis,
    FunctionNode,
    WantedResult,
    assigned_name,
    is_generator,
)
from crashwright.engine.subject.flags.branches import Constant as ConstantValue
from crashwright.engine.subject.flow.cfg import ENTRY, Branch
from crashwright.engine.subject.flow.conditions import CHARACTER_TESTS, position_of, tested_by
from crashwright.engine.subject.flow.control_dependence import ControlDependence
from crashwright.engine.subject.flow.dominance import reachable
from crashwright.engine.subject.walking import walk

MOST_STATEMENTS = 600
"""Longer functions are not looked into."""
_FIRST_PLACE = 1 << 30
"""The line numbers of places that are not in the source."""
_BOOLEAN_METHODS = CHARACTER_TESTS | {"startswith", "endswith", "isidentifier", "istitle"}
_NEVER_NONE = (
    *(ast.JoinedStr, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.BinOp, ast.UnaryOp),
    *(ast.List, ast.Tuple, ast.Dict, ast.Set, ast.Compare),
)


class ReturnedValue(NamedTuple):
    """What is known of a value: a constant of the source, else its truth and whether it is None, as far as they are known.
    ``told_by`` is the place of the expression whose value it is."""

    constant: ConstantValue | EllipsisType = ...
    truth: bool | None = None
    is_none: bool | None = None
    told_by: Position | None = None

    def fits(self, wanted: WantedResult) -> bool | None:
        """Whether the value is as wanted; None where that is not known."""
        if self.constant is not ...:
            return _has(self.constant, wanted) is wanted.holds
        if wanted.asks is Asks.EQUAL:
            return None
        known = self.truth if wanted.asks is Asks.TRUTH else self.is_none
        return None if known is None else known is wanted.holds


class Required(NamedTuple):
    """A way to a wanted result. ``marker`` is the statement that makes the result (None: the end of the function), ``approach`` the
    branches from which it can be missed, nearest first, ``path`` the statements on the way. ``told_by``: the result is that of the
    expression there, whatever it is. ``overwrites``: what is wanted is that this statement, which has run, is not reached.
    ``stored``: the statement is an assignment, after which others may follow."""

    marker: Position | None
    approach: tuple[tuple[Branch, int], ...]
    path: tuple[Position, ...]
    told_by: Position | None = None
    overwrites: bool = False
    stored: bool = False


class _Anchor(NamedTuple):
    place: Position
    marker: Position | None
    result: ReturnedValue
    stored: bool


class FlagMethod:
    """One called function."""

    def __init__(self, node: FunctionNode) -> None:
        self._required: dict[WantedResult, tuple[Required, ...]] = {}
        reading = _Reading(node)
        self._flow = ControlDependence(reading.function)
        alive = reachable(self._flow.cfg.successors(exceptional=True), (ENTRY,))
        self._anchors = [anchor for anchor in reading.anchors if set(self._flow.nodes_at(anchor.place)) & alive]

    def required(self, wanted: WantedResult) -> tuple[Required, ...]:
        """The ways to such a result: all that can have it."""
        known = self._required.get(wanted)
        if known is None:
            known = self._required[wanted] = tuple(self._ways(wanted))
        return known

    def _ways(self, wanted: WantedResult) -> list[Required]:
        ways: list[Required] = []
        for anchor in self._anchors:
            fits = anchor.result.fits(wanted)
            if fits is not False:
                path = self._flow.path_positions(anchor.place)
                told_by = anchor.result.told_by if fits is None else None
                ways += [
                    Required(anchor.marker, one, path, told_by, False, anchor.stored) for one in self._approaches(anchor.place)
                ]
            elif anchor.stored:
                ways += [
                    Required(anchor.marker, ((branch.other, 0),), (), None, True, True)
                    for branch in self._flow.dependences(anchor.place)
                ]
        return ways

    def _approaches(self, place: Position) -> list[tuple[tuple[Branch, int], ...]]:
        """For each required branch (each decision that may be the last on a way there) itself and the decisions before."""
        approach = self._flow.approach(place)
        direct = [step for step in approach if not step[1]]
        before = tuple(step for step in approach if step[1])
        return [(step, *before) for step in direct] or [before]


class FlagMethods:
    """The called functions that were looked into."""

    def __init__(self, analysis: FlagAnalysis) -> None:
        self._analysis = analysis
        self._known: dict[CodeKey, FlagMethod | None] = {}

    def of(self, key: CodeKey) -> FlagMethod | None:
        """The function with that key; None where there is no source, or it is no function whose result is a flag."""
        if key not in self._known:
            node = self._analysis.node(key)
            self._known[key] = None if node is None or _is_long(node) else FlagMethod(node)
        return self._known[key]


def _is_long(node: FunctionNode) -> bool:
    if isinstance(node, ast.Lambda):
        return False
    return is_generator(node) or sum(isinstance(part, ast.stmt) for part in walk(node)) > MOST_STATEMENTS


class _Reading(ast.NodeTransformer):
    """A copy of the function, read as the module says."""

    def __init__(self, node: FunctionNode) -> None:
        self.anchors: list[_Anchor] = []
        copied = deepcopy(node)
        self._returned = _returned_locals(copied)
        if isinstance(copied, ast.Lambda):
            ending = ast.copy_location(ast.Return(copied.body), copied.body)
            self.function = ast.copy_location(ast.FunctionDef("f", copied.args, [ending], [], None, None), copied)
        elif isinstance(copied, ast.AsyncFunctionDef):
            self.function = ast.copy_location(ast.FunctionDef("f", copied.args, copied.body, [], None, None), copied)
        else:
            self.function = copied
        self.function.body = [*map(self.visit, self.function.body), self._end(None, ReturnedValue(None), False)]

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        """A return as the choice that it is."""
        if node.value is None:
            return self._end(position_of(node), ReturnedValue(None), False)
        if isinstance(node.value, ast.Name) and node.value.id in self._returned:
            return node
        return self._ends(node.value, position_of(node), False)

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """An assignment to a local that is returned."""
        return self._stored(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """An annotated one."""
        return self._stored(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        """``valid &= CONDITION`` makes it false or leaves it alone, ``found |= CONDITION`` true or leaves it alone."""
        target = assigned_name(node)
        if target is None or target.id not in self._returned:
            return node
        marker, either = position_of(node), isinstance(node.op, ast.BitOr)
        made, left = self._end(marker, ReturnedValue(either), True), ast.copy_location(ast.Pass(), node)
        return _choice(node.value, made, left, marker) if either else _choice(node.value, left, made, marker)

    def _stored(self, node: ast.Assign | ast.AnnAssign) -> ast.stmt:
        target = assigned_name(node)
        if target is not None and node.value is not None and target.id in self._returned:
            return self._ends(node.value, position_of(node), True)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Not of this function."""
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        """Not of this function."""
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Not of this function."""
        return node

    def _ends(self, value: ast.expr, marker: Position, stored: bool) -> ast.stmt:
        """``value`` as the choice between what it may be."""
        match value:
            case ast.Await(value=awaited) if not isinstance(awaited, ast.Call):
                return self._ends(awaited, marker, stored)
            case ast.NamedExpr(value=inner):
                return self._ends(inner, marker, stored)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return _choice(test, self._ends(body, marker, stored), self._ends(orelse, marker, stored), marker)
            case ast.BoolOp(op=operator, values=[first, *rest]):
                either = isinstance(operator, ast.Or)
                remaining = ast.copy_location(ast.BoolOp(operator, rest), rest[0]) if rest[1:] else rest[0]
                after = self._ends(remaining, marker, stored)
                here = self._end(
                    marker, ReturnedValue(truth=either, is_none=False if either or _is_boolean(first) else None), stored
                )
                return _choice(first, here, after, marker) if either else _choice(first, after, here, marker)
            case ast.Call(func=ast.Name(id="bool"), args=[ast.BoolOp() | ast.Compare() as inner], keywords=[]):
                return self._ends(inner, marker, stored)
        if tested_by(value) == "match":
            found = self._end(marker, ReturnedValue(truth=True, is_none=False), stored)
            return _choice(value, found, self._end(marker, ReturnedValue(None), stored), marker)
        if _is_boolean(value):
            return _choice(
                value, self._end(marker, ReturnedValue(True), stored), self._end(marker, ReturnedValue(False), stored), marker
            )
        return self._end(marker, _result(value), stored)

    def _end(self, marker: Position | None, result: ReturnedValue, stored: bool) -> ast.stmt:
        """The anchor of one result."""
        number = _FIRST_PLACE + len(self.anchors)
        end: ast.stmt = ast.Pass() if stored else ast.Return(None)
        end.lineno = end.end_lineno = number
        end.col_offset, end.end_col_offset = 0, 1
        self.anchors.append(_Anchor(position_of(end), marker, result, stored))
        return end


def _choice(test: ast.expr, then: ast.stmt, otherwise: ast.stmt, marker: Position) -> ast.stmt:
    made = ast.If(test, [then], [otherwise])
    made.lineno, made.col_offset, made.end_lineno, made.end_col_offset = marker
    return made


def _is_boolean(value: ast.expr) -> bool:
    """Whether it is a condition that has a probe also where its value counts."""
    match value:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Call(func=ast.Name(id="isinstance"), args=[_, _], keywords=[]):
            return True
        case ast.Call(func=ast.Attribute(attr=name), keywords=[]):
            return name in _BOOLEAN_METHODS
    return False


def _result(value: ast.expr) -> ReturnedValue:
    if isinstance(value, ast.Constant):
        if isinstance(value.value, str | bytes | int | float | bool | None):
            return ReturnedValue(value.value)
        return ReturnedValue(truth=True, is_none=False)
    if isinstance(value, ast.List | ast.Tuple | ast.Set) and not any(isinstance(item, ast.Starred) for item in value.elts):
        return ReturnedValue(truth=bool(value.elts), is_none=False)
    if isinstance(value, ast.Dict):
        return ReturnedValue(truth=False if not value.keys else None, is_none=False)
    if isinstance(value, ast.Lambda):
        return ReturnedValue(truth=True, is_none=False)
    return ReturnedValue(is_none=False if isinstance(value, _NEVER_NONE) else None, told_by=position_of(value))


def _has(constant: object, wanted: WantedResult) -> bool:
    if wanted.asks is Asks.TRUTH:
        return bool(constant)
    if wanted.asks is Asks.NONE:
        return constant is None
    return type(constant) is type(wanted.constant) and constant == wanted.constant


def _returned_locals(function: FunctionNode) -> frozenset[str]:
    """The locals that are returned as they are and get all their values by assignments that can be read."""
    returned: set[str] = set()
    assigned: set[str] = set()
    otherwise: set[str] = set()
    plain: set[int] = set()
    nodes = [] if isinstance(function, ast.Lambda) else list(own_expressions(function))
    for node in nodes:
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Name):
            returned.add(node.value.id)
        elif isinstance(node, Assignment) and (target := assigned_name(node)) is not None:
            if not isinstance(node, ast.AugAssign):
                plain.add(id(target))
                assigned.add(target.id)
            elif isinstance(node.op, ast.BitOr | ast.BitAnd) and _is_boolean(node.value):
                plain.add(id(target))
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and id(node) not in plain:
            otherwise.add(node.id)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            otherwise.update(node.names)
    arguments = function.args
    otherwise.update(one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))
    return frozenset((returned & assigned) - otherwise)
