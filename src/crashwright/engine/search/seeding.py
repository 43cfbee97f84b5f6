"""The first seeds: constants of the functions on the path and of their modules, values that the message names, literals of the echoed
callers' lines; and tests that make the echoed call (DESIGN, "A reproduction, step by step")."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterable, Iterator

from crashwright.core.target import CallSite, CrashTarget
from crashwright.engine.search.message_facts import message_values
from crashwright.engine.subject.constants import constants_of, patterns_of
from crashwright.engine.testcase.echo import as_value, echo_test
from crashwright.engine.testcase.echo_names import EchoNames
from crashwright.engine.testcase.echo_source import parse_echo
from crashwright.engine.testcase.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.testcase import TestCase

ON_PATH, IN_MODULE, IN_MESSAGE, ECHOED = 3.0, 0.5, 5.0, 3.0
"""Weights of seeds by where they were seen."""
ECHO_VARIANTS = 12
"""How many tests are made of each echoed line, with other values for what it does not show."""


def fill_pool(pool: SeedPool, target: CrashTarget, functions: Iterable[ast.AST], modules: Iterable[ast.AST]) -> None:
    """Add every seed that needs no running of the subject."""
    for node in modules:
        _add_constants(pool, node, IN_MODULE, "a constant of the module")
    for node in functions:
        _add_constants(pool, node, ON_PATH, "a constant on the path")
    for value in message_values(target.message):
        _add(pool, value, IN_MESSAGE, "the message")
    for site in target.call_sites:
        for value in _echoed_literals(site):
            _add(pool, value, ECHOED, "the echoed call")


def echo_seeds(target: CrashTarget, names: EchoNames, factory: Factory, rng: random.Random) -> list[TestCase]:
    """Tests that make the call that the report echoes, nearest caller first."""
    found: list[TestCase] = []
    for site in reversed(target.call_sites):
        for _ in range(ECHO_VARIANTS):
            test = echo_test(site.source, site.local_values, names, factory, rng)
            if test is None:
                break
            if test.is_valid() and len(test) <= factory.max_length:
                found.append(test)
    return found


def _add_constants(pool: SeedPool, node: ast.AST, weight: float, origin: str) -> None:
    for constant in constants_of(node):
        _add(pool, constant.value, weight, origin)
    for pattern in patterns_of(node):
        for token in pattern_tokens(pattern.text):
            pool.add_token(token)


def _add(pool: SeedPool, value: object, weight: float, origin: str) -> None:
    if value is None or isinstance(value, bool):
        return
    try:
        pool.add(as_value(value), weight, origin)
    except (TypeError, ValueError):
        return  # not made of literals: no seed
    if isinstance(value, str):
        for word in value.split():
            pool.add_token(word)


def _echoed_literals(site: CallSite) -> Iterator[object]:
    for node in parse_echo(site.source):
        yield from (found.value for found in constants_of(node))
        return


def pattern_tokens(pattern: str | bytes) -> Iterator[str]:
    """Literal stretches of a regular expression."""
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    stretch = ""
    index = 0
    while index < len(text):
        character = text[index]
        if character == "\\" and index + 1 < len(text):
            following = text[index + 1]
            index += 1
            if following.isalnum():
                if stretch:
                    yield stretch
                stretch = ""
            else:
                stretch += following
        elif character in "^$.|?*+()[]{}":
            if stretch:
                yield stretch
            stretch = ""
        else:
            stretch += character
        index += 1
    if stretch:
        yield stretch
