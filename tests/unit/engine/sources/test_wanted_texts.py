"""What was wanted is put where it was wanted; what was never put in anywhere comes first."""

from __future__ import annotations

import re

from crashwright.engine.instrument.comparison_log.wanted import Expression, Span, TextWant
from crashwright.engine.sources.wanted_texts import AT_ONCE, WantedTexts


def test_in_place_of_what_was_there_and_before_it() -> None:
    assert list(WantedTexts().texts("abc", [TextWant(Span(1, 2), "x", 0)])) == ["axc", "axbc"]


def test_what_was_wanted_last_comes_first() -> None:
    wants = [TextWant(Span(0, 0), "x", 0), TextWant(Span(1, 1), "y", 1)]
    assert list(WantedTexts().texts("a", wants)) == ["ay", "xa"]


def test_what_was_put_in_less_often_comes_first() -> None:
    texts = WantedTexts()
    list(texts.texts("a", [TextWant(Span(0, 0), "x", 7)]))
    assert list(texts.texts("bb", [TextWant(Span(1, 1), "y", 7), TextWant(Span(0, 0), "x", 7)])) == ["byb", "xbb"]


def test_an_expression_is_what_it_matches_something_else_each_time() -> None:
    texts, want = WantedTexts(), TextWant(Span(1, 1), Expression("[a-z]{2}[0-9]", 0), 0)
    first, second = (list(texts.texts("<>", [want])) for _ in range(2))
    assert len(first) == len(second) == AT_ONCE
    assert all(re.fullmatch("<[a-z]{2}[0-9]>", text) for text in first + second)
    assert not set(first) & set(second)


def test_an_expression_that_cannot_be_parsed_is_passed_over() -> None:
    assert not list(WantedTexts().texts("a", [TextWant(Span(0, 0), Expression("(", 0), 0)]))
