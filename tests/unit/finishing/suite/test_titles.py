"""Names of tests say what is called, when, and what comes of it; no two are alike, and none is numbered."""

from __future__ import annotations

import pytest

from crashwright.core.suite import Decision, SuiteTest
from crashwright.engine.assertions.assertion import AssertedTest, Assertion, Observed, Raised
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase.statements import Arguments, Call, Literal, Named, Value
from crashwright.engine.testcase.testcase import TestCase
from crashwright.finishing.suite.conditions import condition_words
from crashwright.finishing.suite.draft import Draft, draft
from crashwright.finishing.suite.titles import LONGEST, titles

PRICE = Callee("shop", "price", CalleeKind.FUNCTION, (Parameter("weight", ParameterKind.POSITIONAL_OR_KEYWORD),))


def one(
    value: Value, expected: Value | Named = None, raised: str = "", conditions: tuple[Decision, ...] = (), bare: bool = False
) -> Draft:
    kind = "is" if isinstance(expected, Named) else "equals"
    assertions = () if raised or bare else (Assertion(1, Observed(1), kind, expected),)
    asserted = AssertedTest(
        TestCase((Literal(0, value), Call(1, PRICE, Arguments((0,))))),
        assertions,
        Raised(Named("shop", "PriceError"), raised) if raised else None,
    )
    return draft(0, SuiteTest({}, "price", (), 1, decisions=conditions), asserted)


HEAVY = Decision("gt", "self.weight > 10", True)


def test_results_conditions_and_messages_tell_tests_apart() -> None:
    drafts = [
        one(20, Named("shop", "Zone.NEAR")),
        one(30, Named("shop", "Zone.FAR")),
        one(40, 55, conditions=(HEAVY,)),
        one(50, 66),
        one(60, raised="weight must be positive"),
        one(70, raised="too large for a parcel"),
    ]
    assert titles(drafts) == [
        "test_price_returns_near",
        "test_price_returns_far",
        "test_price_when_weight_above_ten",
        "test_price_returns_sixty_six",
        "test_price_raises_price_error_weight_must_be_positive",
        "test_price_raises_price_error_too_large_for_parcel",
    ]
    assert len(set(titles(drafts))) == len(drafts)
    assert not [name for name in titles(drafts * 2) if name[-1].isdigit()]


@pytest.mark.parametrize(
    ("decision", "name"),
    [
        (Decision("eq", "weight == 0", True), "test_price"),
        (Decision("eq", "weight == 0", False), "test_price_when_weight_is_not_zero"),
        (Decision("gt", "len(weight) > 3", True), "test_price_when_length_of_weight_above_three"),
        (Decision("eq", "left == 0", True), "test_price_when_left_is_zero"),
        (Decision("iter", "weight", False), "test_price"),
    ],
)
def test_a_condition_that_the_given_values_contradict_is_not_in_the_name(decision: Decision, name: str) -> None:
    assert titles([one(20, conditions=(decision,), bare=True)]) == [name]


def test_what_a_loop_goes_over_is_said_with_one_word() -> None:
    assert titles([one("abc", conditions=(Decision("iter", "weight", True),), bare=True)]) == ["test_price_with_weight"]


def test_what_asserts_nothing_is_named_after_its_condition() -> None:
    assert titles([one(20, conditions=(HEAVY,), bare=True)]) == ["test_price_when_weight_above_ten"]


@pytest.mark.parametrize(
    ("kind", "text", "outcome", "words"),
    [
        ("gt", "count > 3", True, "count_above_three"),
        ("gt", "count > 3", False, "count_at_most_three"),
        ("is", "self._state is State.NEW", False, "state_is_not_new"),
        ("truth", "not text", True, "not_text"),
        ("truth", "self.closed", False, "not_closed"),
        ("isinstance", "isinstance(value, list)", True, "value_is_list"),
        ("truth", 'line.startswith("[")', True, "line_startswith_bracket"),
        ("eq", 'item[0] == "section"', True, "item_zero_is_section"),
        ("gt", 'weight > Decimal("12")', True, "weight_above_twelve"),
        ("iter", "self.pages", False, "without_pages"),
        ("except", "except KeyError:", True, "on_key_error"),
        ("in", "a + b in c", True, ""),
        ("truth", "broken(", True, ""),
    ],
)
def test_conditions_in_words(kind: str, text: str, outcome: bool, words: str) -> None:
    assert condition_words(Decision(kind, text, outcome)) == words


def test_names_end_with_a_whole_word() -> None:
    drafts = [
        one(60, raised="weight must certainly be positive today"),
        one(70, raised="weightlessness is unfortunately impossible"),
    ]
    assert all(len(name) <= LONGEST for name in titles(drafts))
    assert titles(drafts) == [
        "test_price_raises_price_error_weight_must_certainly_be",
        "test_price_raises_price_error_weightlessness_is",
    ]
