"""A module of a few lines with its real predicates and markers, and traces of it made by hand."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from crashwright.core.location import CodeKey, Position
from crashwright.core.suite import CRITERIA, ModuleTarget
from crashwright.engine.goals.coverage.callables import CallableFacts
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.footprint import Footprint
from crashwright.engine.goals.coverage.goal import Goals, as_goals, numbers
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.trace import Activation, CallFact, ProbedFunction, Trace
from crashwright.engine.instrument.variants import ProbedModule
from crashwright.engine.subject.source import ModuleSource, Sources

NAME = "small_module_under_test"


class Change(NamedTuple):
    """A mutant as the catalogue sees it."""

    number: int
    key: CodeKey
    position: Position
    label: str


class SmallModule:
    """``functions`` are those of the recorder, here in order of the source."""

    def __init__(self, folder: Path, text: str) -> None:
        self.text = textwrap.dedent(text).lstrip("\n")
        self.lines = self.text.splitlines()
        path = folder / f"{NAME}.py"
        path.write_text(self.text)
        self.sources = Sources()
        source = self.sources.of_file(NAME, str(path))
        assert isinstance(source, ModuleSource)
        wanted = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        recorder = Recorder()
        keys = frozenset(key for key, node in source.codes() if isinstance(node, wanted))
        ProbedModule(NAME, self.text, str(path), keys, recorder).compile(None)
        self.functions = recorder.functions

    def number(self, qualname: str) -> int:
        return next(number for number, function in enumerate(self.functions) if function.key.qualname == qualname)

    def function(self, qualname: str) -> ProbedFunction:
        return self.functions[self.number(qualname)]

    def at(self, position: Position) -> str:
        """The source at a position, on its first line."""
        end = position.end_column if position.line == position.end_line else None
        return self.lines[position.line - 1].encode()[position.column : end].decode()

    def predicate(self, qualname: str, text: str) -> int:
        """The predicate of that source text."""
        found = [n for n, one in enumerate(self.function(qualname).predicates) if self.at(one.position) == text]
        assert len(found) == 1, [self.at(one.position) for one in self.function(qualname).predicates]
        return found[0]

    def line(self, text: str) -> int:
        """The line that has this text in it."""
        return next(number for number, line in enumerate(self.lines, 1) if text in line)

    def call(
        self,
        qualname: str,
        *begun: str,
        caller: Activation | None = None,
        at: Mapping[str, tuple[float, float]] = MappingProxyType({}),
    ) -> Activation:
        """An activation in which the first statement and those on the lines with ``begun`` have begun. ``at`` holds the distances
        (to true, to false) by the predicates' source text."""
        function = self.function(qualname)
        made = Activation(self.number(qualname), len(function.markers), caller)
        made.hits[0] = 1  # type: ignore[index]
        for text in begun:
            for marker, position in enumerate(function.markers):
                if position.line == self.line(text):
                    made.hits[marker] = 1  # type: ignore[index]
        for text, (to_true, to_false) in at.items():
            predicate = self.predicate(qualname, text)
            made.true_distance[predicate], made.false_distance[predicate] = to_true, to_false
        return made

    def trace(
        self,
        *activations: Activation,
        calls: Sequence[CallFact] = (),
        infections: Mapping[int, float] | None = None,
        timed_out: bool = False,
    ) -> Trace:
        return Trace(self.functions, list(activations), tuple(calls), infections or {}, timed_out)

    def change(self, number: int, qualname: str, text: str) -> Change:
        """A mutant of the first expression with that text in a function."""
        node = self.sources.node_of(self.function(qualname).key)
        assert node is not None
        for part in ast.walk(node):
            if isinstance(part, ast.expr) and ast.get_source_segment(self.text, part) == text:
                place = Position(part.lineno, part.col_offset, part.end_lineno or 0, part.end_col_offset or 0)
                return Change(number, self.function(qualname).key, place, f"{qualname}:{place.line}:{number}")
        raise AssertionError(text)

    def catalogue(
        self,
        *criteria: str,
        callables: Sequence[CallableFacts] = (),
        mutants: Sequence[Change] = (),
        imported: Footprint | None = None,
        names: tuple[str, ...] = (),
    ) -> Catalogue:
        target = ModuleTarget(NAME, names, criteria or CRITERIA)
        return Catalogue(self.functions, self.sources, target, callables, mutants, imported)


def labels(catalogue: Catalogue, goals: Goals) -> list[str]:
    """The goals in words."""
    return [catalogue.goals[number].label for number in numbers(goals)]


def goal(catalogue: Catalogue, label: str) -> int:
    """The goal with that label."""
    return next(one.number for one in catalogue.goals if one.label == label)


def distance(catalogue: Catalogue, footprint: Footprint, label: str) -> float:
    """Of one goal."""
    return catalogue.distances(footprint, [goal(catalogue, label)])[0]


def goals(catalogue: Catalogue, *wanted: str) -> Goals:
    """The goals with these labels."""
    return as_goals(goal(catalogue, label) for label in wanted)
