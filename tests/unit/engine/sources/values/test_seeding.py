"""Facts that messages and patterns give."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

from hypothesis import given
from hypothesis import strategies as some

from crashwright.core.location import CodeKey
from crashwright.core.target import CallSite, CrashTarget, TargetFrame
from crashwright.engine.search.message_facts import message_values, shown_lines
from crashwright.engine.search.operators import TestOperators
from crashwright.engine.sources.values.seeding import echo_seeds, echo_variants, pattern_tokens
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool


def test_a_key_error_names_its_key() -> None:
    assert message_values("'begin'")[0] == "begin"
    assert message_values("(0, 8)")[0] == (0, 8)


def test_lines_over_a_mark_are_what_a_parser_has_read() -> None:
    message = "while parsing\n  in line 1:\n    a: [1\n       ^\nexpected ']'\n  in line 2:\n    \n    ^\nx = y~\n  ~~~~^^"
    assert shown_lines(message) == ("a: [1", "x = y~")
    assert message_values(message)[-2:] == ("a: [1", "x = y~")
    assert shown_lines("a ^ b\n^ no mark alone\n") == shown_lines("^") == ()


def test_quoted_values_and_numbers() -> None:
    assert message_values("invalid literal for int() with base 16: 'bunt'") == ("bunt", 16)
    assert message_values("byte 0xc3 in position -3") == (-3,)
    assert message_values("'ascii' codec can't encode character '\\xeb' (isn't \"it\")") == ("ascii", "\xeb", "it")
    assert message_values("unknown encoding: klingon_x") == ("klingon_x",)
    assert message_values("cannot convert: not a number") == message_values("too many: 17.") == message_values("at: <x>") == ()
    assert message_values("required key not provided @ data['801'], not b'q'") == ("801", b"q", 801)
    assert message_values("got b'x' of 1.5") == (b"x", 1.5)


@given(some.text(max_size=80))
def test_any_message_is_read(text: str) -> None:
    assert isinstance(message_values(text), tuple)


def test_literal_stretches_of_a_pattern() -> None:
    assert list(pattern_tokens(r"<a href=\"(\w+)\">|end")) == ['<a href="', '">', "end"]


@given(some.text(max_size=40))
def test_any_pattern_is_cut(text: str) -> None:
    assert all(pattern_tokens(text))


def variants(line: str, entered: str) -> list[str]:
    api = ApiModel("textwrap", ["textwrap"])
    entry = tuple(one for one in api.callables if one.qualname == "fill")
    frame = TargetFrame(CodeKey("textwrap", entered, 1), "textwrap.py", 1, "x", None, True)
    target = CrashTarget("textwrap", "ValueError", "", (frame,), (CallSite(line, "main", {}),))
    factory, names = Factory(api, SeedPool(), entry), NameChain(api, entry, exports=Exports("textwrap"))
    echoes = islice(echo_variants(target, names, factory, random.Random(1)), 12)
    return ["".join(print_test(echo.test).body) for echo in echoes]


def test_the_users_own_line_is_a_way_in_whatever_it_calls() -> None:
    api = ApiModel("textwrap", ["textwrap"])
    entry = tuple(one for one in api.callables if one.qualname == "fill")
    frame = TargetFrame(CodeKey("textwrap", "fill", 1), "textwrap.py", 1, "x", None, True)
    lines = (CallSite("print(textwrap.shorten(data, 3))", "main", {}), CallSite("return callback(*args)", "call", {}, True))
    target = CrashTarget("textwrap", "ValueError", "", (frame,), lines)
    factory, names = Factory(api, SeedPool(), entry), NameChain(api, entry, exports=Exports("textwrap"))
    seeds = echo_seeds(target, names, factory, random.Random(1))
    variants = list(islice(echo_variants(target, names, factory, random.Random(1)), 12))
    for echoes in (seeds[:12], variants):
        assert echoes
        assert all("shorten(" in "".join(print_test(echo.test).body) for echo in echoes)
        assert [echo.driver.name for echo in echoes if isinstance(echo.driver, Callee)] == ["shorten"] * len(echoes)
    operators = TestOperators(factory, 40)
    operators.add_drivers(echo.driver for echo in seeds if echo.driver is not None)
    assert any(operators.mutate(echo.test, random.Random(2)) != echo.test for echo in variants)
    quiet = replace(target, call_sites=(replace(lines[0], in_library=True), lines[1]))
    assert not any(
        "shorten(" in "".join(print_test(echo.test).body) for echo in echo_seeds(quiet, names, factory, random.Random(1))
    )


def test_a_line_above_a_function_is_given_a_function() -> None:
    assert all("(lambda" in text for text in variants("@fill('a', data)", "fill"))
    assert all("fill(lambda" in text for text in variants("fill", "fill"))
    assert not any(")(lambda" in text for text in variants("fill('a', width=data)", "fill"))
    nested = [")(lambda" in text for text in variants("fill('a', width=data)", "fill.<locals>.wrapped")]
    assert 0 < sum(nested) < len(nested)
