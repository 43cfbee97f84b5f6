"""A function of the module gets no more tests than somebody would read."""

from __future__ import annotations

from crashwright.core.suite import ModuleTarget, SuiteTest
from crashwright.engine.assertions.assertion import AssertedTest, Assertion, Observed, Raised
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import Arguments, Call, Literal, MethodCall, Named
from crashwright.engine.testcase.testcase import TestCase
from crashwright.finishing.suite.file import suite_file

PRICE = Callee("shop", "price", CalleeKind.FUNCTION)


def written(depth: int, raised: bool = False, needed: bool = False) -> tuple[SuiteTest, AssertedTest]:
    """Each of another shape, so that none is a case of another."""
    test = TestCase(
        (
            Literal(0, "a"),
            *(MethodCall(number, 0, f"step{number}", Arguments(())) for number in range(1, depth)),
            Call(depth, PRICE, Arguments((0,))),
        )
    )
    checks = () if raised else (Assertion(depth, Observed(depth), "equals", depth),)
    error = Raised(Named("shop", "PriceError"), "too heavy") if raised else None
    return SuiteTest({}, "price", (), 1, spare=not needed), AssertedTest(test, checks, error)


def kept(most: int) -> list[int]:
    tests = [written(1), written(2, raised=True), written(3, needed=True), written(4), written(5, raised=True, needed=True)]
    file = suite_file(tests, ModuleTarget("shop"), "crashwright generate shop", most=most)
    return sorted(index for one in file.tests for index in one.indices)


def test_what_alone_takes_a_branch_stays_and_of_the_rest_what_returns_before_errors() -> None:
    assert kept(5) == [0, 1, 2, 3, 4]
    assert kept(3) == [0, 2, 4]
    assert kept(1) == [2, 4]
