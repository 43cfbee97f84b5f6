"""Several steps at once."""

from __future__ import annotations

from random import Random

from crashwright.engine.instrument.comparison_log.wanted import Span
from crashwright.engine.sources.mixed_texts import mixed_text

STEPS = [(Span(0, 1), "<"), (Span(2, 3), ">"), (Span(3, 3), "!")]


def test_wanted_steps_are_combined_each_at_its_place() -> None:
    made = {mixed_text(Random(seed), "abc", STEPS, [], []) for seed in range(200)}
    assert {"<b>", "<b>!", "ab>!"} <= made


def test_other_texts_are_spliced_in() -> None:
    made = [mixed_text(Random(seed), "abc", [], [], ["OTHER"]) for seed in range(200)]
    assert any("OTHER" in text and text != "OTHER" for text in made)


def test_the_same_draws_make_the_same_text() -> None:
    assert [mixed_text(Random(3), "a b", STEPS, ["w"], ["x"]) for _ in range(2)].count("") in (0, 2)
    assert mixed_text(Random(3), "a b", STEPS, ["w"], ["x"]) == mixed_text(Random(3), "a b", STEPS, ["w"], ["x"])


def test_nothing_comes_of_an_empty_text_without_words() -> None:
    assert {mixed_text(Random(seed), "", [], [], []) for seed in range(20)} == {""}
