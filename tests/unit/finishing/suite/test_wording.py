"""Words for values, patterns for messages, fingerprints: the small parts of a suite's text."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as some

from crashwright.engine.testcase.statements import Display, Expected, Made, Named
from crashwright.finishing.suite.fingerprints import fingerprint, fingerprint_lines, known_fingerprints
from crashwright.finishing.suite.message_pattern import LONGEST, pattern
from crashwright.finishing.suite.wording import case_word, detail, particular


@pytest.mark.parametrize(
    ("value", "few", "more", "case"),
    [
        ("", "empty_string", "empty_string", "empty-string"),
        (" \n", "blank_string", "blank_string", "blank-string"),
        ("a\nb", "multiline_string", "multiline_string", "multiline-string"),
        ("yes", "", "yes", "yes"),
        ("Two words", "", "two_space_words", "two-space-words"),
        ("123", "", "digits", "digits"),
        ("12", "", "twelve", "twelve"),
        ("1234567", "", "digits", "digits"),
        ("?", "", "question_mark", "question-mark"),
        ("a, (b)", "", "", "a-b"),
        ("é", "non_ascii_string", "non_ascii_string", "non-ascii-string"),
        (b"", "empty_bytes", "empty_bytes", "empty-bytes"),
        (None, "none", "none", "none"),
        (True, "true", "true", "true"),
        (0, "zero", "zero", "zero"),
        (-3, "negative", "negative", "negative"),
        (7, "", "seven", "seven"),
        (77, "", "seventy_seven", "seventy-seven"),
        (30, "", "thirty", "thirty"),
        (200, "", "two_hundred", "two-hundred"),
        (201, "", "", "int"),
        (1 << 40, "large_number", "large_number", "large-number"),
        (float("nan"), "nan", "nan", "nan"),
        (2.5, "", "", "float"),
        (Display("list", ()), "empty_list", "empty_list", "empty-list"),
        (Display("dict", ((1, 2),)), "", "dict_of_one", "dict-of-one"),
        (Named("decimal", "Decimal"), "", "decimal", "decimal"),
        (Made(Named("decimal", "Decimal"), ("1.00",)), "", "one", "one"),
        (Made(Named("decimal", "Decimal"), ("-0.5",)), "negative", "negative", "negative"),
        (Made(Named("decimal", "Decimal"), ("2.5",)), "", "decimal", "decimal"),
        (Display("dict", (("name", 2), ("age", 3))), "", "dict_of_two", "name-age"),
    ],
)
def test_words_of_values(value: Expected, few: str, more: str, case: str) -> None:
    assert (particular(value), detail(value), case_word(value)) == (few, more, case)


@given(some.text(max_size=200), some.integers(0, LONGEST))
def test_pattern_matches_its_message_and_is_short(message: str, longest: int) -> None:
    literal = pattern(message, longest)
    if literal:
        assert len(literal) <= longest
        assert re.search(ast.literal_eval(literal), message)


def test_patterns_are_readable() -> None:
    assert pattern("expected a-b & c (not None)") == r'r"expected a-b & c \(not None\)"'
    assert pattern("plain words\nsecond line") == '"plain words"'
    assert pattern("word " * 50) == '"word word word word word word word word word word word"'
    assert (pattern(""), pattern(" \n"), pattern("\x00")) == ("", "", "")


def printed(source: str) -> str:
    return fingerprint(ast.parse(source).body[0], source)


def test_fingerprint_is_of_the_code_and_its_comments_but_not_of_their_layout() -> None:
    plain = printed("def test_a():\n    assert f('a') == [1, 2]\n")
    assert plain == printed('def test_a():\n  assert f( "a" ) == [\n    1,\n    2,\n  ]\n')
    assert plain == printed("def test_a():\n    assert f('a') == [1, 2]\n\n")
    assert plain != printed("def test_b():\n    assert f('a') == [1, 2]\n")
    assert plain != printed("def test_a():\n    assert f('a') == [1, 3]\n")
    assert plain != printed("def test_a():\n    assert f('a') == [1, 2]  # why\n")


def test_fingerprints_are_read_as_written() -> None:
    prints = [f"{number:08x}" for number in range(20)]
    lines = fingerprint_lines(prints)
    assert all(len(line) <= 88 for line in lines)
    assert known_fingerprints("\n".join(["x = 1", *lines])) == frozenset(prints)
    assert fingerprint_lines([]) == []
