"""Edits of the attributes of a tag."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from crashwright.engine.testcase.structure.attributes import attributes_edited
from crashwright.engine.testcase.structure.restructuring import restructured

TEXT = "<a href='x y' title=\"t\">text</a> <img src=s/>"


def edits(text: str) -> set[str]:
    return {attributes_edited(random.Random(seed), text) for seed in range(300)}


def test_an_attribute_is_dropped_or_loses_its_value() -> None:
    found = edits(TEXT)
    assert '<a title="t">text</a> <img src=s/>' in found
    assert "<a href='x y' title>text</a> <img src=s/>" in found
    assert "<a href='x y' title=\"\">text</a> <img src=s/>" in found
    assert "<a href='x y' title=\"t\">text</a> <img/>" in found
    assert '<a href=\'x y\' title="t" title="t">text</a> <img src=s/>' in found
    assert "<a href='x y' title='x y'>text</a> <img src=s/>" in found


def test_restructuring_comes_to_it() -> None:
    found = {restructured(random.Random(seed), TEXT, str) for seed in range(1500)}
    assert "<a href='x y' title>text</a> <img src=s/>" in found


@given(st.text("<>ab='\" /", max_size=40), st.integers(0, 99))
def test_any_text_gives_a_text(text: str, seed: int) -> None:
    changed = attributes_edited(random.Random(seed), text)
    assert changed == attributes_edited(random.Random(seed), text)
    assert len(changed) <= 2 * len(text) + 3
    if "=" not in text:
        assert changed == text or "<" in text
