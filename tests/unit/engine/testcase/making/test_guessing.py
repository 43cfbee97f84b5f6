"""What the names of untyped parameters say."""

from __future__ import annotations

from crashwright.engine.subject.api.types import ClassHint, TypeHint
from crashwright.engine.testcase.making.guessing import NameModel


class SchemaNode: ...


class OtherShelf: ...


class WideShelf: ...


def test_a_class_is_asked_for_by_the_end_of_its_name() -> None:
    names = NameModel([SchemaNode, OtherShelf, WideShelf])
    assert names.said("node_class") == TypeHint(SchemaNode)
    assert names.said("schema_node_cls") == TypeHint(SchemaNode)
    assert names.said("wide_shelf_type") == TypeHint(WideShelf)
    assert names.said("schema_node") == ClassHint(SchemaNode)


def test_of_several_classes_none_is_asked_for() -> None:
    said = NameModel([SchemaNode, OtherShelf, WideShelf]).said
    assert said("shelf_class") is None
    assert said("content_type") is None
