"""Recording values: what code asks of them is known afterwards, by path, also where C code works on them."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from typing import Any

import pytest

from crashwright.engine.execution.recorded_documents import documents_noted
from crashwright.engine.execution.recording import Decided, RecordingSession
from crashwright.engine.testcase.making.demands import Demand, DemandKind, How

ROUNDS = 12


def asked(code: Callable[[Any], object], kind: DemandKind = DemandKind.OPEN, keys: tuple[str, ...] = ()) -> Demand:
    """What ``code`` asks of its argument, as probing runs find it out."""
    demand = Demand("given", 0, kind)
    session = RecordingSession(keys)
    for _ in range(ROUNDS):
        before = demand.size()
        session.begin()
        learnt = False
        try:
            with documents_noted(session):
                code(session.value(demand))
        except Decided:
            learnt = True
        except Exception as error:  # noqa: BLE001 - whatever the code raises is looked at
            learnt = session.refine(error)
        if not learnt and demand.size() == before:
            break
    return demand


def route(scope: Any) -> object:
    for key, value in scope["headers"]:
        if key == b"content-type" and value.startswith(b"parcel/"):
            return scope.get("path")
    return None


def test_keys_items_and_comparisons_are_known_by_path() -> None:
    scope = asked(route)
    assert scope.kind is DemandKind.MAPPING
    headers = scope.keys[str, "headers"]
    assert (headers.kind, headers.items[0].kind, headers.items[0].width) == (DemandKind.LIST, DemandKind.TUPLE, 2)
    key, value = headers.items[0].items
    assert [*key.wanted] == [(How.EQUAL, bytes, b"content-type")]
    assert [*value.wanted] == [(How.STARTS, bytes, b"parcel/")]
    assert [*scope.optional] == [(str, "path")]


def test_documents_are_asked_for_what_is_read_in_them() -> None:
    def stock(answer: Any) -> int:
        page = json.loads(answer.read().decode("utf-8"))
        return sum(item["left"] for item in page["items"]) + page["pages"]

    answer = asked(stock)
    body = answer.attributes["read"].result
    assert body is not None
    assert body.kind is DemandKind.BYTES
    assert body.document is not None
    assert {key for _, key in body.document.keys} == {"items", "pages"}
    [item, *_] = body.document.keys[str, "items"].items
    assert {key for _, key in item.keys} == {"left"}


def test_other_documents_are_read_as_ever() -> None:
    read_before = json.JSONDecoder.decode
    assert asked(lambda given: given["page"] if json.loads('{"a": [1]}') == {"a": [1]} else None).kind is DemandKind.MAPPING
    assert json.JSONDecoder.decode is read_before


def test_attributes_and_results_of_methods_are_known() -> None:
    def price(order: Any) -> object:
        if order.customer.is_known:
            return order.rates.lookup("express").amount * 2
        return None

    order = asked(price)
    assert [*order.attributes] == ["customer", "rates"]
    lookup = order.attributes["rates"].attributes["lookup"]
    assert lookup.kind is DemandKind.CALLABLE
    assert lookup.returned().attributes["amount"].kind is DemandKind.NUMBER


def test_of_two_values_the_one_that_is_a_path_is_a_text() -> None:
    def place(settings: Any) -> object:
        base, options = settings
        return os.path.join(base, options.filename)

    base, options = asked(place).items
    assert (base.kind, options.kind) == (DemandKind.TEXT, DemandKind.OBJECT)
    assert options.attributes["filename"].kind is DemandKind.TEXT


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (lambda value: value.split(","), DemandKind.TEXT),
        (lambda value: value.title, DemandKind.OBJECT),
        (lambda value: "".join([value]), DemandKind.TEXT),
        (lambda value: math.sqrt(value), DemandKind.REAL),
        (lambda value: range(value), DemandKind.NUMBER),
        (lambda value: value + b"x", DemandKind.BYTES),
        (lambda value: value[0], DemandKind.LIST),
        (lambda value: len(value), DemandKind.LIST),
        (lambda value: value(1), DemandKind.CALLABLE),
        (lambda value: value.__enter__(), DemandKind.MANAGER),
        (lambda value: value, DemandKind.OPEN),
    ],
)
def test_what_only_one_kind_can_do_decides(code: Callable[[Any], object], kind: DemandKind) -> None:
    assert asked(code).kind is kind


def test_a_kind_that_lacks_what_is_asked_was_wrong() -> None:
    given = asked(lambda value: value.amount, DemandKind.TEXT)
    assert given.kind is DemandKind.OBJECT
    assert [*given.attributes] == ["amount"]


def test_a_copy_made_by_c_code_tells_by_its_error() -> None:
    assert (str, "rate") in asked(lambda value: dict(value)["rate"], DemandKind.MAPPING).keys

    def unpacked(value: Any) -> object:
        first, second, third = list(value)
        return first, second, third

    assert asked(unpacked, DemandKind.LIST).width == 3


def test_a_mapping_that_is_taken_apart_has_the_arguments_that_a_call_lacks() -> None:
    def make(name: object, *, size: object) -> object:
        return name, size

    assert [*asked(lambda value: make(**value)).keys] == [(str, "name"), (str, "size")]
    assert asked(lambda value: make(value.title)).kind is DemandKind.OBJECT  # type: ignore[call-arg]


def test_a_loop_that_waits_for_ever_is_ended() -> None:
    def waits(value: Any) -> None:
        while value.is_open:
            value = value.parent

    assert DemandKind.NOTHING in {node.kind for node in asked(waits).nodes()}


def test_a_copy_made_around_its_class_asks_nothing() -> None:
    def clone(values: Any) -> object:
        twin = list.__new__(type(values))
        return twin.names

    assert asked(clone, DemandKind.LIST).kind is DemandKind.LIST


def test_a_method_called_with_nothing_is_no_method_of_a_dict() -> None:
    demand = asked(lambda queue: queue.get().weight + queue.count)
    assert demand.kind is DemandKind.OBJECT
    assert {*demand.attributes} == {"get", "count"}
    assert [*demand.attributes["get"].returned().attributes] == ["weight"]
    assert asked(lambda order: order.get("weight")).kind is DemandKind.MAPPING
    assert asked(lambda order: order.get(key="weight")).kind is DemandKind.MAPPING
    assert asked(lambda order: order.keys()).kind is DemandKind.MAPPING


def test_a_mapping_that_is_gone_through_has_the_keys_of_the_tables_of_handlers() -> None:
    def cut(options: Any) -> object:
        for tool, how in options["tools"].items():
            if tool != options["tools"]["skipped"]:
                return TOOLS[tool](how)
        return None

    handlers = {"$cut": cut}
    TOOLS: dict[str, Callable[[Any], object]] = {"saw": lambda how: how["teeth"] + 1}

    def process(steps: Any, **keywords: Any) -> None:
        for step in steps:
            for name, options in iter(step.items(**keywords)):
                handlers[name](options)

    steps = asked(process, keys=("$cut", "saw"))
    [step] = steps.items
    assert (steps.kind, step.kind, [*step.keys]) == (DemandKind.LIST, DemandKind.MAPPING, [(str, "$cut")])
    tools = step.keys[str, "$cut"].keys[str, "tools"]
    assert tools.keys[str, "saw"].keys[str, "teeth"].kind is DemandKind.NUMBER
    # Without them there is one key, so that what is done with the value is known.
    assert [*asked(lambda given: [value.lower() for value in given.values()], DemandKind.MAPPING).keys] == [(str, "1")]
    assert not asked(dict, DemandKind.MAPPING).keys


def test_methods_that_are_fetched_for_later_say_the_kind() -> None:
    def gather(parts: Any) -> None:
        add = parts.append
        add(1)

    assert asked(gather).kind is DemandKind.LIST
    assert asked(lambda order: (order.customer, [order.items][0]())).kind is DemandKind.OBJECT
