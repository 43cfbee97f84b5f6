"""Programs are edited by their expressions, and stay programs."""

from __future__ import annotations

import ast
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as some

from crashwright.engine.testcase.making.text import mutate_text
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.structure.program_edits import edited_program

SHELF = "with shelf(key) as book:\n    print(book.title)\n"


def _reads(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def test_an_expression_is_changed_and_most_results_are_programs() -> None:
    rng = Random(1)
    edited = [edited_program(rng, SHELF) for _ in range(300)]
    assert sum(text is not None and _reads(text) for text in edited) > 200
    assert {
        "with shelf(key).alpha as book:\n    print(book.title)\n",
        "with shelf(key) as book:\n    print(book.title[0])\n",
    } <= set(edited)
    assert all(text is not None and text.startswith("with ") for text in edited)


@pytest.mark.parametrize("text", ["", "pass\n", "with shelf(", "# nothing\n", "'é' + alpha", "alpha\x00", "alpha;" * 1000])
def test_what_is_no_program_or_has_no_expression_is_left_alone(text: str) -> None:
    assert edited_program(Random(1), text) is None


@given(some.text(alphabet="ab=()[]{}'\".,:#\\\n\r\x0c f1", max_size=30), some.integers(0, 9))
def test_of_any_text_something_is_made_or_nothing(text: str, seed: int) -> None:
    assert type(edited_program(Random(seed), text)) in (str, type(None))


@given(some.sampled_from(["\n", "\r\n", "\r", "\n\x0c\n"]), some.integers(0, 200))
def test_lines_are_counted_as_the_parser_counts_them(end: str, seed: int) -> None:
    text = end.join(["alpha = 1", "beta = gamma", ""])
    edited = edited_program(Random(seed), text)
    assert edited is not None
    assert "alpha = 1" in edited or "beta = gamma" in edited


def test_texts_are_edited_so_where_the_subject_reads_programs() -> None:
    def changed(programs: bool) -> int:
        pool = SeedPool(structured=True)
        pool.programs = programs
        rng = Random(1)
        return len({text for _ in range(400) if _reads(text := mutate_text(rng, SHELF, pool))})

    assert changed(True) > changed(False) + 30
