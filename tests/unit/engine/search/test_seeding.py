"""Facts that messages and patterns give."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from crashwright.engine.search.message_facts import message_values
from crashwright.engine.search.seeding import pattern_tokens


def test_a_key_error_names_its_key() -> None:
    assert message_values("'begin'")[0] == "begin"
    assert message_values("(0, 8)")[0] == (0, 8)


def test_quoted_values_and_numbers() -> None:
    assert message_values("invalid literal for int() with base 16: 'bunt'") == ("bunt", 16)
    assert message_values("byte 0xc3 in position -3") == (-3,)
    assert message_values("got b'x' of 1.5") == (b"x", 1.5)


@given(some.text(max_size=80))
def test_any_message_is_read(text: str) -> None:
    assert isinstance(message_values(text), tuple)


def test_literal_stretches_of_a_pattern() -> None:
    assert list(pattern_tokens(r"<a href=\"(\w+)\">|end")) == ['<a href="', '">', "end"]


@given(some.text(max_size=40))
def test_any_pattern_is_cut(text: str) -> None:
    assert all(pattern_tokens(text))
