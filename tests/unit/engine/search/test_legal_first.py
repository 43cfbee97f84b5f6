from __future__ import annotations

from crashwright.engine.search.algorithm import Scored
from crashwright.engine.search.legal_first import FRUITLESS, LegalFirst
from crashwright.engine.testcase.testcase import TestCase

HALF = FRUITLESS // 2


def note(turns: LegalFirst, count: int, fitness: float = 5.0, novel: bool = False) -> bool:
    return turns.note([Scored(TestCase(()), fitness, 1, novel) for _ in range(count)])


def test_legal_arguments_are_tried_as_long_as_they_bring_something() -> None:
    turns = LegalFirst()
    assert all(note(turns, FRUITLESS, 5.0 - turn) for turn in range(3))
    assert all(note(turns, FRUITLESS, novel=True) for _ in range(3))
    assert turns.note([])


def test_then_it_is_the_turn_of_illegal_ones_and_theirs_again() -> None:
    turns = LegalFirst()
    assert [note(turns, HALF) for _ in range(8)] == [True, True, False, False, True, True, False, False]
    assert not note(turns, HALF, 4.0)
    assert not note(turns, HALF)
    assert note(turns, HALF)
