"""Documents become smaller by elements, attributes, keys and items."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crashwright.engine.testcase.editing.simpler_documents import simpler_documents

LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=4)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3))


def test_of_markup_elements_attributes_and_texts_go_and_names_stay() -> None:
    found = list(simpler_documents('<shop><item price="12" tax="7">tea</item><end/></shop>') or ())
    assert '<item price="12" tax="7">tea</item>' in found
    assert "<shop><end/></shop>" in found
    assert '<shop><item price="12">tea</item><end/></shop>' in found
    assert '<shop><item price="" tax="7">tea</item><end/></shop>' in found
    assert '<shop><item price="12" tax="7"/><end/></shop>' in found
    for text in found:
        assert {one.tag for one in ElementTree.fromstring(text).iter()} <= {"shop", "item", "end"}


def test_of_json_keys_and_items_go() -> None:
    found = [json.loads(one) for one in simpler_documents('{"name": "ann", "sizes": [12, 3]}') or ()]
    assert {"name": "ann"} in found
    assert {"sizes": [12, 3]} in found
    assert {"name": "ann", "sizes": [3]} in found
    assert {"name": "", "sizes": [12, 3]} in found


def test_of_tables_rows_columns_and_cells_go() -> None:
    found = list(simpler_documents("day;who;size\n2026-10-01;;77\n2026-10-02;x;0\n") or ())
    assert "day;who;size\n2026-10-02;x;0\n" in found
    assert "who;size\n;77\nx;0\n" in found
    assert "day;who;size\n2026-10-01;;1\n2026-10-02;x;0\n" in found
    assert "day;who;size\n2026-10-01;;77\n2026-10-02;who;0\n" in found
    assert all(set(one.splitlines()[0].split(";")) <= {"day", "who", "size"} for one in found)
    assert list(simpler_documents("who,size\nwho,1") or ()) == ["who,size", "size\n1", "who\nwho", "who,size\nwho,size"]


@pytest.mark.parametrize("text", ["a,b", "a,b\n1,2,3", "1,2\n3,4", 'a,b\n"1",2', "a b\nc d"])
def test_what_is_no_table(text: str) -> None:
    assert simpler_documents(text) is None


@pytest.mark.parametrize(
    "text", ["", "a < b", "<a>", "<a></b>", "<a/><b/>", "<!-- x --><a/>", "</a>", "12", '"a"', "[1", "{a}", "x<a/>"]
)
def test_other_texts_are_none(text: str) -> None:
    assert simpler_documents(text) is None


@given(VALUES)
def test_what_becomes_simpler_ends(value: object) -> None:
    steps = 0
    text = json.dumps([value])
    while (found := next(iter(simpler_documents(text) or ()), None)) is not None:
        text, steps = found, steps + 1
        assert steps < 200
