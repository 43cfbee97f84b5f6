"""Programs in tests are laid out as people write them, where a test has any."""

from __future__ import annotations

import pytest

from crashwright.engine.testcase.editing.laid_out import laid_out
from crashwright.engine.testcase.statements import FileFixture, Literal
from crashwright.engine.testcase.testcase import TestCase


def test_a_program_gets_a_line_for_each_statement() -> None:
    test = TestCase((Literal(1, "try:s\nexcept(l,t()):p"), FileFixture(2, "data.py", "if a:b;c")))
    wanted = (Literal(1, "try:\n    s\nexcept (l, t()):\n    p\n"), FileFixture(2, "data.py", "if a:\n    b\n    c\n"))
    assert laid_out(test).statements == wanted
    assert laid_out(laid_out(test)).statements == wanted
    assert laid_out(test, {1, 2}) is test


@pytest.mark.parametrize("value", ["a;b", "x=1", "", "try:", "lambda:0", "\x00", "\ud800", b"if a:b", 1])
def test_any_other_text_is_left_as_it_is(value: object) -> None:
    test = TestCase((Literal(1, value),))  # type: ignore[arg-type]
    assert laid_out(test) is test
