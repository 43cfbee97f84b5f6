"""Units of texts."""

from __future__ import annotations

import random

import pytest

from crashwright.engine.testcase.structure.units import structured_share, units_of


def found(text: str) -> set[tuple[str, str]]:
    """Whole and inner part of all units, of whatever sort."""
    every = [(one, text) for seed in range(40) for one in units_of(random.Random(seed), text)]
    return {(whole[unit.start : unit.end], whole[unit.opens : unit.closes]) for unit, whole in every}


@pytest.mark.parametrize(
    ("text", "whole", "inner"),
    [
        ("f(a, [b])", "(a, [b])", "a, [b]"),
        ("f(a, [b])", "[b]", "b"),
        ("say 'hello' now", "'hello'", "hello"),
        ("a **b** c", "**b**", "b"),
        ("<a x='1'><b>c</b></a>", "<b>c</b>", "c"),
        ("<a x='1'><b>c</b></a>", "<a x='1'><b>c</b></a>", "<b>c</b>"),
        ("[b]x[/b]", "[b]x[/b]", "x"),
        ("{% if a %}b{% endif %}", "{% if a %}b{% endif %}", "b"),
        ("if a:\n    b\n    c\nd\n", "if a:\n    b\n    c\n", "    b\n    c\n"),
        ("one\ntwo\n\nthree\n", "one\ntwo\n\n", "one\ntwo\n\n"),
        ("alpha--beta", "--", "--"),
    ],
)
def test_units_are_found_in_the_text_itself(text: str, whole: str, inner: str) -> None:
    assert (whole, inner) in found(text)


def test_what_nothing_closes_is_no_unit() -> None:
    assert not {whole for whole, _ in found("f(a]") if len(whole) > 1}


def test_a_word_has_no_structure() -> None:
    assert structured_share("word") == structured_share("") == structured_share("12.5 apples") == 0
    assert 0 < structured_share("a: 1") < structured_share("{'a': [1, 2], 'b': (3, 4)}") == 0.5
