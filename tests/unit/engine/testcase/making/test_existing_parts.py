"""Arguments that are parts of what a test has at hand."""

from __future__ import annotations

import random

from crashwright.engine.testcase.making.existing_parts import existing_part
from crashwright.engine.testcase.statements import Display, FileFixture, Literal, Statement


def parts(*statements: Statement) -> set[object]:
    rng = random.Random(1)
    return {existing_part(statements, rng) for _ in range(400)}


def test_words_of_lines_and_files() -> None:
    assert parts(Literal(0, 'GET "/a:b" 200')) == {"GET", "/a:b", "200", "a", "b"}
    assert parts(FileFixture(0, "data.txt", "one, two\nthree")) == {"one", "two", "three"}


def test_keys_and_values_of_records() -> None:
    record = Display("dict", (("sku", "a-1"), ("count", 3)))
    assert parts(Literal(0, Display("list", (record,)))) == {"sku", "a-1", "count", 3}


def test_nothing_at_hand() -> None:
    assert parts() == parts(Literal(0, 5)) == {None}
