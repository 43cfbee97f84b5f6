"""The same content in another type."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as some

from crashwright.engine.testcase.making.casting import cast_value
from crashwright.engine.testcase.making.displays import hashable
from crashwright.engine.testcase.statements import Display, Value


def casts(value: Value) -> list[Value]:
    return [cast_value(random.Random(seed), value) for seed in range(60)]


def test_text_becomes_bytes_lists_and_numbers() -> None:
    found = casts("12")
    assert b"12" in found
    assert 12 in found
    assert Display("list", ("1", "2")) in found
    assert Display("list", ("12",)) in found


def test_text_that_is_no_number_gives_its_length() -> None:
    assert 3 in casts("abc")


@pytest.mark.parametrize(("value", "wanted"), [(b"\xff", "\xff"), (7, "7"), (7, 7.0), (1.5, 1), (True, 1), (float("nan"), 0)])
def test_scalars(value: Value, wanted: Value) -> None:
    assert any(type(found) is type(wanted) and found == wanted for found in casts(value))


def test_containers() -> None:
    found = casts(Display("list", (1, Display("list", ()))))
    assert Display("tuple", (1, Display("list", ()))) in found
    assert Display("set", (1,)) in found
    assert Display("dict", ((1, None),)) in found
    assert 1 in found


def test_a_dict_becomes_its_pairs() -> None:
    assert Display("list", (Display("tuple", ("a", 1)),)) in casts(Display("dict", (("a", 1),)))


@given(some.one_of(some.text(), some.binary(), some.integers(), some.floats(), some.booleans(), some.none()), some.integers(0, 99))
def test_what_must_be_hashable_is(value: Value, seed: int) -> None:
    found = cast_value(random.Random(seed), Display("list", (value, Display("list", ()))))
    if isinstance(found, Display) and found.kind in ("set", "dict"):
        keys = [item[0] if found.kind == "dict" else item for item in found.items]
        assert all(hashable(key) for key in keys)
