"""Definitions that examples show become statements, with every name bound to what it means."""

from __future__ import annotations

import ast
import random
import textwrap

import pytest

from crashwright.engine.execution.executor import Executor
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.usage.usage import uses
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.echoing.echoed_tests import usage_test
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.names.surroundings import Surroundings
from crashwright.engine.testcase.printing.printing import Setting, print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.testcase import TestCase

API = ApiModel("textwrap", ["textwrap"])
WRAPPER = API.constructor(textwrap.TextWrapper)
EXAMPLE = '''
width = 7

class Narrow(textwrap.TextWrapper):
    """Narrow."""
    kind: Optional[str] = None
    def wrap(self, text):
        return super().wrap(text)[:width]

Narrow(width=3, placeholder="").wrap("a b c")
'''


def translated(example: str, defines: bool = True) -> list[TestCase]:
    factory = Factory(API, SeedPool(), (WRAPPER,))
    names = NameChain(API, factory.entry, defines=defines)
    session = tuple(ast.parse(example).body)
    made = [usage_test(use, names, factory, random.Random(1)) for use in uses(session, frozenset({"TextWrapper"}), defines)]
    return [echo.test for echo in made if echo is not None]


def test_a_class_of_an_example_is_taken_whole() -> None:
    tests = translated(EXAMPLE)
    assert len(tests) == 2
    text = print_test(tests[-1], setting=Setting(alone=True))
    assert text.imports == ("from textwrap import TextWrapper", "from typing import Optional")
    assert "\n".join(text.above) == (
        "class Narrow(TextWrapper):\n    kind: Optional[str] = None\n\n    def wrap(self, text):\n"
        "        return super().wrap(text)[:7]"
    )
    assert text.body == ('Narrow(width=3, placeholder="")',)
    assert Executor().run(tests[-1]).error is None


@pytest.mark.parametrize(
    "lines",
    ["wide, mark = 5, '..'", "wide = other = 5\nmark: str = '..'", "(wide, _), mark = (5, 6), '..'", "[wide, mark] = 5, '..'"],
)
def test_names_of_an_example_get_their_values_however_they_are_assigned(lines: str) -> None:
    [test] = translated(f"{lines}\nTextWrapper(wide, placeholder=mark)")
    text = "\n".join(print_test(test).body).replace('"', "'")
    assert "placeholder='..'" in text
    assert "TextWrapper(5," in text or "value[0]" in text


def test_without_them_examples_lose_their_classes() -> None:
    assert not any(isinstance(one, st.Definition) for test in translated(EXAMPLE, False) for one in test)


@pytest.mark.parametrize("line", ["return nobody_knows(text)", "global width\n        width = text"])
def test_a_definition_with_a_name_that_means_nothing_is_left_out(line: str) -> None:
    tests = translated(f"class Odd(textwrap.TextWrapper):\n    def wrap(self, text):\n        {line}\n\nOdd()")
    assert not any(isinstance(one, st.Definition) for test in tests for one in test)


def test_names_mean_what_the_modules_of_the_package_import() -> None:
    surroundings = Surroundings("textwrap")
    assert surroundings.named(["re", "compile"]) == st.Named("re", "compile")
    assert surroundings.named(["Optional"]) == st.Named("typing", "Optional")
    assert surroundings.named(["re"]) is None
    assert surroundings.named(["nobody"]) is None
