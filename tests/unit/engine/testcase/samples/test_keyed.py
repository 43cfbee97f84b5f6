from __future__ import annotations

import ast
import configparser
import csv
import io
import json
import tomllib
import urllib.parse
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crashwright.engine.subject.usage.read_records import Reading
from crashwright.engine.subject.usage.shapes import Shape
from crashwright.engine.testcase.samples.keyed import MOST_DOCUMENTS, MOST_VALUES, WRITERS, documents, fields_of, records_like
from crashwright.engine.testcase.statements import Display

LOADER = """
def f(text):
    for row in DictReader(text):
        Status(row["status"]), int(row["count"]), row.get("note")
"""


def texts(style: str, source: str, said: tuple[str, ...] = ()) -> list[str]:
    return list(
        documents(style, Reading(ast.parse(source).body).records(), lambda name: ["open", "done"] * (name == "Status"), said)
    )


def test_a_row_with_all_that_is_read_comes_first() -> None:
    found = texts("CSV", LOADER, ("lost",))
    assert found[0] == "status,count,note\nopen,1,note\n"
    assert found[1] == "status,count\nopen,1\n"
    assert "status,count,note\nlost,1,note\n" in found  # what the report says
    assert "status,count,note\ndone,1,note\n" in found  # another member
    assert "count,note\n1,note\n" in found  # a key that is demanded is missing


def test_a_row_of_json_stands_in_a_list_or_alone() -> None:
    found = [json.loads(text) for text in texts("JSON", LOADER)]
    whole = {"status": "open", "count": "1", "note": "note"}
    assert found[:2] == [[whole], whole]
    assert {**whole, "note": None} in found


def test_no_documents_of_formats_without_keys() -> None:
    assert texts("SQL", LOADER) == []


def test_there_are_not_too_many() -> None:
    many = "def f(a):\n" + "".join(f"    a['k{number}']\n" for number in range(300))
    assert len(texts("TOML", many)) <= MOST_DOCUMENTS


READERS: dict[str, Callable[[str], object]] = {
    "JSON": json.loads,
    "YAML": json.loads,
    "CSV": lambda text: list(csv.reader(io.StringIO(text))),
    "INI": lambda text: configparser.RawConfigParser(strict=False).read_string(text),
    "TOML": tomllib.loads,
    "URL": lambda text: urllib.parse.parse_qs(text.partition("?")[2] or text, strict_parsing=True),
}


@st.composite
def shapes(draw: st.DrawFn, depth: int = 0) -> Shape:
    shape = Shape()
    shape.is_row = draw(st.booleans())
    for key in draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True)):
        part = draw(shapes(depth + 1)) if depth < 2 and draw(st.booleans()) else Shape()
        part.is_optional = draw(st.booleans())
        for value in draw(st.lists(st.sampled_from(["x", 1, 2.5, "a b"]), max_size=2)):
            part.expect(value)
        shape.fields[key] = part
    return shape


@pytest.mark.parametrize("style", WRITERS)
@given(record=shapes())
def test_all_but_empty_ones_are_read_by_their_parsers(style: str, record: Shape) -> None:
    for text in documents(style, [record], lambda _name: [], ["said"]):
        if text and not text.endswith("?"):
            READERS[style](text)


def test_other_delimiters() -> None:
    (record,) = Reading(ast.parse(LOADER).body).records()
    assert next(documents("CSV", [record], lambda _name: (), (), ";")) == "status;count;note\nstatus;1;note\n"


def test_records_are_written_down_as_values() -> None:
    (record,) = Reading(ast.parse("def f(order):\n    for line in order['lines']:\n        line['size']\n").body).records()
    found = list(records_like(record, lambda _name: (), ("lost",)))
    line = Display("dict", (("size", "size"),))
    assert found[0] == Display("dict", (("lines", Display("list", (line,))),))
    assert Display("dict", (("lines", Display("list", (Display("dict", (("size", "lost"),)),))),)) in found
    assert len(found) <= MOST_VALUES + 2
    assert record.fields["lines"].items is not None
    rows = list(records_like(record.fields["lines"], lambda _name: (), ()))
    assert rows[:3] == [Display("list", (line,)), Display("list", (line, line)), Display("list", ())]
    assert Display("list", (line, Display("dict", (("size", None),)))) in rows


def test_what_may_stand_under_each_key() -> None:
    records = Reading(ast.parse(LOADER).body).records()
    found = fields_of(records, lambda name: ["open", "done"] * (name == "Status"), ("lost",))
    assert found == {"status": ("open", "done", "lost"), "count": ("1", "0", "lost"), "note": ("lost",)}
