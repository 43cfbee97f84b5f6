"""Rewrites a module so that its functions tell a ``ComparisonLog`` of what they compare. Names, frames and closures stay as
they are: probes are constants of the code, as those of goals are (``instrument.assembly``)."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator, Mapping
from types import CodeType

from crashwright.engine.instrument import depth
from crashwright.engine.instrument.comparison_log.log import PROBES, ComparisonLog
from crashwright.engine.instrument.operations import IN_PLACE
from crashwright.engine.subject.mutants.operators import SYMBOLS

_MARK = "@cw:log:"
Place = tuple[str, int]
"""The qualified name and the first line of a function."""


def logged_functions(source: str | bytes, path: str, log: ComparisonLog, first_site: int) -> tuple[dict[Place, CodeType], int]:
    """The codes of all functions of a module, and the first number of a site that is still free. Raises what ``compile`` raises."""
    rewriter = _LoggingRewriter(first_site)
    probes = {name: getattr(log, name) for name in PROBES}
    return rewritten_functions(source, path, rewriter, probes), rewriter.site


def rewritten_functions(
    source: str | bytes, path: str, rewriter: ast.NodeTransformer, probes: Mapping[str, object]
) -> dict[Place, CodeType]:
    """The codes of all functions of a module that ``rewriter`` has put names of ``probes`` into. Raises what ``compile`` raises."""
    with warnings.catch_warnings(), depth.recursion_limit(depth.COMPILER):
        warnings.simplefilter("ignore", SyntaxWarning)
        tree = rewriter.visit(ast.parse(source, path))
        code = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
    return dict(_functions(_with_probes(code, probes)))


def probe_call(name: str, at: ast.AST, *arguments: ast.expr) -> ast.Call:
    """The call of a probe in the place of ``at``."""
    made = ast.Call(ast.Constant(_MARK + name), list(arguments), [])
    for part in (made, made.func, *arguments):
        if not hasattr(part, "lineno"):
            ast.copy_location(part, at)
    return made


def _functions(code: CodeType) -> Iterator[tuple[Place, CodeType]]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield (constant.co_qualname, constant.co_firstlineno), constant
            yield from _functions(constant)


def _with_probes(code: CodeType, probes: Mapping[str, object]) -> CodeType:
    constants: list[object] = []
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            constants.append(_with_probes(constant, probes))
        elif type(constant) is str and constant.startswith(_MARK) and constant.removeprefix(_MARK) in probes:
            constants.append(probes[constant.removeprefix(_MARK)])
        else:
            constants.append(constant)
    return code.replace(co_consts=tuple(constants))


def in_parts(node: ast.Compare, part: Callable[[ast.cmpop, ast.expr, ast.expr], ast.expr]) -> ast.expr:
    """A comparison, each of a chain of them as ``part`` writes it; as it is where that would evaluate more than a name twice."""
    operands = [node.left, *node.comparators]
    if not all(map(is_plain, operands[1:-1])):
        return node
    parts = [part(op, left, right) for left, op, right in zip(operands, node.ops, operands[1:], strict=False)]
    return parts[0] if len(parts) == 1 else ast.copy_location(ast.BoolOp(ast.And(), parts), node)


class BodyRewriter(ast.NodeTransformer):
    """Rewrites what functions do: annotations, defaults and patterns stay as they are."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Annotations stay as they are."""
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        """Defaults are none of our business."""
        return node

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        node.body = [self.visit(statement) for statement in node.body]
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        """Patterns stay as they are."""
        if node.guard is not None:
            node.guard = self.visit(node.guard)
        node.body = [self.visit(statement) for statement in node.body]
        return node


class _LoggingRewriter(BodyRewriter):
    def __init__(self, site: int) -> None:
        self.site = site

    def _number(self, used: int = 1) -> ast.Constant:
        self.site += used
        return ast.Constant(self.site - used)

    def visit_Match(self, node: ast.Match) -> ast.AST:
        """A subject that is a name, with the constants that it is matched with."""
        constants = [
            pattern.value.value
            for case in node.cases
            for pattern in ast.walk(case.pattern)
            if isinstance(pattern, ast.MatchValue) and isinstance(pattern.value, ast.Constant)
        ]
        named = is_plain(node.subject)
        subject = node.subject
        self.generic_visit(node)
        if not named or not constants:
            return node
        told = probe_call("matched", node, subject, self._number(len(constants)), *map(ast.Constant, constants))
        # One statement for one: the subject becomes a pair of which the first element is thrown away.
        pair = ast.Tuple([told, subject], ast.Load())
        node.subject = ast.copy_location(ast.Subscript(pair, ast.Constant(1), ast.Load()), subject)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """A chain only where what stands in it is simple enough to be evaluated twice."""
        self.generic_visit(node)
        if any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
            return node

        def told(op: ast.cmpop, left: ast.expr, right: ast.expr) -> ast.expr:
            fixed = 1 if isinstance(left, ast.Constant) else 2 if _is_fixed(right) else 0
            symbol = ast.Constant(SYMBOLS[type(op)])
            return probe_call("compare", node, symbol, left, right, self._number(), ast.Constant(fixed))

        return in_parts(node, told)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """What is called is looked at first; arguments of what goes through them are told of as they are read."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in ("enumerate", "iter", "zip", "map", "filter", "reversed"):
            node.args = [one if isinstance(one, ast.Starred) else probe_call("iterate", one, one) for one in node.args]
        elif isinstance(node.func, ast.Name | ast.Attribute):
            node.func = probe_call("wrap", node.func, node.func, self._number())
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """An element that is read."""
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        index = node.slice
        if isinstance(index, ast.Slice):
            bounds = [ast.Constant(None) if one is None else one for one in (index.lower, index.upper, index.step)]
            index = probe_call("slice_of", node, *bounds)
        elif isinstance(index, ast.Tuple) and any(isinstance(one, ast.Slice | ast.Starred) for one in index.elts):
            return node
        return probe_call("item", node, node.value, index, self._number())

    def visit_For(self, node: ast.For) -> ast.AST:
        """What the loop goes through."""
        self.generic_visit(node)
        node.iter = probe_call("iterate", node.iter, node.iter)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """Likewise."""
        self.generic_visit(node)
        if not node.is_async:
            node.iter = probe_call("iterate", node.iter, node.iter)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """What is put together."""
        self.generic_visit(node)
        symbol = SYMBOLS.get(type(node.op), "")
        if symbol not in IN_PLACE:
            return node
        return probe_call("operated", node, ast.Constant(symbol), node.left, node.right, self._number())

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """``name += ...``"""
        self.generic_visit(node)
        symbol = SYMBOLS.get(type(node.op), "")
        if symbol not in IN_PLACE or not isinstance(node.target, ast.Name):
            return node
        there = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        made = probe_call("change", node, ast.Constant(symbol), there, node.value, self._number())
        return ast.copy_location(ast.Assign([node.target], made), node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """A formatted string with names in it."""
        names = [one.value for one in node.values if isinstance(one, ast.FormattedValue) and isinstance(one.value, ast.Name)]
        self.generic_visit(node)
        return probe_call("joined", node, node, *names) if names else node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        """The format stays as it is."""
        node.value = self.visit(node.value)
        return node


def is_plain(node: ast.expr) -> bool:
    """A constant or a name: to evaluate it again changes nothing."""
    return isinstance(node, ast.Constant | ast.Name)


def _is_fixed(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Tuple | ast.List | ast.Set) and all(map(_is_fixed, node.elts)))
