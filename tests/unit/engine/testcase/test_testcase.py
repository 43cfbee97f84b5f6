"""What a test knows of itself from one look at its statements."""

from __future__ import annotations

from crashwright.engine.testcase.statements import Display, Iterate, Literal
from crashwright.engine.testcase.testcase import TestCase


def test_kinds_and_characters() -> None:
    statements = (Literal(0, "abc"), Literal(1, b"xy"), Literal(2, Display("list", ("hidden",))), Iterate(3, 2, "list"))
    test = TestCase(statements)
    assert test.characters() == 5
    assert test.kinds() == (str, bytes, Display, Iterate)
    assert TestCase(statements).kinds() == test.kinds()
    assert TestCase(()).kinds() == ()
    assert TestCase(()).characters() == 0


def test_keys_tell_equal_values_of_other_types_apart() -> None:
    keys = {TestCase((Literal(0, value),)).key() for value in (1, True, 1.0, "1", b"1")}
    assert len(keys) == 5
    assert TestCase((Literal(0, 1),)).key() == TestCase((Literal(0, 1),)).key()
