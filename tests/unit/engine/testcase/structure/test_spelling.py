"""Texts spelled with the vocabulary of a parser, and a small parser whose crash takes such a text."""

from __future__ import annotations

import ast
import random
import re

from crashwright.engine.sources.values.seeding import add_vocabulary
from crashwright.engine.subject.usage.vocabulary import Vocabulary
from crashwright.engine.testcase.making.text import random_text
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.structure.spelling import marks_in, spelled_text

PARSER = """
def parse(text):
    depth = 0
    for index, mark in enumerate(text):
        if mark == "\\u00ab":
            depth += 1
        elif mark == "\\u00bb":
            depth -= 1
        elif mark == "\\u00a6" and text[index + 1].isdigit() and depth == 1:
            return text.index("\\u2020")
"""


def test_pieces_are_of_the_vocabulary() -> None:
    texts = [spelled_text(random.Random(seed), Vocabulary(("->", "%%"), ("01",))) for seed in range(200)]
    assert sum("->" in text or "%%" in text for text in texts) > 120
    assert any("->%%0" in text for text in texts)
    assert all(set(text) <= set("->%01ab \n") for text in texts)
    assert all(spelled_text(random.Random(seed), Vocabulary((), ())) for seed in range(20))


def test_a_path_that_compares_characters_is_given_them() -> None:
    function = ast.parse(PARSER).body[0]
    space: dict[str, object] = {}
    exec(PARSER, space)

    def crashes(pool: SeedPool) -> int:
        count = 0
        for seed in range(4000):
            try:
                space["parse"](random_text(random.Random(seed), pool))  # type: ignore[operator]
            except ValueError:
                count += 1
            except IndexError:
                pass
        return count

    spelling = SeedPool(structured=True)
    add_vocabulary(spelling, [function])
    assert crashes(spelling) > 0 == crashes(SeedPool())


MANY_MARKS = tuple("!#$%&*+,-./:;<=>?@[]^_`{|}~")


def fails(text: str) -> bool:
    """A made-up parser of runs of marks: it fails at a third run of one between two of another."""
    return re.search(r"([^\w\s])\1*(?!\1)([^\w\s])\2*\1+\2+\1", text) is not None


def test_a_few_pieces_meet_again_and_again() -> None:
    texts = [spelled_text(random.Random(seed), Vocabulary(MANY_MARKS, ())) for seed in range(2000)]
    assert sum(map(fails, texts)) > 40
    assert sum(len(set(text)) > 8 for text in texts) > 40  # others have many different ones


def test_marks_are_how_lines_begin_and_what_stands_between_words() -> None:
    found = marks_in(["> one\n  two\n\n- three (four)", "- 1. five", "x" * 500 + "@"]).strings
    assert found[0] == "- "
    assert set(found) == {"> ", "\n", "  ", "\n\n", "- ", "(", ")", "1. "}


def test_new_texts_are_spelled_with_the_marks_of_formats_in_sight() -> None:
    pool = SeedPool(structured=True)
    pool.marks = marks_in(["\u00ab one \u00bb\n\u2020 two"])
    texts = [random_text(random.Random(seed), pool) for seed in range(400)]
    assert sum("\u00ab" in text or "\u2020" in text for text in texts) > 20
