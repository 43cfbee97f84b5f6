"""Strings made for a regular expression are matched by it."""

from __future__ import annotations

import random
import re

import pytest

from crashwright.engine.testcase.making.matching_text import LONGEST, matching_family, matching_text

PATTERNS = [
    r"#(x[0-9a-fA-F]+|[0-9]+)",
    r"&([^;]+);",
    r"^(\d{4})-(\d\d)-(\d\d)$",
    r"<(?P<tag>\w+)>.*</(?P=tag)>",
    r"[^a-z\s]+?x{2,3}",
    r"a|b|(?:cd)*",
    r"\s*\W\D\S",
    r"",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_it_matches(pattern: str) -> None:
    compiled = re.compile(pattern)
    for seed in range(50):
        text = matching_text(pattern, random.Random(seed))
        assert text is not None
        assert compiled.match(text), (pattern, text)


def test_variety() -> None:
    assert len({matching_text(r"[a-z]{3}", random.Random(seed)) for seed in range(50)}) > 20


def test_no_pattern() -> None:
    assert matching_text("(", random.Random(0)) is None


def test_long_repeats_are_cut() -> None:
    text = matching_text(r"(a{1000}){1000}", random.Random(0))
    assert text is not None
    assert len(text) <= LONGEST


def test_repeats_are_many_now_and_then() -> None:
    lengths = [len(matching_text(r"[0-9]+", random.Random(seed)) or "") for seed in range(400)]
    assert sum(length > 8 for length in lengths) in range(8, 60)
    assert sum(length <= 5 for length in lengths) > 300


def test_words_stand_where_much_is_open() -> None:
    pattern = r"<([^>]+)> (\d{4}) (\w+)"
    texts = [matching_text(pattern, random.Random(seed), words=("12 Jan", "2026", "x>y")) for seed in range(40)]
    assert all(text is not None and re.fullmatch(pattern, text) for text in texts)
    assert sum("<12 Jan>" in str(text) for text in texts) > 5
    assert not any("x>y" in str(text) for text in texts)


def test_a_family_differs_in_one_part_each() -> None:
    pattern = r"([a-z]+)=(\d+)(?: (ms))?;"
    for seed in range(20):
        first, *others = matching_family(pattern, random.Random(seed))
        assert all(re.fullmatch(pattern, text) for text in (first, *others))
        groups = [re.fullmatch(pattern, text).groups() for text in (first, *others)]  # type: ignore[union-attr]
        assert all(sum(one != other for one, other in zip(groups[0], rest, strict=True)) == 1 for rest in groups[1:])
        assert groups[0][2] != groups[1][2]  # what may be missing comes first


def test_no_family() -> None:
    assert matching_family("(", random.Random(0)) == matching_family("abc", random.Random(0)) == ()
