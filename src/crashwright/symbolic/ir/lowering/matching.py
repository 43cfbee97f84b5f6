"""``match``: patterns are tests from left to right; names are bound when a whole pattern fits."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crashwright.symbolic.ir.lowering.conditions import branch
from crashwright.symbolic.ir.lowering.lowering import Lowering
from crashwright.symbolic.ir.lowering.positions import position_of
from crashwright.symbolic.ir.nodes import Constant, Edge, Kind, Operand, Pattern, Unpacked


class _Trial:
    """One pattern against one subject: what its names take, and where it does not fit."""

    def __init__(self, lowering: Lowering) -> None:
        self._lowering = lowering
        self.taken: dict[str, Operand] = {}
        self.failed: list[Edge] = []

    def fits(self, pattern: ast.pattern, subject: Operand) -> None:
        """Goes on where the pattern fits."""
        if isinstance(pattern, ast.MatchValue):
            self._compared(pattern, subject, "==", self._lowering.value(pattern.value))
        elif isinstance(pattern, ast.MatchSingleton):
            self._compared(pattern, subject, "is", Constant(pattern.value))
        elif isinstance(pattern, ast.MatchAs):
            if pattern.pattern is not None:
                self.fits(pattern.pattern, subject)
            if pattern.name is not None:
                self.taken[pattern.name] = subject
        elif isinstance(pattern, ast.MatchOr):
            self._one_of(pattern, subject)
        elif isinstance(pattern, ast.MatchSequence):
            self._sequence(pattern, subject)
        elif isinstance(pattern, ast.MatchMapping):
            self._mapping(pattern, subject)
        elif isinstance(pattern, ast.MatchClass):
            self._class(pattern, subject)

    def _go_on_if(self, value: Operand, pattern: ast.pattern) -> None:
        ways = branch(self._lowering, value, position_of(pattern))
        self.failed.extend(ways.false)
        self._lowering.graph.frontier = ways.true

    def _compared(self, pattern: ast.pattern, subject: Operand, operator: str, value: Operand) -> None:
        self._go_on_if(self._lowering.result(Kind.COMPARE, (subject, value), operator, position_of(pattern)), pattern)

    def _parts(self, pattern: ast.pattern, operands: Sequence[Operand], detail: Pattern) -> Operand:
        parts = self._lowering.result(Kind.MATCHED, operands, detail, position_of(pattern))
        is_some = self._lowering.result(Kind.COMPARE, (parts, Constant(None)), "is not", position_of(pattern))
        self._go_on_if(is_some, pattern)
        return parts

    def _element(self, pattern: ast.pattern, parts: Operand, place: object) -> Operand:
        return self._lowering.result(Kind.ELEMENT, (parts,), place, position_of(pattern))

    def _sequence(self, pattern: ast.MatchSequence, subject: Operand) -> None:
        count = len(pattern.patterns)
        starred = [place for place, one in enumerate(pattern.patterns) if isinstance(one, ast.MatchStar)]
        before = starred[0] if starred else count
        behind = count - before - 1 if starred else 0
        parts = self._parts(pattern, (subject,), Pattern("sequence", Unpacked(before, behind, bool(starred))))
        for place, one in enumerate(pattern.patterns):
            if isinstance(one, ast.MatchStar):
                if one.name is not None:
                    self.taken[one.name] = self._element(one, parts, (before, -behind))
            elif not _takes_anything(one):
                self.fits(one, self._element(one, parts, place if place < before else place - count))

    def _mapping(self, pattern: ast.MatchMapping, subject: Operand) -> None:
        keys = self._lowering.values(pattern.keys)
        has_rest = pattern.rest is not None
        detail = Pattern("mapping", Unpacked(len(keys) + has_rest), rest=has_rest)
        parts = self._parts(pattern, (subject, *keys), detail)
        for place, one in enumerate(pattern.patterns):
            if not _takes_anything(one):
                self.fits(one, self._element(one, parts, place))
        if pattern.rest is not None:
            self.taken[pattern.rest] = self._element(pattern, parts, len(keys))

    def _class(self, pattern: ast.MatchClass, subject: Operand) -> None:
        wanted = self._lowering.value(pattern.cls)
        inner = [*pattern.patterns, *pattern.kwd_patterns]
        detail = Pattern("class", Unpacked(len(inner)), len(pattern.patterns), tuple(pattern.kwd_attrs))
        parts = self._parts(pattern, (subject, wanted), detail)
        for place, one in enumerate(inner):
            if not _takes_anything(one):
                self.fits(one, self._element(one, parts, place))

    def _one_of(self, pattern: ast.MatchOr, subject: Operand) -> None:
        """The names of each alternative are the same: they meet in temporaries."""
        graph = self._lowering.graph
        done: list[Edge] = []
        meeting: dict[str, Operand] = {}
        for one in pattern.patterns:
            if not graph.frontier:
                break
            trial = _Trial(self._lowering)
            trial.fits(one, subject)
            for name, value in trial.taken.items():
                target = meeting.setdefault(name, graph.temporary())
                assert not isinstance(target, Constant)
                self._lowering.copy(target, value)
            done.extend(graph.frontier)
            graph.frontier = trial.failed
        self.failed.extend(graph.frontier)
        self.taken.update(meeting)
        graph.frontier = done


def _takes_anything(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None and pattern.name is None


def _match(lowering: Lowering, node: ast.Match) -> None:
    graph = lowering.graph
    block = graph.open_block()
    subject = lowering.held(lowering.value(node.subject))
    done: list[Edge] = []
    for case in node.cases:
        if not graph.frontier:
            break
        trial = _Trial(lowering)
        trial.fits(case.pattern, subject)
        for name, value in trial.taken.items():
            lowering.copy(lowering.scope.place(name), value, position_of(case.pattern))
        missed = trial.failed
        if case.guard is not None and graph.frontier:
            ways = lowering.condition(case.guard, case.guard)
            graph.frontier = ways.true
            missed = [*missed, *ways.false]
        lowering.run(case.body)
        done.extend(graph.frontier)
        graph.frontier = missed
    graph.frontier = [*done, *graph.frontier]
    graph.close_block(block)


MATCHING: Mapping[type[ast.stmt], Callable[[Lowering, Any], None]] = {ast.Match: _match}
