"""Edits of the structure of texts are total: of any text they make one of bounded length, the same for the same numbers."""

from __future__ import annotations

import random
import struct

from hypothesis import example, given
from hypothesis import strategies as hs

from crashwright.engine.subject.usage.layouts import LONGEST_FIELD, MOST_FIELDS, Layout, layout_of
from crashwright.engine.subject.usage.vocabulary import Vocabulary
from crashwright.engine.testcase.structure.fields import LONGEST as MOST_BYTES
from crashwright.engine.testcase.structure.fields import edited_data, made_data
from crashwright.engine.testcase.structure.restructuring import LONGEST, exchanged, restructured
from crashwright.engine.testcase.structure.spelling import spelled_text
from crashwright.engine.testcase.structure.units import structured_share, units_of

_marks = hs.text(hs.sampled_from("ab1 \n\t,;:=|&/.()[]{}<>\"'`*_-%#é"), max_size=80)
texts = hs.one_of(hs.text(max_size=40), _marks, hs.lists(_marks, max_size=30).map("\n".join))
seeds = hs.integers(0, 2**32)


@given(texts, texts, seeds)
@example("<a><b></a>", "{% if x %}{% endif %}", 1)
@example("(" * 3000, ")" * 3000, 1)
def test_any_text_becomes_another_of_bounded_length(text: str, other: str, seed: int) -> None:
    changed = restructured(random.Random(seed), text, lambda: other)
    assert len(changed) <= max(LONGEST, len(text))
    assert changed == restructured(random.Random(seed), text, lambda: other)


@given(texts, texts, seeds)
def test_crossover_keeps_texts_bounded(one: str, other: str, seed: int) -> None:
    first, second = exchanged(random.Random(seed), one, other)
    assert max(len(first), len(second)) <= max(LONGEST, len(one), len(other))
    assert (first, second) == exchanged(random.Random(seed), one, other)


@given(texts.filter(bool), seeds)
def test_units_lie_within_the_text(text: str, seed: int) -> None:
    units = units_of(random.Random(seed), text)
    assert units
    assert all(0 <= start <= opens <= closes <= end <= len(text) and start < end for start, opens, closes, end in units)


@given(texts)
def test_the_share_is_one(text: str) -> None:
    assert 0 <= structured_share(text) <= 0.5
    assert structured_share(text.join("ab")) >= 0


layouts = hs.lists(hs.builds(Layout, hs.sampled_from(("big", "little")), hs.lists(hs.integers(1, 256), min_size=1).map(tuple)))


@given(hs.binary(), layouts, hs.integers(), seeds)
def test_any_bytes_become_others_of_bounded_length(data: bytes, known: list[Layout], number: int, seed: int) -> None:
    changed = edited_data(random.Random(seed), data, known, lambda: number)
    assert len(changed) <= MOST_BYTES
    assert changed == edited_data(random.Random(seed), data, known, lambda: number)
    if known:
        assert len(made_data(random.Random(seed), known, lambda: number)) <= MOST_BYTES


@given(hs.lists(hs.text(min_size=1, max_size=12)), hs.lists(hs.text(min_size=1, max_size=12)), seeds)
def test_spelling_makes_short_texts(strings: list[str], kinds: list[str], seed: int) -> None:
    vocabulary = Vocabulary(tuple(strings), tuple(kinds))
    spelled = spelled_text(random.Random(seed), vocabulary)
    assert 0 < len(spelled) < 1000
    assert spelled == spelled_text(random.Random(seed), vocabulary)


@given(hs.text(hs.sampled_from("@=<>!0123456789 xcbB?hHiIlLqQnNefdspPz"), max_size=12))
def test_layouts_are_as_long_as_the_format_says(text: str) -> None:
    layout = layout_of(text)
    if layout is not None and text[:1] in "=<>!" and len(layout.sizes) < MOST_FIELDS and max(layout.sizes) < LONGEST_FIELD:
        assert sum(layout.sizes) == struct.calcsize(text)
