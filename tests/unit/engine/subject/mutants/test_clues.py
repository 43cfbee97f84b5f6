"""What stands at the place of a mutant is read from the statement around it, or from the head of one with a body."""

from __future__ import annotations

import ast

import pytest

from crashwright.core.location import CodeKey
from crashwright.engine.subject.mutants.clues import Clue, clue_of
from crashwright.engine.subject.mutants.enumeration import Mutator, strong_mutants_of

SOURCE = """
KINDS = {"paid": 1, "open": 2}

def clean(text, amount):
    word = text.strip("-").lower()
    if amount > 20:
        word += "!"
    return KINDS[word]
"""
TREE = ast.parse(SOURCE)
KEY = CodeKey("clues_of", "clean", 4)


@pytest.mark.parametrize(
    ("line", "clue"),
    [
        (5, Clue((("lower", ()), ("strip", ("-",))), ("-",), around=(20,))),
        (6, Clue((), (), (20,), True, (20,))),
        (8, Clue((), ("paid", "open"), around=(20,))),
    ],
)
def test_methods_texts_and_numbers_of_a_line(line: int, clue: Clue) -> None:
    mutator = Mutator(TREE)
    mutants = [one for one in strong_mutants_of(TREE, "clues_of", [KEY]) if one.position.line == line]
    assert mutants
    assert {clue_of(mutator, one, {"KINDS": {"paid": 1, "open": 2}}) for one in mutants} == {clue._replace(within=range(4, 9))}
