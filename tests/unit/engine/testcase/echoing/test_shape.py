"""Tests are held against the calls of an echoed line."""

from __future__ import annotations

import pytest

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.echoing.shape import shown_calls, unlikeness
from crashwright.engine.testcase.statements import Arguments, Call, Literal, Named, Reference, RunModule, Statement
from crashwright.engine.testcase.testcase import TestCase

OPTION = Callee("shop", "Option", CalleeKind.CLASS)
SHOWN = shown_calls("made = shop.Option(names, 3, kind=bool)", {"Option"})
NAMES, THREE, KIND = Literal(0, "a"), Literal(1, 3), Reference(2, Named("builtins", "bool", bool))


def made(arguments: Arguments, *others: Statement) -> TestCase:
    return TestCase((NAMES, THREE, KIND, *others, Call(9, OPTION, arguments)))


def test_the_same_call_is_not_unlike() -> None:
    assert unlikeness(made(Arguments((0, 1), (("kind", 2),))), SHOWN) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(Arguments((0, 1)), id="a keyword is missing"),
        pytest.param(Arguments((0, 1), (("kind", 2), ("value", 0))), id="a keyword too many"),
        pytest.param(Arguments((0,), (("kind", 2),)), id="an argument is missing"),
        pytest.param(Arguments((0, 0), (("kind", 2),)), id="another literal"),
        pytest.param(Arguments((0, 1), (("kind", 1),)), id="a literal in place of a class"),
    ],
)
def test_what_is_otherwise_counts(arguments: Arguments) -> None:
    assert 0 < unlikeness(made(arguments), SHOWN) < unlikeness(TestCase((NAMES,)), SHOWN) == 1


def test_a_line_that_drives_nothing_shows_nothing() -> None:
    assert shown_calls("print(result)", {"Option"}) == ()
    assert unlikeness(TestCase((NAMES,)), ()) == 0


def test_what_stands_around_the_call_was_never_reached() -> None:
    shown = shown_calls("show(data, Lexer(), Option(int(names), kind=bool))", {"Option"})
    assert [call.name for call in shown] == ["Option", "int"]


def test_a_call_within_it_that_takes_nothing_only_gives_a_value() -> None:
    assert [call.name for call in shown_calls("Option(names, date.today(), kind=bool)", {"Option"})] == ["Option"]
    assert [call.name for call in shown_calls("begin()", {"begin"})] == ["begin"]


def test_a_call_within_it_counts_where_what_it_gives_is_taken() -> None:
    load = Callee("shop", "load", CalleeKind.FUNCTION)
    calls = shown_calls("shop.Option(load(path))", {"Option"})
    loaded = Call(3, load, Arguments((0,)))
    apart, together = (unlikeness(made(Arguments((variable,)), loaded), calls) for variable in (0, 3))
    without = unlikeness(made(Arguments((0,))), calls)
    assert together == 0 < apart == without


def test_a_star_leaves_the_number_of_arguments_open() -> None:
    shown = shown_calls("Option(*names)", {"Option"})
    assert unlikeness(made(Arguments((0, 1), (("kind", 2),))), shown) == 0


@pytest.mark.parametrize("text", ["nan", "inf", "-Infinity"])
def test_a_number_that_only_a_call_can_write_is_a_literal(text: str) -> None:
    shown = shown_calls(f"Option(float('{text}'))", {"Option"})
    assert [call.name for call in shown] == ["Option"]
    number, call = Literal(0, float(text)), Call(9, OPTION, Arguments((0,)))
    assert unlikeness(TestCase((number, call)), shown) == 0
    assert unlikeness(TestCase((Literal(0, 1.0), call)), shown) > 0
    converted = Call(0, Callee("builtins", "float", CalleeKind.CLASS), Arguments((1,)))
    assert unlikeness(TestCase((Literal(1, text), converted, call)), shown) == 0


def test_such_a_number_is_the_call_that_writes_it() -> None:
    shown = shown_calls("Option(float(data))", {"Option"})
    assert [call.name for call in shown] == ["Option", "float"]
    call = Call(9, OPTION, Arguments((0,)))
    assert unlikeness(TestCase((Literal(0, float("inf")), call)), shown) == 0
    assert unlikeness(TestCase((Literal(0, 1.5), call)), shown) > 0


def test_a_run_of_the_module_is_what_its_lines_do() -> None:
    assert unlikeness(TestCase((NAMES,)), SHOWN) == 1
    assert unlikeness(TestCase((RunModule(1, "job", None, True),)), SHOWN) == 0
