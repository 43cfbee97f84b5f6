"""Looks that no object can answer: each is given one that raises wherever it is asked."""

from __future__ import annotations

import functools
import sys
import types
from pathlib import Path

import pytest

from crashwright.core.messages import Failed
from crashwright.engine.subject.importing import import_subject
from crashwright.engine.subject.introspection import (
    abstract_methods,
    attribute_of,
    class_home,
    class_module,
    class_name,
    derives,
    identities,
    instance_dict,
    instance_of,
    is_callable,
    is_class,
    is_module,
    is_protocol,
    is_sound,
    live_at,
    loaded_dict,
    loaded_module,
    loaded_names,
    module_dict,
    own_annotations,
    text,
)
from crashwright.engine.subject.layers import can_be_set, function_of, layers_of


class Raised(BaseException):
    """No Exception, so that no broad handler helps by accident."""


class Closed:
    """Raises at every question that goes through the object."""

    def __getattribute__(self, name):
        raise Raised(name)

    __eq__ = __hash__ = __bool__ = __len__ = __iter__ = __repr__ = __getattribute__  # type: ignore[assignment]


class ClosedMeta(type):
    def __getattribute__(cls, name):
        raise Raised(name)

    def __hash__(cls):
        raise Raised("hash")

    def __eq__(cls, other):
        raise Raised("eq")

    def __instancecheck__(cls, instance):
        raise Raised("instancecheck")

    def __subclasscheck__(cls, other):
        raise Raised("subclasscheck")


class Base:
    def method(self):
        return 1


@pytest.fixture
def closed_class() -> type:
    """Not of the module, whose names pytest looks at."""
    namespace = {"__module__": __name__, "__annotations__": {"annotated": int}}
    return type.__call__(ClosedMeta, "ClosedClass", (Base,), namespace)


class Lying:
    __class__ = type  # type: ignore[assignment]


def test_the_class_decides_and_not_what_the_object_says(closed_class):
    assert not is_class(Lying())
    assert not is_class(Closed())
    assert is_class(closed_class)
    assert not is_module(Closed())
    assert instance_of(object.__new__(closed_class), Base)
    assert derives(closed_class, Base)
    assert not derives(Base, closed_class)
    assert not instance_of(1, closed_class)
    assert id(type(object.__new__(closed_class))) not in identities(int, str)
    assert not is_callable(Closed())
    assert is_callable(closed_class)


def test_a_class_is_asked_by_the_slots_of_the_interpreter(closed_class):
    assert class_name(closed_class) == "ClosedClass"
    assert class_module(closed_class) == __name__
    assert class_home(closed_class) == __name__
    assert dict(own_annotations(closed_class)) == {"annotated": int}
    assert attribute_of(closed_class, "method") is Base.method
    assert not is_protocol(closed_class)
    assert abstract_methods(closed_class) == frozenset()


def test_only_a_class_that_works_as_a_key_is_sound(closed_class):
    class Counting(type):
        def __hash__(cls):
            return 1

        def __eq__(cls, other):
            return cls is other

    assert is_sound(Base)
    assert is_sound(Counting("Own", (), {}))
    assert is_sound(type("Abstract", (), {}))
    assert not is_sound(closed_class)


def test_a_name_that_is_none_is_no_name():
    odd = type("Odd", (), {"__module__": Closed(), "method": Base.method, "__annotations__": 5})
    assert class_module(odd) == ""
    assert dict(own_annotations(odd)) == {}
    assert text(Closed()) == ""


def test_instances_show_their_own_dictionary_alone():
    class Hidden:
        __dict__ = property(lambda self: 1 / 0)  # type: ignore[assignment]

    class Kept(Closed):
        pass

    kept = object.__new__(Kept)
    assert instance_dict(kept) == {}
    assert instance_dict(Hidden()) == {}
    assert instance_dict(Closed()) == {}
    assert attribute_of(Closed(), "x", "none") == "none"


def test_modules_are_what_they_are(monkeypatch):
    class Lazy(types.ModuleType):
        def __getattribute__(self, name):
            raise Raised(name)

    lazy = Lazy("lookedat.lazy")
    module_dict(lazy)["x"] = 1
    monkeypatch.setitem(sys.modules, "lookedat.lazy", lazy)
    monkeypatch.setitem(sys.modules, "lookedat.none", Closed())
    monkeypatch.setitem(sys.modules, 5, Closed())
    assert loaded_module("lookedat.lazy") is lazy
    assert loaded_module("lookedat.none") is None
    assert loaded_names("lookedat") == ["lookedat.lazy", "lookedat.none"]
    assert loaded_dict("lookedat.lazy") == module_dict(lazy)
    assert loaded_dict("lookedat.none") == loaded_dict("lookedat.never") == {}
    assert attribute_of(lazy, "x") == 1
    assert module_dict(Closed()) == {}
    assert live_at("lookedat.lazy", "x", "none") == "none", "a test could not read it either"
    assert live_at("os", "path.join") is __import__("os").path.join


def test_layers_end_at_a_proxy():
    def wrapper():
        return 1

    wrapper.__wrapped__ = Closed()  # type: ignore[attr-defined]
    assert list(layers_of(wrapper)) == [wrapper]
    for around in (functools.partial, staticmethod, property):
        inner = type("Callable", (), {"__call__": lambda self: 1})()
        assert function_of(around(inner)) is None
    assert function_of(Closed()) is None
    assert not can_be_set(property(wrapper))


@pytest.mark.parametrize(
    "error",
    [
        "class Odd(Exception):\n    def __str__(self): raise LookupError\nraise Odd",
        "class Odd(Exception):\n    __class__ = property(lambda self: 1 / 0)\nraise Odd",
        "class Odd(BaseException):\n    def __getattribute__(self, name): raise LookupError\nraise Odd",
    ],
)
def test_an_import_may_fail_with_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: str):
    (tmp_path / "failing_oddly.py").write_text(error)
    monkeypatch.setattr(sys, "path", [*sys.path])
    problem = import_subject(["failing_oddly"], (str(tmp_path),))
    assert isinstance(problem, Failed)
    assert problem.text.startswith("the import of failing_oddly failed: Odd")
