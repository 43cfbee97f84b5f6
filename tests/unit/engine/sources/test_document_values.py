"""Documents have what is needed and one place more, with an odd value there."""

from __future__ import annotations

import ast

from crashwright.engine.sources.document_values import (
    DeniedKey,
    DocumentPlace,
    denies_more,
    diagonal,
    least,
    option_words,
    places_of,
    with_value,
    words_near,
)
from crashwright.engine.testcase.making.demands import Demand, DemandKind
from crashwright.engine.testcase.statements import Display


def table(*, walked: bool = False) -> Demand:
    """``tool.shop`` is there or not, ``name`` is needed in it."""
    root = Demand(kind=DemandKind.MAPPING)
    tool = root.key("tool")
    tool.kind = DemandKind.MAPPING
    shop = tool.key("shop", optional=True)
    shop.kind, shop.is_walked = DemandKind.MAPPING, walked
    shop.key("name")
    shop.key("limit", optional=True)
    return root


def test_what_was_asked_last_is_the_first_place() -> None:
    keys = [place.keys for place in places_of(table(), ())]
    assert keys == [("tool", "shop", "limit"), ("tool", "shop", "name"), ("tool", "shop"), ("tool",)]


def test_mappings_that_are_gone_through_may_have_any_key() -> None:
    keys = [place.keys for place in places_of(table(walked=True), ["line-length"])]
    assert ("tool", "shop", "line-length") in keys
    assert ("tool", "line-length") not in keys


def test_the_least_is_what_is_needed() -> None:
    assert [*least(table()).keys[str, "tool"].keys] == []
    shop = least(table(), ("tool", "shop", "limit")).keys[str, "tool"].keys[str, "shop"]
    assert [*shop.keys] == [(str, "name"), (str, "limit")]


def test_a_value_is_put_where_nothing_was() -> None:
    whole = Display("dict", (("a", 1),))
    assert with_value(whole, ("b", "c"), None) == Display("dict", (("a", 1), ("b", Display("dict", (("c", None),)))))
    assert with_value(whole, ("a",), 2) == Display("dict", (("a", 2),))
    assert with_value(Display("list", (1, 2)), (0,), "x") == Display("list", ("x", 2))


def test_the_first_of_both_come_first() -> None:
    places = [DocumentPlace(("a",)), DocumentPlace(("b",))]
    assert [(place.keys[0], value) for place, value in diagonal(places, [1, 2])] == [("a", 1), ("a", 2), ("b", 1), ("b", 2)]


def test_a_key_without_which_more_is_asked_is_no_longer_needed() -> None:
    root = Demand(kind=DemandKind.MAPPING)
    root.key("tool")
    denied: list[DeniedKey] = []
    assert denies_more(root, denied)
    assert root.absent == {(str, "tool")}
    root.key("project")  # what the program asks for instead
    denies_more(root, denied)
    assert (str, "tool") in root.optional


def test_a_key_without_which_nothing_else_is_asked_is_there_again() -> None:
    root = Demand(kind=DemandKind.MAPPING)
    root.key("tool")
    denied: list[DeniedKey] = []
    assert denies_more(root, denied)
    assert not denies_more(root, denied)
    assert (root.absent, root.optional) == (set(), {})


def test_words_of_the_line_are_nearest() -> None:
    function = ast.parse("def check(options):\n    if options.convention:\n        return options['limit']\n").body[0]
    near = words_near([(function, 3)])
    assert near["limit"] == near["options"] == 0
    assert near["convention"] == 1


def test_options_are_read_where_they_are_declared() -> None:
    assert list(option_words([ast.parse("add('--fail-under', '-f', type=int)")])) == ["fail-under"]
