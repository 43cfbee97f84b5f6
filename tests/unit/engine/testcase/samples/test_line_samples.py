"""Texts of lines whose kinds are known."""

from __future__ import annotations

from random import Random

from crashwright.engine.testcase.samples.line_samples import MOST_PAIRS, told_texts


def test_all_then_each_alone_then_any_two_and_a_few() -> None:
    texts = list(told_texts(("# text", "- text", ""), Random(1)))
    assert texts[:4] == ["# text\n- text\n\n", "# text\n", "- text\n", "\n"]
    assert {"- text\n# text\n", "# text\n# text\n"} <= set(texts)
    assert any(text.count("\n") > 2 for text in texts[4:])
    assert texts == list(told_texts(("# text", "- text", ""), Random(1)))


def test_as_many_as_are_worth_trying() -> None:
    kinds = tuple(map(str, range(40)))
    assert len(list(told_texts(kinds, Random(1)))) == 1 + 40 + 2 * MOST_PAIRS
    assert list(told_texts((), Random(1))) == []
