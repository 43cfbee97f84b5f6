"""What stands around many tests of a file is written once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from crashwright.core.suite import ModuleTarget, SuiteTest
from crashwright.engine.assertions.assertion import AssertedTest, Assertion, Observed
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import Ambient, Arguments, Call, Display, Literal, MethodCall, Ref, Value
from crashwright.engine.testcase.testcase import TestCase
from crashwright.finishing.suite.file import suite_file

PRICE = Callee("shop", "price", CalleeKind.FUNCTION)
REGISTRY = ("copied", "os:environ", None)


def written(number: int, around: Sequence[tuple[str, str, Value]]) -> tuple[SuiteTest, AssertedTest]:
    lines = [Ambient(10 + place, *one) for place, one in enumerate(around)]
    calls = [Call(1 + place, PRICE, Arguments((0,))) for place in range(number)]
    test = TestCase((*lines, Literal(0, "a"), *calls))
    check = Assertion(len(test) - 1, Observed(number), "equals", number)
    return SuiteTest({}, "price", (), 1), AssertedTest(test, (check,), None)


def text_of(*arounds: Sequence[tuple[str, str, Value]]) -> str:
    tests = [written(number, around) for number, around in enumerate(arounds, 1)]
    return suite_file(tests, ModuleTarget("shop"), "crashwright generate shop").text


def test_lines_of_most_tests_are_a_fixture_that_all_have() -> None:
    debug = ("environ", "DEBUG", "1")
    text = text_of([REGISTRY, debug], [REGISTRY], [REGISTRY], [])
    fixture = (
        '@pytest.fixture(autouse=True)\ndef surroundings(monkeypatch):\n    monkeypatch.setattr("os.environ", os.environ.copy())\n'
    )
    assert fixture in text
    assert text.count("os.environ.copy()") == 1
    assert text.count('monkeypatch.setenv("DEBUG", "1")') == 1
    assert "import pytest" in text


@pytest.mark.parametrize(
    "arounds",
    [
        [[REGISTRY], [REGISTRY], [], []],
        [[REGISTRY]] * 3 + [[]] * 6,
        [[("environ", "MODE", "a")]] * 3 + [[("environ", "MODE", "b")]],
        [[("environ", "MODE", Ref(0))]] * 3,
    ],
    ids=["of two", "of a few of many", "of different values", "of the test's own values"],
)
def test_what_is_not_the_same_in_many_stays_where_it_is(arounds: list[list[tuple[str, str, Value]]]) -> None:
    assert "autouse" not in text_of(*arounds)


def test_a_value_that_a_test_reads_stays_in_it() -> None:
    test = TestCase((Ambient(0, "environ", "MODE", Display("list", ())), Call(1, PRICE, Arguments((0,)))))
    asserted = AssertedTest(test, (Assertion(1, Observed(1), "equals", 1),), None)
    tests = [(SuiteTest({}, "price", (), 1), asserted)] * 3
    assert "autouse" not in suite_file(tests, ModuleTarget("shop"), "crashwright generate shop").text


def test_a_fixture_is_not_called_like_a_builtin() -> None:
    """``list`` in the place of a class of that name would be another thing in each test."""
    cls = Callee("shop", "List", CalleeKind.CLASS)
    tests = []
    for name in ("grown", "dried", "cut"):
        method = Callee("shop", f"List.{name}", CalleeKind.METHOD)
        test = TestCase((Call(0, cls, Arguments()), MethodCall(1, 0, name, Arguments(), method)))
        check = Assertion(1, Observed(1), "equals", name)
        tests.append((SuiteTest({}, f"List.{name}", (), 1), AssertedTest(test, (check,), None)))
    text = suite_file(tests, ModuleTarget("shop"), "crashwright generate shop").text
    assert "def list_():" in text
    assert "def list():" not in text
