"""Texts spelled with the vocabulary of a parser, and a small parser whose crash takes such a text."""

from __future__ import annotations

import ast
import random

from crashwright.engine.search.seeding import add_vocabulary
from crashwright.engine.subject.usage.vocabulary import Vocabulary
from crashwright.engine.testcase.making.text import random_text
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.structure.spelling import spelled_text

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
