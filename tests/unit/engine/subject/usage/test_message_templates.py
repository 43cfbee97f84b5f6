"""What a message was put together of."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crashwright.engine.subject.usage.message_templates import NOT_FILLED, Filled, filled_in

SOURCE = """
raise E("no account %s in %r, 100%% sure" % (a, b))
raise E("line {}: bad {x!r} value".format(1, x=2))
raise E("cannot load " + name + " from " + str(path))
raise E(f"{value} ends, {part.name} is open")
raise E(f"{value}{other}: {value}")
raise E("{broken".format(1))
"""
NODES = [ast.parse(SOURCE)]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("no account bob in 'x', 100% sure", ("bob", "x")),
        ("line 3: bad 'u' value", ("3", "u")),
        ("cannot load a b from c", ("a b", "c")),
        ("VCARD ends, TEL is open", ("VCARD", "TEL")),
        ("VCARD ends, TEL is open\nNotes follow", ("VCARD", "TEL")),
        (" ends, TEL is open", ("TEL",)),
        ("something else", ()),
        ("a: b", ()),  # two letters fixed are none
        ("", ()),
    ],
)
def test_the_open_parts_of_a_template(message: str, said: tuple[str, ...]) -> None:
    assert filled_in(NODES, message).said == said


def test_what_another_message_has_in_their_place() -> None:
    filled = filled_in(NODES, "VCARD ends, TEL is open")
    assert filled.otherwise(" ends, TEL is open") == [("", "VCARD")]
    assert filled.otherwise("a ends, b is open") == [("a", "VCARD"), ("b", "TEL")]
    assert filled.otherwise("another") == []
    assert NOT_FILLED.otherwise("another") == []


@given(st.text(), st.text())
def test_what_is_filled_in_stands_in_the_message(first: str, second: str) -> None:
    filled = filled_in(NODES, f"{first} ends, {second} is open")
    assert isinstance(filled, Filled)
    assert all(value in f"{first} ends, {second} is open" for value in filled.values)
    if "\n" not in first + second and " ends, " not in first + second and " is open" not in second:
        assert filled.values == (first, second)
