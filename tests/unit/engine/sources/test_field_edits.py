"""Fields get boundaries and what was compared; what lengths count becomes longer and shorter."""

from __future__ import annotations

from crashwright.engine.instrument.comparison_log.numbers import Number
from crashwright.engine.instrument.comparison_log.relations import ComputedSum, Counted, SumCheck
from crashwright.engine.instrument.comparison_log.wanted import Span
from crashwright.engine.sources.field_edits import FieldTexts, field_edits

FIELD = Number(Span(0, 2), ">H")
TEXT = "\x00\x03abc"


def test_boundaries_and_values() -> None:
    made = {value for span, value in field_edits(TEXT, [FIELD], [0x1234], []) if span == FIELD.span}
    assert {"\x00\x00", "\xff\xff", "\x7f\xff", "\x80\x00", "\x00\x02", "\x00\x04", "\x00\x13", "\x12\x34"} <= made
    assert "\x00\x03" not in made


def test_numbers_with_a_sign_have_all_bits() -> None:
    made = {value for _, value in field_edits("\x00", [Number(Span(0, 1), ">b")], [], [])}
    assert {"\xff", "\x7f", "\x80"} <= made


def test_a_length_is_wrong_by_one_and_what_it_counts_is_changed() -> None:
    edits = [*field_edits(TEXT, [], [], [Counted(FIELD, 3, Span(2, 5))])]
    assert (Span(0, 2), "\x00\x04") in edits
    assert (Span(0, 2), "\x00\x02") in edits
    assert (Span(2, 5), "") in edits
    assert (Span(5, 5), "abc") in edits


def test_a_checksum_is_wrong_by_one_bit() -> None:
    check = SumCheck(Span(2, 3), Number(Span(2, 3), ">B"), ComputedSum(sum, (Span(0, 2),)))
    assert [*field_edits("\x01\x02\x03", [], [], [check])] == [(Span(2, 3), "\x02")]


def test_what_was_tried_in_another_text_comes_later() -> None:
    texts = FieldTexts()
    edits = [(Span(0, 1), "x"), (Span(0, 1), "y")]
    assert [*texts.texts("ab", edits[:1])] == ["xb"]
    assert [*texts.texts("ac", edits)] == ["yc", "xc"]
