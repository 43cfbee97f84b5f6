"""Edits of texts of lines."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from crashwright.engine.testcase.structure.line_edits import edited_lines

KINDS = ("# text", "END:name")


def test_lines_come_go_move_and_take_words_of_each_other() -> None:
    rng = Random(1)
    found = {edited_lines(rng, "a: b\nc\n", KINDS) for _ in range(1000)}
    assert {"# text\na: b\nc\n", "a: b\nc\nEND:name\n"} <= found
    assert {"c\n", "a: b\n", "c\na: b\n", "a: b\na: b\nc\n"} <= found
    assert {"a: c\nc\n", "a: 0\nc\n", "a: name\nc\n"} <= found


@given(st.text(), st.integers(0, 1000))
def test_any_text_and_the_same_again(text: str, seed: int) -> None:
    edited = edited_lines(Random(seed), text, KINDS)
    assert edited == edited_lines(Random(seed), text, KINDS)
    assert abs(edited.count("\n") - text.count("\n")) <= 1
