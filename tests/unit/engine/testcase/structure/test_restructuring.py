"""Edits of the structure of texts, and how tests come to them."""

from __future__ import annotations

import random

from crashwright.engine.testcase.editing.text_crossover import exchange_texts
from crashwright.engine.testcase.making.text import mutate_text
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import FileFixture, Literal
from crashwright.engine.testcase.structure.restructuring import exchanged, restructured
from crashwright.engine.testcase.testcase import TestCase

MARKUP = "<list><item>one</item><item>two</item></list>"
RECORDS = "name = alpha\nsize = 3\n[part]\ncolour = red\n"
CODE = "def f(x):\n    if x:\n        return [1, 2]\n"


def edits(text: str, other: str = "") -> set[str]:
    """What 4000 edits make of a text."""
    return {restructured(random.Random(seed), text, lambda: other) for seed in range(4000)}


def test_elements_are_dropped_doubled_nested_emptied_and_exchanged() -> None:
    made = edits(MARKUP)
    assert "<list><item>two</item></list>" in made
    assert "<list><item>one</item><item>one</item><item>two</item></list>" in made
    assert "<list><item><item>one</item></item><item>two</item></list>" in made
    assert "<list><item></item><item>two</item></list>" in made
    assert "<list><item>two</item><item>one</item></list>" in made
    assert "<item>one</item><item>two</item>" in made
    assert "<list><item>one</item><item>two</list>" in made


def test_keys_and_values_change_places() -> None:
    made = edits(RECORDS)
    assert "name = 3" in {text.split("\n")[0].replace("  ", " ") for text in made}
    assert RECORDS.replace("size", "name") in {text.replace("  ", " ") for text in made}
    assert "name = alpha\n[part]\ncolour = red\n" in made


def test_blocks_go_deeper() -> None:
    made = edits(CODE)
    assert CODE + CODE in made
    assert "def f(x):\n" in made
    assert any(text.startswith("    def f(x):\n        if x:\n") for text in made)


def test_units_of_another_text_are_taken() -> None:
    made = edits(MARKUP, "<other>three</other>")
    assert "<list><item>one</item><other>three</other></list>" in made


def test_crossover_exchanges_units() -> None:
    pairs = {exchanged(random.Random(seed), "f(a)", "g[b]") for seed in range(300)}
    assert ("f[b]", "g(a)") in pairs


def test_tests_exchange_parts_of_their_texts() -> None:
    one = TestCase((Literal(0, 7), Literal(1, "f(a)")))
    other = TestCase((Literal(2, "g[b]"),))
    made = [crossed for seed in range(300) if (crossed := exchange_texts(one, other, random.Random(seed)))]
    assert ((Literal(0, 7), Literal(1, "f[b]")), (Literal(2, "g(a)"),)) in [(a.statements, b.statements) for a, b in made]
    files = TestCase((FileFixture(0, "a", b"x,y"),))
    crossed = exchange_texts(files, TestCase((Literal(1, b"\xff"), Literal(2, b"z\xfe"))), random.Random(1))
    assert crossed is not None
    assert all(test.is_valid() for test in crossed)
    assert exchange_texts(one, files, random.Random(1)) is None


def test_only_a_pool_that_says_so_edits_by_structure() -> None:
    """Values of a search without this mechanism are drawn as they were."""

    def drawn(structured: bool) -> list[str]:
        pool = SeedPool(structured=structured)
        return [mutate_text(random.Random(seed), MARKUP, pool) for seed in range(300)]

    def whole(texts: list[str]) -> int:
        items = "<list><item>two</item></list>", "<list><item>one</item></list>"
        return sum(text in items for text in texts)

    assert whole(drawn(True)) > whole(drawn(False))
