"""What a constructor that takes any keywords stores: the attributes that its class declares, as mapped classes do.

An annotation such as ``Mapped[date]``, where the attribute itself is an instance of ``Mapped``, speaks of the descriptor: what an
object holds there is the argument.
"""

from __future__ import annotations

import collections.abc
import typing
from collections.abc import Callable, Iterator
from types import MemberDescriptorType

from crashwright.engine.subject.api.callee import Parameter, ParameterKind
from crashwright.engine.subject.api.hints import HintScope, evaluate, hint_of
from crashwright.engine.subject.api.types import ANY, ClassHint, Hint, UnionHint, is_any
from crashwright.engine.subject.introspection import (
    class_dict,
    class_module,
    class_mro,
    derives,
    is_class,
    loaded_dict,
    own_annotations,
)

_COLLECTIONS = (list, set, frozenset, dict, tuple, collections.abc.Collection)


def declared_fields(cls: type, find_class: Callable[[str], object | None]) -> tuple[Parameter, ...]:
    """One keyword for each attribute that ``cls`` and its bases declare: what may be None, and collections, need not be passed."""
    found: dict[str, Parameter] = {}
    for parent in reversed(class_mro(cls)):
        if class_module(parent).partition(".")[0] != class_module(cls).partition(".")[0]:
            continue
        scope = HintScope(loaded_dict(class_module(parent)), parent, find_class)
        for name, hint, declared in _fields(parent, scope):
            required = declared and not _may_be_left_out(hint)
            found[name] = Parameter(name, ParameterKind.KEYWORD_ONLY, hint, required, None, declared and not is_any(hint))
    return tuple(found.values())


def _fields(cls: type, scope: HintScope) -> Iterator[tuple[str, Hint, bool]]:
    annotations = own_annotations(cls)
    for name, annotation in annotations.items():
        if not name.startswith("_") and not _is_of_class(annotation):
            yield name, _held(annotation, class_dict(cls).get(name), scope), True
    for name, value in class_dict(cls).items():
        if name not in annotations and not name.startswith("_") and _stores(value):
            yield name, ANY, False


def _is_of_class(annotation: object) -> bool:
    if type(annotation) is str:
        return "ClassVar" in annotation
    return _is_generic(annotation) and typing.get_origin(annotation) is typing.ClassVar


def _is_generic(annotation: object) -> bool:
    """Whether it is an object of the standard library, which can be asked."""
    return class_module(type(annotation)) in ("typing", "types")


def _held(annotation: object, attribute: object, scope: HintScope) -> Hint:
    try:
        live = evaluate(annotation, scope) if type(annotation) is str else annotation
    except SyntaxError:
        return ANY
    origin, arguments = (typing.get_origin(live), typing.get_args(live)) if _is_generic(live) else (None, ())
    if len(arguments) == 1 and is_class(origin) and _stores(attribute) and derives(type(attribute), origin):
        return hint_of(arguments[0], scope)
    return hint_of(live, scope)


def _stores(value: object) -> bool:
    """Whether it is a descriptor that keeps what is assigned, and no property or slot."""
    if type(value) is property or type(value) is MemberDescriptorType:
        return False
    names = {name for parent in class_mro(type(value))[:-1] for name in class_dict(parent)}
    return {"__get__", "__set__"} <= names


def _may_be_left_out(hint: Hint) -> bool:
    if isinstance(hint, UnionHint):
        return any(_may_be_left_out(member) for member in hint.members)
    return isinstance(hint, ClassHint) and (hint.cls is type(None) or any(hint.cls is one for one in _COLLECTIONS))
