"""What a test of one module may call."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from toy_package import load, unload

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import CalleeKind
from crashwright.engine.subject.api.module_api import callables_of, private_callables_of

FILES = {
    "base": """
        def imported(): return 1
        class Root:
            def drive(self): return self.step()
            def step(self): return 0
            def unrelated(self): return 1
    """,
    "main": """
        import abc, contextlib, dataclasses, enum, functools, typing
        from garden.base import Root, imported

        @functools.lru_cache
        def cached(n): return n
        @contextlib.contextmanager
        def opened(path): yield path
        def counting(n): yield n
        async def fetched(n): return n
        def _helper(n): return n
        def test_cached(): assert cached(1) == 1
        def test_connection(url): return url

        class Plant(abc.ABC):
            @abc.abstractmethod
            def grow(self): ...
            def water(self, litres): return litres

        class Rose(Plant):
            class Thorn:
                def prick(self): return "ouch"
            def grow(self): return 1
            def __len__(self): return 2
            def __eq__(self, other): return self is other
            @property
            def colour(self): return self._colour
            @colour.setter
            def colour(self, value): self._colour = value
            @functools.cached_property
            def age(self): return 3
            @staticmethod
            def prune(): return None
            @classmethod
            def wild(cls): return cls()
            def _secret(self): return None

        class Engine(Root):
            def step(self): return 5

        class _Hidden:
            def shown(self): return 1

        class Shade(enum.Enum):
            DARK = 1
            def darker(self): return self

        class Tone(str, enum.Enum):
            LOW = "low"
            def __format__(self, spec): return "tone"
            @classmethod
            def _missing_(cls, value): return cls.LOW

        class Mark(enum.Flag):
            ONE = 1

        @dataclasses.dataclass(order=True)
        class Bed:
            width: int

        @dataclasses.dataclass(repr=False)
        class Frame:
            width: int
            def __repr__(self): return "a frame"
            @functools.wraps(print)
            def show(self): return 1

        class Shaped(typing.Protocol):
            def area(self) -> int: ...
    """,
}


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiModel]:
    folder: Path = tmp_path_factory.mktemp("garden")
    yield load(folder, "garden", FILES)
    unload("garden")


def _names(api: ApiModel, *names: str) -> list[str]:
    return [callee.qualname for callee in callables_of(api, "garden.main", names)]


def test_decorated_functions_generators_and_coroutines_are_callables(api: ApiModel) -> None:
    assert {"cached", "opened", "counting", "fetched"} <= set(_names(api))


def test_what_is_only_imported_or_private_or_a_protocol_is_left_out(api: ApiModel) -> None:
    found = _names(api)
    assert not {"imported", "_helper", "Root", "Rose._secret", "_Hidden.shown", "Shaped", "Shaped.area"} & set(found)


def test_members_of_all_kinds(api: ApiModel) -> None:
    kinds = {callee.qualname: callee.kind for callee in callables_of(api, "garden.main")}
    assert kinds["Rose.__len__"] is CalleeKind.METHOD
    assert kinds["Rose.__eq__"] is CalleeKind.METHOD
    assert kinds["Rose.colour"] is CalleeKind.PROPERTY
    assert kinds["Rose.age"] is CalleeKind.PROPERTY
    assert kinds["Rose.prune"] is CalleeKind.STATIC
    assert kinds["Rose.wild"] is CalleeKind.CLASSMETHOD
    assert kinds["Rose.Thorn.prick"] is CalleeKind.METHOD
    assert kinds["Shade.darker"] is CalleeKind.METHOD
    assert kinds["Bed"] is CalleeKind.CLASS


def test_what_dataclass_and_enum_put_into_a_class_is_nobodys_work(api: ApiModel) -> None:
    offered = {one.qualname for one in (*callables_of(api, "garden.main"), *private_callables_of(api, "garden.main"))}
    for name, written in (("Tone", {"__format__", "_missing_"}), ("Mark", set()), ("Bed", set()), ("Frame", {"__repr__", "show"})):
        named = {callee.qualname for callee in callables_of(api, "garden.main", (name,))}
        assert named == {name, *(f"{name}.{member}" for member in written)}
        assert {qualname for qualname in offered if qualname.partition(".")[0] == name} == named


def test_abstract_classes_give_their_methods_but_no_constructor(api: ApiModel) -> None:
    found = _names(api)
    assert "Plant" not in found
    assert {"Plant.water", "Rose.water"} <= set(found)


def test_members_inherited_from_another_module_count_where_something_of_that_base_is_overridden(api: ApiModel) -> None:
    found = _names(api)
    assert {"Engine.drive", "Engine.unrelated"} <= set(found)
    assert not [name for name in found if name.startswith("Root.")]


def test_test_functions_in_a_module_are_examples_unless_they_are_named(api: ApiModel) -> None:
    assert "test_cached" not in _names(api)
    assert "test_cached" not in {callee.qualname for callee in api.callables}
    assert "test_connection" in _names(api)
    assert _names(api, "test_cached") == ["test_cached"]


def test_private_ones_are_offered_apart(api: ApiModel) -> None:
    found = {callee.qualname for callee in private_callables_of(api, "garden.main")}
    assert {"_helper", "Rose._secret", "_Hidden", "_Hidden.shown"} <= found
    assert not found & set(_names(api))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("cached", ["cached"]), ("_helper", ["_helper"]), ("Plant.water", ["Plant.water", "Rose.water"]), ("Bed", ["Bed"])],
)
def test_names_confine(api: ApiModel, name: str, expected: list[str]) -> None:
    found = [qualname for qualname in _names(api, name) if "__" not in qualname]
    assert sorted(found) == expected


def test_parts_that_their_package_gave_its_own_name_are_still_of_the_module_they_were_written_in(tmp_path: Path) -> None:
    parts = """
        import functools
        class Lock:
            def acquire(self): return 1
            class Inner:
                def deep(self): return 1
        def sleep(seconds): return seconds
        def logged(function):
            @functools.wraps(function)
            def wrapper(*arguments): return function(*arguments)
            return wrapper
    """
    front = """
        from trellis._parts import Lock, sleep, logged
        for part in (Lock, sleep): part.__module__ = __name__
        @logged
        def own(value): return value
    """
    try:
        api = load(tmp_path, "trellis", {"_parts": parts, "front": front})
        found = {callee.qualname for callee in callables_of(api, "trellis._parts")}
        assert {"Lock", "Lock.acquire", "Lock.Inner.deep", "sleep", "logged"} <= found
        assert [callee.qualname for callee in callables_of(api, "trellis.front")] == ["own"]
    finally:
        unload("trellis")


def test_each_callable_knows_its_codes(api: ApiModel) -> None:
    keys = {callee.qualname: {key.qualname for key in api.keys_of(callee)} for callee in callables_of(api, "garden.main")}
    assert keys["cached"] == {"cached"}
    assert "opened" in keys["opened"]
    assert keys["Rose.colour"] == {"Rose.colour"}
    assert len(api.keys_of(api.member(api.classes_in("garden.main")[0], "colour") or api.callables[0])) >= 1


def test_addresses_are_those_of_the_module_under_test(api: ApiModel) -> None:
    model = ApiModel("garden", ["garden", "garden.base", "garden.main"], "garden.main")
    assert {callee.module for callee in callables_of(model, "garden.main")} == {"garden.main"}


def test_classes_of_the_standard_library_are_where_people_import_them(api: ApiModel) -> None:
    assert api.constructor(io.StringIO).module == "io"
