"""Blocks of functions end where the crash comes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from crashwright.engine.passes.dead_ends import cut_off
from crashwright.engine.testcase.statements import Arguments, CallValue, Definition
from crashwright.engine.testcase.testcase import TestCase


def cut(source: str, needed: str) -> str:
    """What is left of a function whose crash takes what is ``needed``."""

    def good(test: TestCase) -> bool:
        (definition, _) = test.statements
        return isinstance(definition, Definition) and needed in definition.source

    found: Any = SimpleNamespace(good=good, is_late=False)
    statements = cut_off(found, TestCase((Definition(0, source), CallValue(1, 0, Arguments(()))))).statements
    assert isinstance(statements[0], Definition)
    return statements[0].source


def test_what_follows_goes_in_the_function_and_in_blocks_of_it() -> None:
    begun = "def step(client):\n    with client as one:\n        one.post()\n        one.crash()"
    assert cut(f"{begun}\n        assert one.total\n    one.close()", "crash") == begun


def test_a_function_that_returns_stays_whole() -> None:
    source = "def post(client):\n    body = {}\n    return client.post(body)"
    assert cut(source, "body = {}") == source


def test_loops_stay() -> None:
    source = "def step(rows):\n    for row in rows:\n        row.crash()\n        row.next()"
    assert cut(source, "crash") == source
