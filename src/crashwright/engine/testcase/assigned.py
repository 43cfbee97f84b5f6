"""Whether a test may assign to an attribute of an object: the class has one of that name, and says of which type it is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FunctionType
from typing import NamedTuple

from crashwright.engine.subject.api.hints import hint_of
from crashwright.engine.subject.api.types import ANY, Hint
from crashwright.engine.subject.introspection import class_dict, class_module, class_mro, own_annotations, static_attribute
from crashwright.engine.subject.layers import function_of

_OPEN = ("__setattr__", "__getattr__", "__getattribute__")
"""Methods of classes whose objects may have any attribute."""


class Settable(NamedTuple):
    """An attribute that may be assigned. ``declared``: the class says of it which type it has."""

    hint: Hint = ANY
    declared: bool = False


def settable(cls: type, name: str) -> Settable | None:
    """None if the class has no such attribute: it declares none, and none of its methods speaks of one. Classes of the standard
    library and those that make attributes up are not judged."""
    annotation = next((own_annotations(one)[name] for one in class_mro(cls) if name in own_annotations(one)), None)
    if annotation is not None:
        return Settable() if type(annotation) is str else Settable(hint_of(annotation), declared=True)
    known = static_attribute(cls, name)
    if known is not None and type(known[1]) is property:
        return None if known[1].fset is None else Settable()
    if known is not None and function_of(known[1]) is not None:
        return None  # a method
    if known is not None or _is_open(cls) or any(name in function.__code__.co_names for function in _functions(cls)):
        return Settable()
    return None


def _is_open(cls: type) -> bool:
    others = [one for one in class_mro(cls) if one is not object]
    made_up = any(name in class_dict(one) for one in others for name in _OPEN)
    return made_up or any(class_module(one).partition(".")[0] in sys.stdlib_module_names for one in others)


def _functions(cls: type) -> Iterator[FunctionType]:
    for one in class_mro(cls):
        for value in class_dict(one).values():
            function = function_of(value)
            if function is not None:
                yield function
