"""What a search takes from what a whole package wants: types of parameters, modules to be loaded, and records."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from crashwright.engine.sources.values.wanted_types import WantedTypes, shape_of, unloaded_homes, wanted_of
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.usage.shapes import Shape
from crashwright.engine.testcase.samples.keyed import records_like
from crashwright.engine.testcase.statements import Display, Value
from crashwright.engine.wants.want import Want

MODULES = {
    "__init__": "",
    "model": """
        class Routes:
            def of(self, number):
                return None
    """,
    "planner": """
        class Planner:
            def __init__(self, routes):
                self.routes = routes

            def late(self, options):
                return self.routes.of(1), self.named(options)

            def named(self, options):
                return options["title"]["text"].strip(), options["rank"] + 1
    """,
}


@pytest.fixture
def planner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A package of which nothing but one module is loaded."""
    folder = tmp_path / "wanted_trips"
    folder.mkdir()
    for name, text in MODULES.items():
        (folder / f"{name}.py").write_text(dedent(text))
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("wanted_trips.planner")
    yield "wanted_trips.planner"
    for name in [one for one in sys.modules if one.partition(".")[0] == "wanted_trips"]:
        del sys.modules[name]


def test_the_module_of_a_wanted_class_is_named_as_long_as_nothing_has_loaded_it(planner: str) -> None:
    wanted = wanted_of("wanted_trips", [planner])
    places = [(planner, "Planner.late")]
    assert unloaded_homes(wanted, places) == ["wanted_trips.model"]
    importlib.import_module("wanted_trips.model")
    assert unloaded_homes(wanted, places) == []


def test_a_class_that_was_loaded_for_it_is_what_the_parameter_takes(planner: str) -> None:
    wanted = wanted_of("wanted_trips", [planner])
    wanted.homes([(planner, "Planner.late")])
    model = importlib.import_module("wanted_trips.model")
    api = ApiModel("wanted_trips", ["wanted_trips.model", planner])
    callee = next(one for one in api.callables if one.qualname == "Planner")
    assert WantedTypes(api, wanted).hints(callee, "routes")[0] == (ClassHint(model.Routes), 3.0)


def test_keys_that_others_read_make_a_record_of_a_parameter(planner: str) -> None:
    api = ApiModel("wanted_trips", [planner])
    callee = next(one for one in api.callables if one.qualname == "Planner.late")
    shapes = dict(WantedTypes(api, wanted_of("wanted_trips", [planner])).records(callee))
    assert next(iter(records_like(shapes["options"], lambda _name: [], ()))) == Display(
        "dict", (("title", Display("dict", (("text", "text"),))), ("rank", 1))
    )


def first(shape: Shape) -> Value:
    return next(iter(records_like(shape, lambda _name: [], ())))


@pytest.mark.parametrize(
    ("want", "expected"),
    [
        pytest.param(Want(keys=(("a", Want(literals=("json",))),)), Display("dict", (("a", "json"),)), id="literal"),
        pytest.param(
            Want(items=Want(keys=(("a", Want(types=((ClassHint(float), 1.0),))),))),
            Display("list", (Display("dict", (("a", 1.5),)),)),
            id="items",
        ),
        pytest.param(
            Want(keys=(("day", Want(texts=(("format", "%d.%m.%Y"),))),)), Display("dict", (("day", "02.01.2020"),)), id="format"
        ),
    ],
)
def test_a_want_is_written_down_as_a_record(want: Want, expected: Value) -> None:
    assert first(shape_of(want)) == expected
