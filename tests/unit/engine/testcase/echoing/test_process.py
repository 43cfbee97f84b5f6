"""What the line of a script takes from its process."""

from __future__ import annotations

import ast
import random
import textwrap
from itertools import islice

import pytest

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.testcase.echoing.echoed_tests import echo_tests
from crashwright.engine.testcase.echoing.process import taken_hint
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Display, FileFixture, GetAttribute, Literal, Operation

API = ApiModel("textwrap", ["textwrap"])
FILL = next(callee for callee in API.callables if callee.qualname == "fill")


@pytest.mark.parametrize("text", ["sys.argv", "sys.argv[1]", "sys.argv[1:]", "os.environ['HOME']", "sys.stdin", "input('x')"])
def test_what_is_taken(text: str) -> None:
    assert taken_hint(ast.parse(text, mode="eval").body) is not None


@pytest.mark.parametrize("text", ["argv", "sys.path[0]", "os.environ", "self.argv[1]", "given['a']"])
def test_what_is_not(text: str) -> None:
    assert taken_hint(ast.parse(text, mode="eval").body) is None


def test_an_argument_of_the_program_is_a_text_or_the_name_of_a_file() -> None:
    factory = Factory(API, SeedPool(), (FILL,))
    names = NameChain(API, (FILL,), exports=Exports("textwrap", (textwrap.__name__,)))
    rng = random.Random(1)
    one = [echo.test.statements for echo in islice(echo_tests("fill(sys.argv[1])", {}, names, factory, rng), 40)]
    many = [echo.test.statements for echo in islice(echo_tests("fill(sys.argv[1:])", {}, names, factory, rng), 40)]
    assert sum(any(type(part) is FileFixture for part in test) for test in one) > 10
    assert not any(type(part) is GetAttribute or type(part) is Operation for test in (*one, *many) for part in test)
    lists = [part.value for test in many for part in test if type(part) is Literal and type(part.value) is Display]
    assert {len(value.items) for value in lists} >= {1, 2, 3}
