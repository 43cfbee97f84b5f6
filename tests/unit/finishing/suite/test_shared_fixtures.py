"""A fixture makes the object that most tests of a class make; pytest has names of its own."""

from __future__ import annotations

import pytest

from crashwright.core.suite import ModuleTarget, SuiteTest
from crashwright.engine.assertions.assertion import AssertedTest, Assertion, Observed
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import Arguments, Call, MethodCall
from crashwright.engine.testcase.testcase import TestCase
from crashwright.finishing.suite.file import suite_file
from crashwright.finishing.suite.fixtures import FEWEST


def text_for(cls: str) -> str:
    maker = Callee("web", cls, CalleeKind.CLASS)
    tests = []
    for number in range(FEWEST):
        method = Callee("web", f"{cls}.part_{number}", CalleeKind.METHOD)
        test = TestCase((Call(0, maker, Arguments()), MethodCall(1, 0, f"part_{number}", Arguments(), method)))
        check = Assertion(1, Observed(1), "equals", number)
        tests.append((SuiteTest({}, f"{cls}.part_{number}", (), 1), AssertedTest(test, (check,), None)))
    return suite_file(tests, ModuleTarget("web"), "crashwright generate web").text


def test_it_is_called_after_the_class() -> None:
    text = text_for("Answer")
    assert "@pytest.fixture\ndef answer():\n    return Answer()" in text
    assert "(self, answer)" in text


@pytest.mark.parametrize(("cls", "name"), [("Request", "request_"), ("Cache", "cache_"), ("List", "list_")])
def test_names_that_mean_something_else_to_pytest_or_python_are_not_taken(cls: str, name: str) -> None:
    """A fixture called ``request`` is refused with its whole file."""
    text = text_for(cls)
    assert f"@pytest.fixture\ndef {name}():\n    return {cls}()" in text
    assert f"(self, {name})" in text
    compile(text, "test_web.py", "exec")
