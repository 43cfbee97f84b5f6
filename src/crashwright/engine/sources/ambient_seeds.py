"""Tests for code that reads its process: variables of the environment, arguments of the program, standard input. Nothing in a call
shows them; what is asked for stands in the source.

# Deviation: the papers' subjects are given everything as arguments.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterable, Iterator, Sequence

from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Ambient, Display, Statement, as_ambient
from crashwright.engine.testcase.testcase import TestCase

MOST = 16
"""Tests that are made."""
MOST_NAMES = 6
_ABSENT = 0.15
_WORDS = ("1", "0", "", "x", "true")
_LINES, _ARGUMENTS = 3, 3
_READERS = ("parse_args", "parse_known_args")
_Ask = tuple[str, str]
"""Place and name of an ``Ambient``."""


def ambient_seeds(
    functions: Sequence[ast.AST],
    modules: Sequence[ast.AST],
    tests: Sequence[TestCase],
    factory: Factory,
    rng: random.Random,
    declaring: Sequence[ast.AST] = (),
    variables: Iterable[str] = (),
) -> list[TestCase]:
    """``tests``, or random ones, in a process that has what ``functions`` (else ``modules``) ask for, and the ``variables`` that
    runs were seen to ask for: their names may be put together. The options of a program stand in ``modules`` or ``declaring``."""
    seen = [("environ", name) for name in variables]
    asked = tuple(dict.fromkeys((*seen, *(ask for tree in functions for ask in _asked(tree)))))
    asked = asked or tuple(dict.fromkeys(ask for tree in modules for ask in _asked(tree)))
    if not asked:
        return []
    least = max((count for tree in (*functions, *modules) for count in _indexed(tree)), default=0)
    options = [flag for tree in (*modules, *declaring) for flag in _options(tree)]
    found: list[TestCase] = []
    for number in range(MOST):
        present = [ask for ask in asked[:MOST_NAMES] if not number or rng.random() > _ABSENT]
        before = [Ambient(factory.new(), *ask, _content(ask[0], least, options, factory, rng)) for ask in present]
        statements: list[Statement] = []
        if number < len(tests) or (tests and declaring):
            statements += tests[number % len(tests)].statements
        else:
            factory.call_entry(statements, rng)
        found.append(TestCase((*before, *statements)))
    return [test for test in found if len(test) <= factory.max_length and test.is_valid()]


def _content(place: str, least: int, options: Sequence[str], factory: Factory, rng: random.Random) -> str | Display:
    if place == "argv":
        count = max(least, int(rng.random() * (_ARGUMENTS + 1)))
        return Display("list", tuple(_argument(options, factory, rng) for _ in range(count)))
    if place == "stdin":
        return "".join(f"{_word(factory, rng)}\n" for _ in range(1 + int(rng.random() * _LINES)))
    return _word(factory, rng)


def _argument(options: Sequence[str], factory: Factory, rng: random.Random) -> str:
    if not options or rng.random() < 0.5:
        return _word(factory, rng)
    option = options[int(rng.random() * len(options))]
    return f"{option}={_word(factory, rng)}" if option.startswith("--") and rng.random() < 0.5 else option


def _word(factory: Factory, rng: random.Random) -> str:
    return as_ambient(factory.pool.token(rng)) if rng.random() < 0.6 else _WORDS[int(rng.random() * len(_WORDS))]


def _asked(tree: ast.AST) -> Iterator[_Ask]:
    """What is read of the process."""
    for node in walk(tree):
        match node:
            case ast.Subscript(value=place, slice=ast.Constant(value=str() as name)) if _last(place) == "environ":
                yield "environ", name
            case ast.Call(
                func=ast.Attribute(value=place, attr="get" | "pop" | "setdefault"), args=[ast.Constant(value=str() as name), *_]
            ) if _last(place) == "environ":
                yield "environ", name
            case ast.Call(func=function, args=[ast.Constant(value=str() as name), *_]) if _last(function) == "getenv":
                yield "environ", name
            case ast.Call(func=ast.Attribute(attr=method), args=[]) if method in _READERS:
                yield "argv", ""
            case ast.Attribute(value=ast.Name(id="sys"), attr="argv" | "stdin" as place):
                yield place, ""
            case ast.Call(func=ast.Name(id="input")):
                yield "stdin", ""


def _indexed(tree: ast.AST) -> Iterator[int]:
    """How many arguments of the program are read one by one."""
    for node in walk(tree):
        match node:
            case ast.Subscript(value=place, slice=ast.Constant(value=int() as index)) if _last(place) == "argv":
                yield min(index, MOST_NAMES)


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _options(tree: ast.AST) -> Iterator[str]:
    """The options that the parser of a program declares."""
    for node in walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="add_argument" | "option"), args=flags):
                for flag in flags:
                    if isinstance(flag, ast.Constant) and type(flag.value) is str and flag.value.startswith("-"):
                        yield flag.value
