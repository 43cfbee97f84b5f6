"""Literals of a test where something else is asked for, exchanged for plain values of what is asked for.

A search finds that a list does where a number is meant, and nothing in a goal says that it should not. A reader does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from crashwright.engine.subject.api.types import ChoiceHint, ClassHint, Hint, UnionHint
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.legality import misplaced_literals
from crashwright.engine.testcase.statements import Display, Value, Variable
from crashwright.engine.testcase.testcase import TestCase

_PLAIN: dict[type, tuple[Value, ...]] = {
    str: ("a", ""),
    int: (1, 0),
    float: (1.0, 0.0),
    bytes: (b"a", b""),
    bool: (True, False),
    list: (Display("list", ()),),
    tuple: (Display("tuple", ()),),
    set: (Display("set", ()),),
    dict: (Display("dict", ()),),
    type(None): (None,),
}


def lawful(test: TestCase) -> Iterator[TestCase]:
    """All such literals exchanged at once, with something and then with nothing in them; then each alone."""
    wrong = dict(misplaced_literals(test))
    values = {variable: plain for variable, hint in wrong.items() if (plain := tuple(_plain(hint, test, variable)))}
    if not values:
        return
    for choose in (0, -1):
        yield _exchanged(test, {variable: plain[choose] for variable, plain in values.items()})
    if len(values) > 1:
        for variable, plain in values.items():
            for value in plain:
                yield _exchanged(test, {variable: value})


def _plain(hint: Hint, test: TestCase, variable: Variable) -> Iterator[Value]:
    held = next((one.value for one in test.statements if isinstance(one, st.Literal) and one.variable == variable), None)
    for member in hint.members if isinstance(hint, UnionHint) else (hint,):
        if isinstance(member, ClassHint):
            if type(held) is bool and member.cls in (int, float):
                yield member.cls(held)
            yield from _PLAIN.get(member.cls, ())
        elif isinstance(member, ChoiceHint):
            yield from (cast(Value, choice) for choice in member.values if type(choice) is str or type(choice) is int)


def _exchanged(test: TestCase, values: Mapping[Variable, Value]) -> TestCase:
    return TestCase(
        tuple(
            st.Literal(one.variable, values[one.variable]) if isinstance(one, st.Literal) and one.variable in values else one
            for one in test.statements
        )
    )
