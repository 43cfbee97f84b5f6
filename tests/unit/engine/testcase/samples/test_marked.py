"""Documents with the elements and attributes that code asks for."""

from __future__ import annotations

from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crashwright.engine.subject.usage.elements import Element
from crashwright.engine.testcase.samples.marked import MOST_DOCUMENTS, element_documents

LINK = Element("link", ("rel", "target"), True)
MENU = Element("menu", (), False)
NAMES = st.sampled_from(["a", "b-c", "d.e", "_f", "g1"])
WITHIN = st.lists(NAMES, max_size=2).map(tuple)
ATTRIBUTES = st.lists(NAMES, unique=True, max_size=5).map(tuple)
ELEMENTS = st.lists(st.builds(Element, NAMES, ATTRIBUTES, st.booleans(), WITHIN), max_size=8)


def test_the_whole_element_comes_first_then_something_is_missing_or_empty() -> None:
    found = list(element_documents("XML", [MENU, LINK]))
    assert found[:2] == ['<link rel="text" target="1">text</link>', '<alpha><link rel="text" target="1">text</link></alpha>']
    early = found[:30]
    assert '<link target="1">text</link>' in early
    assert '<alpha><link rel="" target="1">text</link></alpha>' in early
    assert '<link rel="text" target="1"></link>' in early
    assert '<menu><link rel="text" target="1">text</link></menu>' in found
    assert found.index("<menu>text</menu>") > found.index("<link>text</link>")


def test_html_has_attributes_without_a_value_and_elements_that_nothing_closes() -> None:
    found = list(element_documents("HTML", [LINK]))
    assert '<link rel target="1">text</link>' in found
    assert "<link>text" in found
    assert not any("alpha" in text for text in found)


def test_an_element_stands_where_it_is_looked_for() -> None:
    found = list(element_documents("XML", [Element("box", ("weight",), False, ("shelf", "tray"))]))
    assert found[1] == '<alpha><shelf><tray><box weight="text">text</box></tray></shelf></alpha>'
    assert found[3] == "<alpha><shelf><tray><box>text</box></tray></shelf></alpha>"


def test_other_formats_have_no_elements() -> None:
    assert list(element_documents("JSON", [LINK])) == []
    assert list(element_documents("XML", [])) == []


@given(ELEMENTS)
def test_documents_of_xml_are_well_formed_but_for_what_stands_side_by_side(elements: list[Element]) -> None:
    found = list(element_documents("XML", elements))
    assert len(found) <= MOST_DOCUMENTS + 1
    assert len(set(found)) == len(found)
    for text in found:
        if not text.startswith("<alpha>"):
            continue
        assert ElementTree.fromstring(text).tag == "alpha"


class Inventory(HTMLParser):
    """A made-up subject: it does not expect an attribute without a value."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Reads one element."""
        given = dict(attrs)
        if tag == "part" and "number" in given:
            self.label = given["number"].strip()  # type: ignore[union-attr]


def test_a_reader_that_expects_a_value_meets_an_attribute_without_one() -> None:
    documents = "".join(element_documents("HTML", [Element("part", ("number",), True)]))
    with pytest.raises(AttributeError):
        Inventory().feed(documents)
