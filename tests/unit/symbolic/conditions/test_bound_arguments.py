"""Calls whose arguments do not fit: the crash is the call's own, and its condition how many are passed."""

from __future__ import annotations

from textwrap import dedent

import pytest
from walked import loaded, of_level, target_of, walked

from crashwright.engine.goals.crash.precondition import distance

SOURCE = """
class Shelf:
    def __init__(self, width, height):
        self.width = width

def area(width, height):
    return width * height

def f(values, table):
    return {call}
"""
CASES = {
    "missing one of several": ("area(*values)", "[1], {}", ("[1, 2], {}", "[], {}")),
    "too many": ("area(*values)", "[1, 2, 3], {}", ("[1, 2], {}", "[1], {}")),
    "of a constructor": ("Shelf(*values)", "[1], {}", ("[1, 2], {}",)),
    "a keyword that is not there": ("area(1, **table)", "[], {'depth': 2}", ("[], {'height': 2}",)),
}


@pytest.mark.parametrize("name", CASES)
def test_it_says_what_is_passed(name: str) -> None:
    call, crashing, others = CASES[name]
    source = dedent(SOURCE.format(call=call))
    with pytest.raises(TypeError) as caught:
        eval(f"f({crashing})", vars(loaded(source)))
    found = of_level(walked(source, target_of(caught.value))[0], 1)
    assert found
    assert all(one.is_known for one in found)
    for arguments in (crashing, *others):
        values, table = eval(arguments)
        assert (distance(found, {"values": values, "table": table}) == 0) is (arguments == crashing)


def test_a_call_that_never_fits_fails_whenever_it_is_come_to() -> None:
    source = "def g(a, b):\n    return a\n\ndef f(x):\n    if x > 3:\n        return g(x)\n"
    with pytest.raises(TypeError) as caught:
        loaded(source).f(4)
    found = of_level(walked(source, target_of(caught.value))[0], 1)
    assert [distance(found, {"x": x}) == 0 for x in (4, 3)] == [True, False]
    assert all(one.is_known for one in found)
