"""Objects that are fed with text before they are asked: what fills their state takes lines apart (by regular expressions, by
splitting them), and what the crash is about comes from there.

The texts are read off the sources: what the patterns match that the functions use which write what the guards read, and lines as
their callees split them. Those that belong together differ in one part, as records of one thing do.

# Deviation: Korel's chaining approach finds the writers; what they have to be given is not in the papers.
"""

from __future__ import annotations

import ast
import collections.abc
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

from crashwright.core.target import CrashTarget
from crashwright.engine.sources.values.seeding import fillings, patterns_in, patterns_named
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.types import ClassHint, Hint, UnionHint, is_any
from crashwright.engine.subject.usage.read_records import records_in
from crashwright.engine.subject.usage.use_hints import Weighted
from crashwright.engine.testcase.making.existing_parts import existing_part_for
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.matching_text import matching_family
from crashwright.engine.testcase.samples.lined import line_texts
from crashwright.engine.testcase.statements import Arguments, Display, Literal, MethodCall, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase

FAMILIES, MOST_PATTERNS = 8, 6
"""Of each regular expression, and of how many of them."""
MOST_LINED, MOST_TEXTS = 40, 128
"""Groups of lines that are split; groups of lines in all."""
MOST_FED = 200
"""Tests that feed an object and then call the entry."""
_AGAIN, _OF_IT = 0.3, 0.7
_BY_POSITION = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)
_BY_KEYWORD = (ParameterKind.KEYWORD_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)
_MANY: tuple[object, ...] = (list, tuple, collections.abc.Iterable, collections.abc.Iterator, collections.abc.Sequence)
Lines = tuple[str, ...]
Used = Callable[[Callee, str], Weighted]


class StateLines(NamedTuple):
    """A text, or a list of lines, for a parameter of a writer."""

    callee: Callee
    parameter: str
    value: Value


def lines_read(functions: Sequence[ast.AST], target: CrashTarget, live: Sequence[Mapping[str, object]], rng: Random) -> list[Lines]:
    """Groups of lines that ``functions`` take apart, small ones first."""
    words = fillings(functions, target)
    patterns = dict.fromkeys((*patterns_in(functions), *patterns_named(functions, live)))
    found: dict[Lines, None] = {}
    for text, flags in islice((one for one in patterns if type(one[0]) is str), MOST_PATTERNS):
        for _ in range(FAMILIES):
            first, *others = matching_family(str(text), rng, flags, words) or ("",)
            found |= dict.fromkeys([(first,)] if others else [])
            found |= dict.fromkeys(pair for other in others for pair in ((first, other), (other, first)))
    lined = list(islice(line_texts(records_in(functions), lambda _name: (), ()), MOST_LINED))
    return sorted(dict.fromkeys([*lined, *found]), key=len)


def state_lines_for(writers: Sequence[Callee], groups: Sequence[Lines], used: Used) -> list[StateLines]:
    """Parameters of the writers that take texts, or many of them, with such lines."""
    found: list[StateLines] = []
    for callee in writers:
        for parameter in callee.parameters:
            hints = [hint for hint, _ in used(callee, parameter.name)] if is_any(parameter.hint) else [parameter.hint]
            takes = {kind for hint in hints for kind in _kinds(hint)}
            for lines in groups[:MOST_TEXTS] if takes else ():
                value: Value = Display("list", lines) if list in takes else "\n".join(lines)
                found.append(StateLines(callee, parameter.name, value))
    return found


def tell_state_lines_to(factory: Factory, given: Sequence[StateLines]) -> None:
    """Let tests draw them."""
    for one in given:
        factory.shaped.learn(one.callee, one.parameter, (Literal(factory.new(), one.value),), MOST_TEXTS)


def state_line_tests(factory: Factory, given: Sequence[StateLines], rng: Random) -> list[TestCase]:
    """An object of an entry's class that the writers are called on, then the entry, which is mostly asked for what was fed."""
    entries = [one for one in factory.entry if one.kind is CalleeKind.METHOD and one.owner is not None]
    found: list[TestCase] = []
    for number in range(MOST_FED if entries else 0):
        entry = entries[number % len(entries)]
        fitting = [one for one in given if one.callee.owner is entry.owner and one.callee.kind is CalleeKind.METHOD]
        if entry.owner is None or not fitting:
            continue
        statements: list[Statement] = []
        receiver = factory.argument(statements, ClassHint(entry.owner), rng, 1, legal=True)
        chosen = [fitting[number // len(entries) % len(fitting)]]
        chosen += [fitting[int(rng.random() * len(fitting))]] if rng.random() < _AGAIN else []
        for one in chosen:
            call_with(factory, statements, one.callee, receiver, rng, {one.parameter: one.value})
        asked = {one.name: part for one in entry.parameters if (part := _asked(statements, one, rng)) is not None}
        call_with(factory, statements, entry, receiver, rng, asked)
        found.append(TestCase(tuple(statements)))
    return [test for test in found if factory.has_room(test.statements) and test.is_valid()]


def _asked(statements: Sequence[Statement], parameter: Parameter, rng: Random) -> str | int | None:
    return existing_part_for(statements, parameter.hint, _OF_IT, rng) if parameter.required else None


def call_with(
    factory: Factory, statements: list[Statement], callee: Callee, receiver: Variable, rng: Random, given: Mapping[str, Value]
) -> None:
    """Appends a call with what is ``given`` by the names of parameters, and what else is required."""
    positional: list[Variable] = []
    keywords: list[tuple[str, Variable]] = []
    for parameter in callee.parameters:
        if not parameter.required and parameter.name not in given:
            continue
        if parameter.name in given:
            variable = factory.literal(statements, given[parameter.name])
        else:
            variable = factory.parameter(statements, callee, parameter, rng)
        if parameter.kind in _BY_POSITION and len(positional) == callee.parameters.index(parameter):
            positional.append(variable)
        elif parameter.kind in _BY_KEYWORD:
            keywords.append((parameter.name, variable))
    made = factory.new()
    statements.append(MethodCall(made, receiver, callee.name, Arguments(tuple(positional), tuple(keywords)), callee))
    factory.drive(statements, callee, made, rng, 1)


def _kinds(hint: Hint) -> set[type]:
    """A text, or a list of them: as far as the hint says."""
    if isinstance(hint, UnionHint):
        return {kind for member in hint.members for kind in _kinds(member)}
    if not isinstance(hint, ClassHint):
        return set()
    if hint.cls is str:
        return {str}
    items = all(is_any(part) or (isinstance(part, ClassHint) and part.cls is str) for part in hint.arguments)
    return {list} if items and any(hint.cls is cls for cls in _MANY) else set()
