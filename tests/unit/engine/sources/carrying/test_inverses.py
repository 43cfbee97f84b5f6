"""What undoes the conversions of a function, by names."""

from __future__ import annotations

import ast
import json
import sys
from types import ModuleType

import pytest

from crashwright.engine.sources.carrying.inverses import inverse_names, inverses
from crashwright.engine.subject.api.callee import CalleeKind

SOURCE = """
import json
import codecs


class Frame:
    @classmethod
    def from_bytes(cls, data): ...
    def to_bytes(self): ...


def parse_order(text): ...
def format_order(order): ...
def accept(text):
    helper = len(text)
    return parse_order(text), json.loads(text), codecs.decode(text), unknown(text), text.decode(), Frame.from_bytes(text)
"""


@pytest.mark.parametrize(
    ("name", "inverse"),
    [
        ("loads", "dumps"),
        ("parse_order", "format_order"),
        ("from_dict", "to_dict"),
        ("parseOrder", "formatOrder"),
        ("read", "write"),
        ("unpack_from", "pack_from"),
    ],
)
def test_names_that_belong_together(name: str, inverse: str) -> None:
    assert inverse in inverse_names(name)


def test_a_word_within_another_is_none() -> None:
    assert not list(inverse_names("already"))


@pytest.fixture
def orders(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType("orders")
    exec(SOURCE, module.__dict__)
    monkeypatch.setitem(sys.modules, "orders", module)
    return module


def test_those_of_the_same_module_or_class_that_exist(orders: ModuleType) -> None:
    node = ast.parse(SOURCE).body[-1]
    found = inverses(node, "orders", lambda _value: None)
    assert {(one.module, one.qualname, one.kind) for one in found} == {
        ("orders", "format_order", CalleeKind.FUNCTION),
        ("json", "dumps", CalleeKind.FUNCTION),
        ("codecs", "encode", CalleeKind.FUNCTION),
    }
    assert {one.live for one in found} >= {orders.format_order, json.dumps}


def test_none_without_a_tree(orders: ModuleType) -> None:
    assert inverses(None, "orders", lambda _value: None) == []
