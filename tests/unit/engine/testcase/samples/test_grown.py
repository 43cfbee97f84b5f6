"""Documents of the trees that code goes through."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from crashwright.engine.subject.usage.element_trees import MOMENT, NUMBER, TEXT, Leaf, Tree
from crashwright.engine.testcase.samples.grown import MOST_DOCUMENTS, tree_documents

LINE = Tree("{urn:x}line", (("count", Leaf(NUMBER)),), children=(Tree("{urn:x}price", text=Leaf(NUMBER)),))
ORDER = Tree("", children=(Tree("{urn:x}head", text=Leaf()), LINE))
TAGS = st.sampled_from(["", "a", "b-c", "{urn:x}d", "{urn:y}e"])
VALUES = st.lists(st.sampled_from(["x", "<&'\""]), max_size=2).map(tuple)
LEAVES = st.builds(Leaf, st.sampled_from([TEXT, NUMBER, MOMENT]), VALUES, VALUES)
ATTRIBUTES = st.lists(st.tuples(st.sampled_from(["a", "b", "{urn:x}c"]), LEAVES), max_size=3, unique_by=lambda one: one[0]).map(
    tuple
)
TREES = st.recursive(
    st.builds(Tree, TAGS, ATTRIBUTES, st.none() | LEAVES, st.just(())),
    lambda inner: st.builds(Tree, TAGS, ATTRIBUTES, st.none() | LEAVES, st.lists(inner, max_size=3).map(tuple)),
    max_leaves=6,
)


def test_the_whole_document_comes_first_then_one_thing_is_missing_or_odd() -> None:
    found = list(tree_documents("XML", [ORDER]))
    line = '<line count="1"><price>1</price></line>'
    assert found[0] == f'<alpha xmlns="urn:x"><head>text</head>{line}</alpha>'
    assert f'<alpha xmlns="urn:x"><head/>{line}</alpha>' in found[:8]
    assert '<alpha xmlns="urn:x"><head>text</head><line><price>1</price></line></alpha>' in found[:8]
    assert '<alpha xmlns="urn:x"><head>text</head><line count="1"><price>1,5</price></line></alpha>' in found
    assert f'<alpha xmlns="urn:x"><head>text</head>{line}{line}</alpha>' in found
    assert f'<alpha xmlns="urn:x"><head>text</head>{line}<line><price>1</price></line></alpha>' in found


def test_no_markup_no_documents() -> None:
    assert list(tree_documents("JSON", [ORDER])) == []


@given(st.lists(TREES, max_size=3))
def test_all_are_well_formed_and_no_two_the_same(trees: list[Tree]) -> None:
    found = list(tree_documents("XML", trees))
    for text in found:
        ElementTree.fromstring(text)
    assert len(found) == len(set(found)) <= MOST_DOCUMENTS
