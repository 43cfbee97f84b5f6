"""Tests that give a program command lines which its own parser takes. A call of what parses them is run once, while the parser is
looked at as it begins; the lines then go where that one came from: an argument of the call, or the arguments of the process.

# Deviation: the papers' subjects have no command lines.
"""

from __future__ import annotations

import ast
from collections import abc
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from random import Random
from types import FunctionType
from typing import NamedTuple

from crashwright.engine.sources.applications.command_operations import LineProgram
from crashwright.engine.sources.applications.operations import ARGV
from crashwright.engine.sources.aside import noted_in
from crashwright.engine.sources.recording_runs import RecordingNeeds
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.types import ClassHint, Hint, UnionHint, is_any
from crashwright.engine.subject.introspection import class_dict, is_class, loaded_dict
from crashwright.engine.subject.usage.command_lines import Grammar, grammar_of, lines_of
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.binding import with_argument
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Ambient, Display, Literal, Statement, Variable, as_ambient
from crashwright.engine.testcase.testcase import TestCase

MOST = 24
"""Tests of one callable."""
MOST_PLACES = 3
"""Parameters of one callable that are tried."""
_PARSERS = (("argparse", "ArgumentParser", "parse_known_args"), ("optparse", "OptionParser", "parse_args"))
_WORDS = ("a", "b.txt", "1")
_LISTS: tuple[object, ...] = (list, abc.Sequence, abc.MutableSequence, abc.Collection, abc.Iterable)
_MARKS = ["a", "b"]
_READERS = frozenset({"parse_args", "parse_known_args"})


class _Parsing(NamedTuple):
    """What a parser was asked to parse: None for the arguments of the process."""

    grammar: Grammar
    line: list[str] | None


class _Place(NamedTuple):
    """A parameter, the callee's number ``number``."""

    number: int
    parameter: Parameter


def parses_lines(tree: ast.AST) -> bool:
    """Whether a module has a parser of command lines parse some."""
    return any(isinstance(node, ast.Attribute) and node.attr in _READERS for node in walk(tree))


class CommandLines:
    """Of one search."""

    def __init__(self, around: RecordingNeeds, factory: Factory, rng: Random) -> None:
        self._around = around
        self._factory = factory
        self._rng = rng

    def tests(self, callee: Callee) -> list[TestCase]:
        """Calls of ``callee`` with lines that its parser takes; none where it has no parser, or one that is not known."""
        parameters = [_Place(number, one) for number, one in enumerate(callee.parameters) if _may_be_a_line(one)]
        for place in (*parameters[:MOST_PLACES], None):
            given = self._factory.new()
            test = self._call(callee, place, given)
            parsing = self._parsed(test)
            before = None if parsing is None else _before(parsing.line, place)
            if parsing is not None and before is not None:
                lines = islice(lines_of(parsing.grammar, self._word, self._rng), MOST)
                return [_with_line(test, given, [*before, *line]) for line in lines]
        return []

    def handed(self, words: Sequence[str], callee: Callee) -> TestCase | None:
        """A call of ``callee`` that is handed these words, where a parameter may take them: a default that is the arguments of the
        process was looked at when the function was defined. None where no parameter may."""
        place = next((_Place(number, one) for number, one in enumerate(callee.parameters) if _may_be_a_line(one)), None)
        given = self._factory.new()
        test = None if place is None else _with_line(self._call(callee, place, given), given, words)
        return test if test is not None and test.is_valid() and any(one[0] == given for one in test.statements) else None

    def program(self, callee: Callee) -> LineProgram | None:
        """What ``callee`` takes, if a test can name it: as an argument, or as the arguments of its process."""
        if callee.kind is not CalleeKind.FUNCTION or callee.private:
            return None
        for number, one in enumerate(callee.parameters):
            place = _Place(number, one)
            parsing = self._parsed(self._call(callee, place, self._factory.new())) if _may_be_a_line(one) else None
            before = None if parsing is None else _before(parsing.line, place)
            if parsing is not None and before is not None:
                return LineProgram(callee.name, parsing.grammar, "" if number == 0 else one.name, tuple(before))
        if any(one.required for one in callee.parameters):
            return None
        parsing = self._parsed(self._call(callee, None, self._factory.new()))
        return None if parsing is None or parsing.line is not None else LineProgram(callee.name, parsing.grammar, ARGV)

    def _word(self) -> str:
        """A word of the subject, or any."""
        found = as_ambient(self._factory.pool.token(self._rng)) if self._rng.random() < 0.5 else ""
        return found if found and not found.startswith("-") else _WORDS[int(self._rng.random() * len(_WORDS))]

    def _call(self, callee: Callee, place: _Place | None, given: Variable) -> TestCase:
        """With a line of marks, which is ``given``."""
        statements: list[Statement] = []
        value = Display("list", tuple(_MARKS))
        if place is None:
            statements.append(Ambient(given, "argv", "", value))
            self._factory.call(statements, callee, self._rng)
            return TestCase(tuple(statements))
        self._factory.call(statements, callee, self._rng)
        last = statements[-1]
        if isinstance(last, st.Call | st.MethodCall):
            arguments = with_argument(last.arguments, callee, place.parameter, given)
            if arguments is not None:
                statements[-1:] = [Literal(given, value), last._replace(arguments=arguments)]
        return TestCase(tuple(statements))

    def _parsed(self, test: TestCase) -> _Parsing | None:
        """What is parsed first in a run of ``test``."""
        found = noted_in(test, self._around, _noted) if len(test) <= self._factory.max_length else None
        return found[0] if found else None


def _with_line(test: TestCase, given: Variable, line: Sequence[str]) -> TestCase:
    value = Display("list", tuple(line))
    statements: list[Statement] = []
    for one in test.statements:
        if isinstance(one, Literal) and one.variable == given:
            statements.append(one._replace(value=value))
        else:
            statements.append(one._replace(content=value) if isinstance(one, Ambient) and one.variable == given else one)
    return TestCase(tuple(statements))


def _before(line: list[str] | None, place: _Place | None) -> list[str] | None:
    """What stands before the line that is parsed, such as the name of the program; None where it does not come from ``place``."""
    if line is None:
        return [] if place is None else None
    return next((_MARKS[:start] for start in (0, 1) if line == _MARKS[start:]), None)


def _may_be_a_line(parameter: Parameter) -> bool:
    kinds = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
    return parameter.kind not in kinds and _takes_a_list(parameter.hint)


def _takes_a_list(hint: Hint) -> bool:
    if isinstance(hint, UnionHint):
        return any(map(_takes_a_list, hint.members))
    return is_any(hint) or (isinstance(hint, ClassHint) and any(hint.cls is cls for cls in _LISTS))


@contextmanager
def _noted() -> Iterator[list[_Parsing]]:
    """Fills the list with what parsers that are loaded are asked to parse in the meantime."""
    found: list[_Parsing] = []
    with ExitStack() as stack:
        for module, name, method in _PARSERS:
            cls = loaded_dict(module).get(name)
            original = class_dict(cls).get(method) if is_class(cls) else None
            if is_class(cls) and type(original) is FunctionType:
                setattr(cls, method, _noting(original, found))
                stack.callback(setattr, cls, method, original)
        yield found


def _noting(original: Callable[..., object], found: list[_Parsing]) -> Callable[..., object]:
    def parse(self: object, args: object = None, *more: object, **options: object) -> object:
        if args is None or type(args) is list or type(args) is tuple:
            found.append(_Parsing(grammar_of(self), None if args is None else [one for one in args if type(one) is str]))
        return original(self, args, *more, **options)

    return parse
