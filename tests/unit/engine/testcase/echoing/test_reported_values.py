"""Local values of a report as arguments of the entry, against a small made-up package."""

from __future__ import annotations

import ast
import random
import sys
import types
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.sources.values.origin import REPORTED
from crashwright.engine.sources.values.seeding import fill_pool, reported_seeds
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.echoing.repr_source import parse_repr
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool

DEPOT = """
import enum
from dataclasses import dataclass


class Kind(enum.Enum):
    COLD = 1


@dataclass
class Lot:
    code: str
    weight: int = 0


class Depot:
    def __init__(self, lots):
        self.lots = lots

    def rate(self, lot, zone, /, factor=1, *more, **options):
        return lot


def pack(node, kind=None):
    return node
"""


@pytest.fixture
def api() -> Iterator[ApiModel]:
    module = types.ModuleType("reported_depot")
    sys.modules["reported_depot"] = module
    exec(compile(DEPOT, "reported_depot.py", "exec"), vars(module))
    yield ApiModel("reported_depot", ["reported_depot"])
    del sys.modules["reported_depot"]


def target(function: str, **local_values: str) -> CrashTarget:
    frame = TargetFrame(CodeKey("reported_depot", function, 1), "/x/reported_depot.py", 2, "", None, True, 0, local_values)
    return CrashTarget("reported_depot", "ValueError", "", (frame,))


def calls(api: ApiModel, entry: str, wanted: CrashTarget) -> list[str]:
    callee = next(
        one
        for one in [
            *api.callables,
            *(method for cls in api.callables if isinstance(cls.live, type) for method in api.methods_of(cls.live)),
        ]
        if one.qualname == entry
    )
    factory = Factory(api, SeedPool(), (callee,))
    found = reported_seeds(wanted, NameChain(api, (callee,)), factory, random.Random(1))
    assert all(echo.test.is_valid() for echo in found)
    return ["\n".join(print_test(echo.test).body) for echo in found]


def test_arguments_are_those_of_the_frame(api: ApiModel) -> None:
    shown = {
        "lot": "Lot(code='x\\n', weight=3)",
        "zone": "('NX', b'1')",
        "factor": "-2",
        "more": "(1, None)",
        "options": "{'a': 1.5}",
    }
    texts = calls(api, "Depot.rate", target("Depot.rate", self="<reported_depot.Depot object at 0x7f1>", other="9", **shown))
    assert texts
    for text in texts:
        assert 'Lot(code="x\\n", weight=3)' in text
        assert ".rate(" in text
        assert '("NX", b"1"), -2, 1, None, a=1.5)' in text


def test_objects_become_instances_of_their_class_and_members_of_enums_are_named(api: ApiModel) -> None:
    texts = calls(api, "pack", target("pack", node="<reported_depot.Lot object at 0x7f1>", kind="<Kind.COLD: 1>"))
    assert texts
    assert all("Lot(" in text and "Kind.COLD" in text for text in texts), texts


def test_class_is_built_with_the_values_of_its_init(api: ApiModel) -> None:
    assert (
        "Depot([1, 2])"
        in calls(api, "Depot", target("Depot.__init__", self="<reported_depot.Depot object at 0x7f>", lots="[1, 2]"))[0]
    )


def test_other_frames_help_where_the_entry_has_none(api: ApiModel) -> None:
    assert "pack({1: 2}" in calls(api, "pack", target("Depot._inner", node="{1: 2}"))[0]
    assert calls(api, "pack", target("Depot._inner", nothing="{1: 2}")) == []


def test_calls_of_functions_in_a_repr_are_not_made(api: ApiModel) -> None:
    for text in calls(api, "pack", target("pack", node="[eval('1'), system('x'), open('/etc/passwd')]")):
        assert not any(name in text for name in ("eval", "system", "open", "passwd"))


def test_values_and_their_parts_are_seeds() -> None:
    pool = SeedPool()
    fill_pool(
        pool, target("f", a="{'odd': [17, 'inner']}", b="<Node name='quoted' size=41>", c="cut off ["), [], [], [], random.Random(1)
    )
    for value in ("odd", "inner", "quoted"):
        assert value in pool.strings
        assert pool.origin(value) == REPORTED
    assert 17 in pool.ints
    assert 41 in pool.ints


literals = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(), inner)
        | st.sets(st.integers() | st.text(), min_size=1)
    ),
    max_leaves=12,
)


@given(literals)
def test_reprs_of_literals_are_read_exactly(value: object) -> None:
    found = parse_repr(repr(value))
    assert found is not None
    assert eval(compile(ast.Expression(ast.fix_missing_locations(found.tree)), "", "eval")) == value
    assert found.classes == {}


@given(st.text(alphabet="<>'\"\\ab.([{}]),:=0x 1"))
def test_any_text_can_be_read(text: str) -> None:
    parse_repr(text)


@pytest.mark.parametrize(
    ("text", "source", "classes"),
    [
        ("[1, 2, ...]", "[1, 2]", []),
        ("<pkg.mod.Node object at 0x7f12ab>", "object_0", ["pkg.mod.Node"]),
        ("{'a': <Node 'x' <y>>, 'b': '<z>'}", "{'a': object_0, 'b': '<z>'}", ["Node"]),
        ("<class 'pkg.Shape'>", "pkg.Shape", []),
        ("[<Color.RED: 1>, <Flag.A|B: 3>]", "[Color.RED, object_0]", [""]),
        ("<function f.<locals>.g at 0x7f>", "object_0", ["function"]),
        ("deque([1], maxlen=3)", "collections.deque([1], maxlen=3)", []),
        ("dict_keys(['a'])", "['a']", []),
        ("PosixPath('/x')", "pathlib.Path('/x')", []),
        ("f(1)", "f(1)", []),
        ("len(1)", "object_0", ["len"]),
    ],
)
def test_forms(text: str, source: str, classes: list[str]) -> None:
    found = parse_repr(text)
    assert found is not None
    assert ast.unparse(found.tree) == source
    assert len(found.classes) == len(classes)
    assert all(name in ("", printed) or printed == "" for name, printed in zip(found.classes.values(), classes, strict=True))
