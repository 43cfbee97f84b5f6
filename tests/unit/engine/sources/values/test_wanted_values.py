"""Values that a factory is taught for what a whole package wants of parameters."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest

from crashwright.engine.sources.values.wanted_types import WantedTypes, wanted_of
from crashwright.engine.sources.values.wanted_values import demand_of, teach_wants
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.testcase.making.demands import DemandKind
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Literal
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.wants.want import Want

MODULES = {
    "__init__": "",
    "model": """
        class Parcel:
            def __init__(self, mode):
                self.weight = 1
                self.route = mode == "air freight"

            def stamp(self):
                return self.route
    """,
    "desk": """
        from taught_wants import model

        class Desk:
            def send(self, parcel, order):
                parcel.stamp()
                return parcel.weight, record(order)

            def note(self, thing):
                return thing.colour.upper(), thing.shown()["red"]

            def day(self, text):
                return text.startswith("#day ") and text.endswith("!")

        def record(order):
            return order["lines"][0]["sku"].strip(), order["rank"] + 1
    """,
}


@pytest.fixture
def taught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Factory]:
    folder = tmp_path / "taught_wants"
    folder.mkdir()
    for name, text in MODULES.items():
        (folder / f"{name}.py").write_text(dedent(text))
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("taught_wants.desk")
    api = ApiModel("taught_wants", ["taught_wants.model", "taught_wants.desk"])
    entry = tuple(one for one in api.callables if one.qualname.startswith("Desk."))
    factory = Factory(api, SeedPool(), entry)
    teach_wants(factory, WantedTypes(api, wanted_of("taught_wants", ["taught_wants.desk"])), entry, Random(1))
    yield factory
    for name in [one for one in sys.modules if one.partition(".")[0] == "taught_wants"]:
        del sys.modules[name]


def values(factory: Factory, qualname: str, parameter: str) -> list[str]:
    """The values that the parameter is given."""
    callee = next(one for one in factory.api.callables if one.qualname == qualname)
    return [
        repr(last) if isinstance(last := part[-1], Literal) else "".join(print_test(TestCase(part)).body)
        for part in factory.shaped.known(callee, parameter)
    ]


def test_keys_that_any_function_reads_make_records(taught: Factory) -> None:
    first = values(taught, "Desk.send", "order")[0]
    assert all(f"'{key}'" in first for key in ("lines", "sku", "rank"))


def test_what_is_of_a_class_is_left_to_its_constructor_and_that_is_given_what_its_parameters_want(taught: Factory) -> None:
    assert values(taught, "Desk.send", "parcel") == []
    assert any("air freight" in one for one in values(taught, "Parcel", "mode"))


def test_what_no_class_has_is_an_object_with_these_attributes_and_methods(taught: Factory) -> None:
    first = values(taught, "Desk.note", "thing")[0]
    assert "SimpleNamespace(" in first
    assert "colour=" in first
    assert "shown=" in first
    assert '{"red": ' in first


def test_texts_begin_and_end_as_they_are_asked_to(taught: Factory) -> None:
    assert any("#day 1!" in one for one in values(taught, "Desk.day", "text"))


def test_other_types_are_drawn_for_other_values() -> None:
    want = Want(types=((ClassHint(str), 2.0), (ClassHint(list), 1.0)), items=Want(literals=("a",)))
    rng = Random(1)
    assert demand_of(want, rng).kind is DemandKind.TEXT
    kinds = {demand_of(want, rng, is_full=False).kind for _ in range(20)}
    assert kinds == {DemandKind.TEXT, DemandKind.LIST}
