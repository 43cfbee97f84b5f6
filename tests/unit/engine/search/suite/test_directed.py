"""Values that the place of a mutant suggests."""

from __future__ import annotations

import itertools
from unittest.mock import Mock

import pytest

from crashwright.engine.search.suite.directed import directed, others
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.mutants.clues import Clue
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, Value
from crashwright.engine.testcase.testcase import TestCase

EITHER = ParameterKind.POSITIONAL_OR_KEYWORD
NOTHING = Clue()


def clue(name: str, *given: str) -> Clue:
    return Clue(((name, given),))


@pytest.mark.parametrize(
    ("value", "told", "wanted"),
    [
        ("ann lee", clue("strip"), " ann lee "),
        ("ann lee", clue("strip"), " ann  lee"),
        ("ann", clue("lstrip", "#"), "#ann"),
        ("ann", clue("rstrip"), "ann "),
        ("ann lee", clue("casefold"), "ann LEE"),
        ("ann lee", clue("split"), "a  nn lee"),
        ("a=1", clue("split", "="), "a=a=1"),
        ("name", Clue(texts=("phone",)), "phone"),
        (3, Clue(numbers=(20,)), 20),
        (3, Clue(numbers=(20,)), 19),
        (3, Clue(), 4),
        ("2.50", Clue(numbers=(20,)), "20"),
        (True, Clue(), False),
        (Display("list", ("b",)), Clue(texts=("a",)), Display("list", ("b", "a"))),
        (Display("dict", (("key", 1),)), Clue(texts=("name",)), Display("dict", (("name", 1),))),
    ],
)
def test_a_value_becomes_one_in_which_the_place_matters(value: Value, told: Clue, wanted: Value) -> None:
    found = list(others(value, told))
    assert wanted in found
    assert value not in found or value is True


def test_numbers_of_the_test_count_where_two_are_compared() -> None:
    assert 70 in list(others(3, Clue(compares=True), (70,)))
    assert 70 not in list(others(3, Clue(), (70,)))


def texts(test: TestCase, told: Clue = NOTHING) -> list[str]:
    return ["\n".join(print_test(one).body) for one in directed(test, told, itertools.count(100).__next__)]


def test_options_of_others_are_left_alone() -> None:
    runner = Callee("click.testing", "CliRunner", CalleeKind.CLASS, (Parameter("catch", EITHER, required=False, default=True),))
    test = TestCase((Call(1, runner, Arguments()),))
    fresh = itertools.count(100).__next__
    assert len(list(directed(test, NOTHING, fresh))) == 1
    assert list(directed(test, NOTHING, fresh, lambda callee: callee.module == "shop")) == []


def test_what_may_be_left_out_is_passed() -> None:
    parameters = (Parameter("text", EITHER), Parameter("width", EITHER, required=False, default=70))
    callee = Callee("textwrap", "shorten", CalleeKind.FUNCTION, parameters)
    test = TestCase((Literal(0, "some words"), Call(1, callee, Arguments((0,)))))
    assert 'textwrap.shorten("some words", width=5)' in texts(test, Clue(numbers=(5,)))


def test_a_clock_that_is_handed_over_goes_on() -> None:
    mock = Callee("unittest.mock", "Mock", CalleeKind.CLASS, live=Mock)
    cache = Callee("cachelib", "Cache", CalleeKind.CLASS, (Parameter("clock", EITHER),))
    read = Callee("cachelib", "read", CalleeKind.FUNCTION, (Parameter("cache", EITHER),))
    handed = Call(1, mock, Arguments((), (("return_value", 0),)))
    test = TestCase((Literal(0, 5.0), handed, Call(2, cache, Arguments((1,))), Call(3, read, Arguments((2,)))))
    assert any("return_value = 65.0" in text for text in texts(test))


def test_a_function_that_is_handed_over_fails_and_works_again_later() -> None:
    mock = Callee("unittest.mock", "Mock", CalleeKind.CLASS, live=Mock)
    error = Callee("builtins", "RuntimeError", CalleeKind.CLASS, live=RuntimeError)
    job = Callee("jobs", "Job", CalleeKind.CLASS, (Parameter("clock", EITHER), Parameter("action", EITHER)))
    run = Callee("jobs", "run", CalleeKind.FUNCTION, (Parameter("job", EITHER),))
    clock = Call(1, mock, Arguments((), (("return_value", 0),)))
    made = Call(3, job, Arguments((1, 2)))
    test = TestCase((Literal(0, 5.0), clock, Call(2, mock, Arguments()), made, Call(4, run, Arguments((3,)))))
    found = [
        "\n".join(print_test(one).body)
        for one in directed(test, Clue(numbers=(60,)), itertools.count(100).__next__, error=error)
        if one.is_valid()
    ]
    failing = [text for text in found if "Mock(side_effect=RuntimeError())" in text]
    assert any(text.count("run(") == 1 for text in failing)
    later = [text for text in failing if ".return_value = 65.0" in text and text.count("run(") == 2]
    assert len(later) == 2
    assert sum(".side_effect = None" in text for text in later) == 1
    assert not any("side_effect" in text for text in texts(test))
