"""What is read of a package: the types and parts of parameters that nothing annotates, across calls, classes and modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from crashwright.engine.wants.reading.package import files_of, near
from crashwright.engine.wants.reading.trees import type_name
from crashwright.engine.wants.want import Want
from crashwright.engine.wants.wanted import NOTHING, Wanted

Reader = Callable[..., Want]


def written(folder: Path, modules: Mapping[str, str]) -> Wanted:
    package = folder / "bakery"
    package.mkdir()
    (package / "__init__.py").write_text("")
    for name, text in modules.items():
        (package / f"{name}.py").write_text(dedent(text))
    return Wanted(files_of(str(package), "bakery"), is_live=False)


def likeliest(want: Want) -> str:
    return type_name(want.types[0][0]) if want.types else ""


def ways(want: Want) -> dict[str, str]:
    return {path: likeliest(part) for path, part in want.paths()}


def test_keywords_that_a_base_stores_are_wanted_with_the_keys_that_a_subclass_reads(tmp_path: Path) -> None:
    wanted = written(
        tmp_path,
        {
            "base": """
                class Base:
                    def __init__(self, **kwargs):
                        self.options = kwargs.get("options")
            """,
            "oven": """
                from bakery.base import Base

                class Oven(Base):
                    def __init__(self, **kwargs):
                        super().__init__(**kwargs)
                        self.enabled = self.options["json"]["format"] == "compact"
            """,
        },
    )
    want = wanted.parameter("bakery.oven", "Oven.__init__", "kwargs")
    found = ways(want)
    assert found["['options']['json']['format']"] == "str"
    assert dict(want.paths())["['options']['json']['format']"].literals == ("compact",)
    lines = [str(fact.origin) for fact in dict(want.paths())["['options']['json']"].facts if fact.kind == "key"]
    assert any(line.endswith("oven.py:7") for line in lines)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return loaf.weigh(3)", "Loaf"),
        ("return weighed(loaf)", "Loaf"),
        ("return weighed(loaf=loaf)", "Loaf"),
        ("return functools.partial(weighed, loaf)", "Loaf"),
        ("return TABLE['weigh'](loaf)", "Loaf"),
        ("self = Shelf()\n    self.best = loaf", "Loaf"),
        ("return loaf.upper()", "str"),
        ("return os.path.join('a', loaf)", "str"),
        ("return loaf is None or isinstance(loaf, Shelf)", "Shelf"),
        ("return loaf == 3", "int"),
        ("if loaf is None:\n        loaf = {}", "dict"),
        ("loaf = loaf or []\n    loaf.append(1)", "list"),
        ("match loaf:\n        case Shelf():\n            return 1", "Shelf"),
    ],
)
def test_a_parameter_wants_what_is_done_with_it_wherever_it_goes(tmp_path: Path, body: str, expected: str) -> None:
    wanted = written(
        tmp_path,
        {
            "loaves": f"""
import functools
import os

class Loaf:
    def weigh(self, factor):
        return factor

class Shelf:
    def __init__(self):
        self.best = Loaf()

def weighed(loaf):
    return loaf.weigh(1)

TABLE = {{"weigh": weighed}}

def take(loaf):
    {body}
""",
        },
    )
    # Called otherwise than the class, so that no name tells.
    renamed = (tmp_path / "bakery" / "loaves.py").read_text().replace("loaf", "it")
    (tmp_path / "bakery" / "loaves.py").write_text(renamed)
    assert likeliest(wanted.parameter("bakery.loaves", "take", "it")) == expected


def test_call_sites_defaults_and_docstrings_tell_types(tmp_path: Path) -> None:
    wanted = written(
        tmp_path,
        {
            "counting": '''
                from enum import Enum

                class Grain(Enum):
                    RYE = 1

                def count(a, b=4, *, c="x"):
                    """Count.

                    :param a: what
                    :type a: bytes
                    """

                def mill(grain, speed):
                    pass

                mill(Grain.RYE, 2.5)
            ''',
        },
    )
    types = {name: likeliest(wanted.parameter("bakery.counting", "count", name)) for name in "abc"}
    assert types == {"a": "bytes", "b": "int", "c": "str"}
    assert likeliest(wanted.parameter("bakery.counting", "mill", "grain")) == "Grain"
    assert likeliest(wanted.parameter("bakery.counting", "mill", "speed")) == "float"


def test_what_texts_are_split_at_and_parsed_as_is_told(tmp_path: Path) -> None:
    wanted = written(
        tmp_path,
        {
            "lines": """
                import datetime
                import json

                def read(line, when, text):
                    day, amount = line.split(";")
                    if line.startswith("#"):
                        return None
                    return datetime.datetime.strptime(when, "%Y-%m"), json.loads(text)
            """,
        },
    )
    assert wanted.parameter("bakery.lines", "read", "line").texts == (("split", ";"), ("prefix", "#"))
    assert wanted.parameter("bakery.lines", "read", "when").texts == (("format", "%Y-%m"),)
    assert wanted.parameter("bakery.lines", "read", "text").texts == (("parser", "json.loads"),)


def test_fields_of_records_are_told_for_constructors_that_nobody_wrote(tmp_path: Path) -> None:
    wanted = written(
        tmp_path,
        {
            "records": """
                from dataclasses import dataclass
                from typing import Any

                @dataclass
                class Order:
                    name: Any
                    amount: Any = 1

                def make():
                    return Order("roll", 2).name.strip()
            """,
        },
    )
    assert type_name(wanted.field("bakery.records", "Order", "name")[0][0]) == "str"
    assert type_name(wanted.field("bakery.records", "Order", "amount")[0][0]) == "int"


def test_what_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    wanted = written(tmp_path, {"broken": "def f(:", "good": "def f(a):\n    return a\n"})
    assert wanted.parameter("bakery.broken", "f", "a") is NOTHING
    assert not wanted.parameter("bakery.nowhere", "f", "a")
    assert wanted.names("bakery.good", "f") == ("a",)


def test_circles_end(tmp_path: Path) -> None:
    wanted = written(
        tmp_path,
        {
            "circle": """
                class A(A): pass

                def f(x):
                    y = g(x)
                    x.next = y
                    return f(x.next)

                def g(x):
                    return f(x)
            """,
        },
    )
    assert "next" in dict(wanted.parameter("bakery.circle", "f", "x").attributes)


def test_near_modules_are_read_first() -> None:
    files = [("p.a", "1"), ("p.b.c", "2"), ("p.b.d", "3"), ("p", "4")]
    assert [name for name, _ in near(files, ["p.b.d"])] == ["p.b.d", "p.b.c", "p.a", "p"]


FIGURES = """
    import functools

    class Circle:
        def __init__(self, radius):
            self.radius = radius

    class Square:
        pass
