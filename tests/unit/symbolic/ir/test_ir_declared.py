"""What a file declares, as it is written."""

from __future__ import annotations

from textwrap import dedent

from crashwright.core.location import CodeKey
from crashwright.symbolic.ir.functions import functions_of
from crashwright.symbolic.ir.nodes import Constant, Imported

SOURCE = dedent(
    """
    import os.path as path
    from . import base
    from .base import Plain as P
    LIMIT = -3
    NAMES = ("a", "b")
    changing = 1
    changing = 2
    shared = None
    if path:
        def helper(): pass

    def writes():
        global shared
        shared = 1

    @register
    class Shelf(P, base.Other, metaclass=Meta):
        size: int = 3
        kind = "shelf"

        def __init__(self, slots: list[int], label=None):
            self.slots = slots
            self.__label, self.rest = label, 0
            self.count: int = 0

        @property
        def label(self): return self.__label

        @label.setter
        def label(self, value): self.__label = value

        @staticmethod
        def of(x): x.nothing = 1

        @classmethod
        def empty(cls): return cls([])

        def add(self):
            self.count += 1
    """
)
FUNCTIONS = functions_of(SOURCE, "pkg.shelf")


def test_globals_are_told_by_what_binds_them() -> None:
    known = FUNCTIONS.globals
    assert known.constants == {"LIMIT": Constant(-3), "NAMES": Constant(("a", "b"))}
    assert known.imports == {
        "path": Imported("os.path"),
        "base": Imported("", "base", 1),
        "P": Imported("base", "Plain", 1),
    }
    assert set(known.functions) == {"helper", "writes"}
    assert known.classes == {"Shelf": CodeKey("pkg.shelf", "Shelf", 17)}
    assert set(known.variables) == {"changing", "shared"}


def test_a_class_has_methods_attributes_and_fields() -> None:
    shelf = FUNCTIONS.classes["Shelf"]
    assert (shelf.bases, shelf.keywords, shelf.decorators) == (("P", "base.Other"), {"metaclass": "Meta"}, ("register",))
    assert {name: method.form for name, method in shelf.methods.items()} == {
        "__init__": "method",
        "label": "property",
        "of": "static",
        "empty": "class",
        "add": "method",
    }
    assert [method.form for method in shelf.accessors] == ["setter"]
    assert (shelf.attributes["size"].annotation, shelf.attributes["kind"].constant) == ("int", Constant("shelf"))
    assert {name: [(one.annotation, one.value) for one in every] for name, every in shelf.fields.items()} == {
        "slots": [("", "slots")],
        "_Shelf__label": [("", ""), ("", "value")],
        "rest": [("", "")],
        "count": [("int", "0"), ("", "1")],
    }
    assert shelf.methods["label"].key.first_line == 27
