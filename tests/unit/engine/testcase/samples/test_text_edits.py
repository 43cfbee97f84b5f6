from __future__ import annotations

import itertools

import pytest

from crashwright.engine.testcase.samples.text_edits import LONGEST, TOKEN, edits


@pytest.mark.parametrize(
    "made",
    [
        pytest.param("a[1", id="cut off"),
        pytest.param("a;1]", id="a token exchanged for a word"),
        pytest.param("[1]", id="a token left out"),
        pytest.param("a[[1]", id="a token doubled"),
        pytest.param("a1[]", id="neighbours exchanged"),
        pytest.param("a[0]", id="another number"),
        pytest.param("a]", id="two tokens left out"),
        pytest.param("a[1][1]", id="three tokens doubled"),
        pytest.param("a[[[1]", id="many of one"),
        pytest.param("a; [1]", id="a word put in"),
    ],
)
def test_every_small_edit_is_among_them(made: str) -> None:
    assert made in set(edits("a[1]", ["; ", ";"]))


def test_numbers_keep_their_digits_too() -> None:
    assert {"a-0000", "a-9999", "a-0"} <= set(edits("a-2031"))


def test_lines_of_others_are_put_in() -> None:
    found = list(edits("a\nb\n", others=["b\nc"]))
    assert {"c\na\nb\n", "a\nc\nb\n", "a\nb\nc\n"} <= set(found)


def test_words_come_to_the_beginnings_of_lines_first() -> None:
    assert "a\n#b\n" in list(itertools.islice(edits("a\nb\n", ["#"]), 10))


def test_the_text_itself_is_none_of_its_edits_and_none_is_longer_than_allowed() -> None:
    text = "x " * LONGEST
    found = list(itertools.islice(edits(text), 3000))
    assert all(len(one) <= LONGEST for one in found)
    assert "aa" not in list(edits("aa"))


def test_tokens_make_up_the_whole_text() -> None:
    text = "a_1 = [é]\n\t-2.5"
    assert "".join(TOKEN.findall(text)) == text