"""


@pytest.mark.parametrize(
    ("body", "function", "expected"),
    [
        pytest.param(
            """
            @functools.singledispatch
            def area(shape):
                raise TypeError(shape)

            @area.register(Circle)
            def _(shape):
                return shape.radius

            @area.register
            def _(shape: Square):
                return 1
            """,
            "area",
            {"Circle", "Square"},
            id="singledispatch",
        ),
        pytest.param(
            """
            @functools.singledispatch
            def area(shape):
                raise TypeError(shape)

            @area.register(Circle)
            def _(shape):
                return shape.radius

            def total(shape):
                return area(shape) + 1
            """,
            "total",
            {"Circle"},
            id="what calls one that dispatches",
        ),
        pytest.param(
            """
            @handles(Square)
            def drawn(figure):
                print(figure)
            """,
            "drawn",
            {"Square"},
            id="registered for a type",
        ),
        pytest.param(
            """
            def shown(node):
                if isinstance(node, Circle):
                    return node.radius
                elif isinstance(node, (Square, str)):
                    return 2
            """,
            "shown",
            {"Circle", "Square", "str"},
            id="branches by type",
        ),
        pytest.param(
            """
            def shown(value):
                match value:
                    case Circle(radius=radius):
                        return radius
                    case {"name": name}:
                        return name
            """,
            "shown",
            {"Circle", "dict"},
            id="patterns",
        ),
    ],
)
def test_types_that_code_tells_apart_are_all_wanted(tmp_path: Path, body: str, function: str, expected: set[str]) -> None:
    wanted = written(tmp_path, {"figures": dedent(FIGURES) + dedent(body)})
    name = wanted.names("bakery.figures", function)[0]
    assert {type_name(hint) for hint, _ in wanted.parameter("bakery.figures", function, name).types} == expected


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("TABLE = {'grid': cells, 'line': points}\n\ndef called(kind, record):\n    TABLE[kind](record)", id="indexed"),
        pytest.param(
            "TABLE = {'grid': cells, 'line': points}\n\ndef called(kind, record):\n    TABLE.get(kind, cells)(record)", id="get"
        ),
        pytest.param(
            """
class Drawing:
    def __init__(self):
        self.table = {"grid": self.cells, "line": self.points}

    def cells(self, item):
        return item["cells"]

    def points(self, item):
        return item["points"].split(",")

    def draw(self, kind, record):
        return self.table[kind](record)
""",
            id="of methods",
        ),
    ],
)
def test_a_table_of_functions_wants_what_they_all_want(tmp_path: Path, body: str) -> None:
    functions = "def cells(item):\n    return item['cells']\n\ndef points(item):\n    return item['points'].split(',')\n\n"
    wanted = written(tmp_path, {"layouts": functions + body})
    function = "Drawing.draw" if "class" in body else "called"
    assert {key for key, _ in wanted.parameter("bakery.layouts", function, "record").keys} == {"cells", "points"}


def test_modules_of_wanted_classes_are_named_with_what_their_constructors_take(tmp_path: Path) -> None:
    wanted = written(
        tmp_path,
        {
            "stops": "class Stop:\n    def __init__(self, name):\n        self.name = name\n",
            "routes": """
                class Routes:
                    def __init__(self, first: "Stop"):
                        self.first = first

                    def of(self, number):
                        return number
            """,
            "planner": """
                class Planner:
                    def __init__(self, routes):
                        self.routes = routes

                    def late(self, number):
                        return self.routes.of(number)
            """,
        },
    )
    assert wanted.homes([("bakery.planner", "Planner.late")]) == ["bakery.routes", "bakery.stops"]
