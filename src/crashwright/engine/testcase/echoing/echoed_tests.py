"""Seeds from the echoed line of the caller: tests that make the very call that crashed."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.echoing.drivers import driver_of
from crashwright.engine.testcase.echoing.echo import Translator, Untranslatable
from crashwright.engine.testcase.echoing.source import parse_echo
from crashwright.engine.testcase.echoing.unknowns import Unknowns, types_said
from crashwright.engine.testcase.editing.edits import has_entry
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.names.source import Known
from crashwright.engine.testcase.statements import Named, Variable
from crashwright.engine.testcase.testcase import TestCase


class Echo(NamedTuple):
    """``test`` makes the echoed call; ``quoted`` are the literals that stand in the line itself, by the variables that hold
    them. ``driver`` is what it calls if that is not the entry."""

    test: TestCase
    quoted: Mapping[Variable, st.Value]
    driver: Known | None = None


def echo_tests(
    source: str,
    local_values: Mapping[str, str],
    names: NameChain,
    factory: Factory,
    rng: random.Random,
    message: str = "",
    is_own: bool = False,
) -> Iterator[Echo]:
    """Tests that make the echoed call, as many as are asked for, unknown names filled in at random; none if the line cannot be read
    or does not drive the entry. A line that ``is_own``, the user's, is a way in whatever it calls. ``message`` of the exception may
    name types."""
    entry = frozenset(factory.entry)
    said = types_said(message, names) if names.are_exported else ()
    lines = [(node, Unknowns(node if names.are_exported else None, said)) for node in parse_echo(source)]
    while True:
        for node, unknowns in lines:
            translator = Translator(names, factory, rng, local_values, unknowns)
            try:
                translator.statement(node)
            except Untranslatable:
                continue
            test = TestCase(tuple(translator.statements))
            drives = has_entry(test, entry)
            driver = driver_of(test, translator.called, names) if is_own and not drives else None
            if drives or driver is not None:
                yield Echo(test, translator.quoted, driver)
                break
        else:
            return


def usage_test(
    nodes: Sequence[ast.stmt],
    names: NameChain,
    factory: Factory,
    rng: random.Random,
    drivers: frozenset[Known] = frozenset(),
) -> Echo | None:
    """A test that does what ``nodes`` do, as :func:`echo_tests`; None where it drives the entry neither itself nor by one of
    ``drivers``, which may be objects that are called. What a test cannot say is left out."""
    translator = Translator(names, factory, rng, {})
    for node in nodes:
        before = len(translator.statements)
        try:
            translator.statement(node)
        except Untranslatable:
            del translator.statements[before:]
    test = TestCase(tuple(translator.statements))
    callees = frozenset(one for one in drivers if isinstance(one, Callee))
    things = frozenset(one for one in drivers if isinstance(one, Named))
    return Echo(test, translator.quoted) if has_entry(test, callees | factory.entry_set, things) else None
