"""How far apart two things are that a module compares: the difference of numbers, of days, of moments, in a run.

Functions run other code meanwhile, in which each comparison tells a ``GapLog`` what it compares and then does what stood in its
place, once. Nothing is asked of objects of the subject: only numbers and dates of the standard library have a difference.
"""

from __future__ import annotations

import ast
import datetime
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from types import CodeType
from typing import Any

from crashwright.engine.instrument.comparison_log.rewriting import BodyRewriter, Place, in_parts, probe_call, rewritten_functions
from crashwright.engine.instrument.operations import COMPARISONS
from crashwright.engine.subject.introspection import identities
from crashwright.engine.subject.mutants.operators import SYMBOLS

MOST_OF_ONE = 60
"""Of one comparison in one run: the last ones."""
_WHOLE = identities(int)
_NUMBERS = identities(int, float, Decimal, Fraction)
_MOMENTS: Mapping[int, Callable[[Any], float]] = {
    id(datetime.date): lambda gap: float(gap.days),
    id(datetime.datetime): datetime.timedelta.total_seconds,
    id(datetime.timedelta): datetime.timedelta.total_seconds,
}
"""For the type of both sides: what their difference comes to."""
Gaps = Mapping[int, tuple[float, ...]]
"""By the numbers of comparisons in their module: how far the sides were apart, each time; left minus right."""


class GapLog:
    """Of one run, which is between ``begin`` and ``end``."""

    def __init__(self) -> None:
        self._is_on = False
        self._found: dict[int, list[float]] = {}

    def begin(self) -> None:
        """A run begins."""
        self._is_on, self._found = True, {}

    def end(self) -> Gaps:
        """By sites. Code that still runs tells nothing more."""
        self._is_on = False
        return {site: tuple(gaps[-MOST_OF_ONE:]) for site, gaps in self._found.items()}

    def compare(self, symbol: str, left: Any, right: Any, site: int, /) -> Any:
        """The probe: a comparison."""
        if self._is_on and (gap := gap_between(left, right)) is not None:
            self._found.setdefault(site, []).append(gap)
        return COMPARISONS[symbol](left, right)


def gap_between(left: Any, right: Any) -> float | None:
    """``left`` minus ``right``; None for what has no such difference."""
    kinds = id(type(left)), id(type(right))
    try:
        if kinds[0] in _WHOLE and kinds[1] in _WHOLE:
            gap = float(left - right)
        elif kinds[0] in _NUMBERS and kinds[1] in _NUMBERS:
            gap = float(left) - float(right)  # a difference of decimals would leave flags in the subject's context
        elif kinds[0] == kinds[1] and kinds[0] in _MOMENTS:
            gap = _MOMENTS[kinds[0]](left - right)
        else:
            return None
    except (OverflowError, TypeError, ValueError):
        return None  # too large for a float, not a number, or of two kinds of time zones
    return gap if gap - gap == 0 else None


class GapFunctions:
    """The code of the functions of a module that tells, by their names and first lines; ``lines`` are those of the sites."""

    def __init__(self, source: str | bytes, path: str, log: GapLog) -> None:
        """Raises what ``compile`` raises."""
        rewriter = _GapRewriter()
        self.codes: Mapping[Place, CodeType] = rewritten_functions(source, path, rewriter, {"compare": log.compare})
        self.lines: tuple[int, ...] = tuple(rewriter.lines)


class _GapRewriter(BodyRewriter):
    def __init__(self) -> None:
        self.lines: list[int] = []

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """A chain only where what stands in it is simple enough to be evaluated twice."""
        self.generic_visit(node)
        if any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops):
            return node

        def told(op: ast.cmpop, left: ast.expr, right: ast.expr) -> ast.expr:
            self.lines.append(node.lineno)
            site = ast.Constant(len(self.lines) - 1)
            return probe_call("compare", node, ast.Constant(SYMBOLS[type(op)]), left, right, site)

        return in_parts(node, told)
