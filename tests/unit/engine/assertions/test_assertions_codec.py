"""Tests with assertions survive JSON, with and without live objects."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as some

from crashwright.engine.assertions.assertion import AssertedTest, Assertion, Observed, Raised
from crashwright.engine.assertions.codec import (
    decode_asserted,
    decode_assertion,
    encode_asserted,
    encode_assertion,
    is_asserted,
)
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.statements import Display, Literal, Named, Ref
from crashwright.engine.testcase.testcase import TestCase

SCALARS = (
    some.none()
    | some.booleans()
    | some.integers()
    | some.floats(allow_nan=False)
    | some.text()
    | some.binary()
    | some.complex_numbers(allow_nan=False)
)
VALUES = some.recursive(
    SCALARS | some.builds(Ref, some.integers(0, 9)),
    lambda inner: (
        some.builds(Display, some.sampled_from(["list", "tuple", "set", "frozenset"]), some.lists(inner, max_size=3).map(tuple))
        | some.builds(Display, some.just("dict"), some.lists(some.tuples(inner, inner), max_size=3).map(tuple))
    ),
    max_leaves=6,
)
PATHS = some.lists(some.sampled_from([".name", "len", "str", "repr", "list", "type", "[0]"]), max_size=3).map(tuple)
ASSERTIONS = some.builds(
    Assertion,
    some.integers(0, 9),
    some.builds(Observed, some.integers(0, 9), PATHS),
    some.sampled_from(["equals", "approximately", "is"]),
    VALUES | some.just(Named("package.module", "Colour.RED")),
)


def through_json(assertion: Assertion) -> Assertion:
    return decode_assertion(json.loads(json.dumps(encode_assertion(assertion))))


@given(ASSERTIONS)
def test_assertions_survive_json(assertion: Assertion) -> None:
    back = through_json(assertion)
    assert back == assertion
    assert repr(back) == repr(assertion)  # 1, True and 1.0 are equal


def test_exceptions_and_their_messages_survive() -> None:
    raised = Raised(Named("package.errors", "Full"), "no room")
    test = TestCase((Literal(0, 3),))
    for one in (None, raised, raised._replace(message=None)):
        asserted = AssertedTest(test, (Assertion(0, Observed(0), "nan"),), one)
        back = decode_asserted(json.loads(json.dumps(encode_asserted(asserted))))
        assert back[1:] == asserted[1:]
        assert back.test.statements == test.statements


def test_both_forms_are_told_apart() -> None:
    test = TestCase((Literal(0, math.inf),))
    assert is_asserted(encode_asserted(AssertedTest(test)))
    assert not is_asserted(encode(test))


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="no kind of assertion"):
        decode_assertion([0, 0, [], "hopes", 1])
