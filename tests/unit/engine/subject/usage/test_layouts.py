"""Layouts of binary data, from the source that reads them."""

from __future__ import annotations

import ast
import struct

import pytest

from crashwright.engine.subject.usage.layouts import Layout, layout_of, layouts_in


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        (">HI", Layout("big", (2, 4))),
        ("<2sBq", Layout("little", (2, 1, 8))),
        ("!3B", Layout("big", (1, 1, 1))),
        ("4x", Layout("little", (1, 1, 1, 1))),
        ("", None),
        (">", None),
        ("hello", None),
        ("%s", None),
        (">P", None),
    ],
)
def test_formats(text: str, layout: Layout | None) -> None:
    assert layout_of(text) == layout


SOURCE = """
def read(data):
    kind, size = struct.unpack(">BH", data[:3])
    if data[4] == 1:
        return int.from_bytes(data[8:12], "little")
    return data[3:size]
"""


def test_source_says_formats_numbers_and_bounds() -> None:
    module = ast.parse(SOURCE)
    found = layouts_in([module.body[0]], [module], [{}])
    assert Layout("big", (1, 2)) in found
    assert Layout("little", (4,)) in found
    assert Layout("big", (3, 1, 1, 3, 4)) in found


def test_compiled_formats_and_those_of_classes_are_found() -> None:
    class Header:
        hdr_format = "!HH"
        title = "a title"

    module = ast.parse("HEAD = struct.Struct('<I')\nclass Header: pass\n")
    found = layouts_in([], [module], [{"HEAD": struct.Struct("<I"), "OTHER": struct.Struct("<Q"), "Header": Header}])
    assert Layout("little", (4,)) in found
    assert Layout("big", (2, 2)) in found
    assert Layout("little", (8,)) not in found


def test_where_nothing_is_binary_an_index_is_no_field() -> None:
    module = ast.parse("def f(items):\n    return items[2:5]\n")
    assert layouts_in([module.body[0]], [module], [{}]) == []
