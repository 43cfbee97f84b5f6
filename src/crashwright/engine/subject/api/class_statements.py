"""The class statement as a way in: which classes a test derives from, or has instances of in the body of a class, so that a
function runs that Python calls when a class is made (a metaclass's ``__new__``, ``__init_subclass__``, ``__set_name__``)."""

from __future__ import annotations

from typing import NamedTuple

from crashwright.core.location import CodeKey
from crashwright.engine.subject.api.addresses import is_private
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.introspection import class_dict, class_mro, class_qualname
from crashwright.engine.subject.layers import layers_of

_OF_METACLASSES = frozenset({"__new__", "__init__", "__prepare__", "__call__"})
MOST = 20


class Declared(NamedTuple):
    """``bases`` to derive from, the most general ones first; ``held`` are the classes of what a class body is to hold."""

    bases: tuple[type, ...] = ()
    held: tuple[type, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.bases or self.held)


def declared_by(api: ApiModel, key: CodeKey) -> Declared:
    """The classes whose declaration runs the code at ``key``; nothing where no class statement does."""
    name = key.qualname.rpartition(".")[2]
    if name == "__set_name__":
        return Declared(held=_public([cls for cls in api.classes if _has(cls, name, key)]))
    if name == "__init_subclass__":
        return Declared(_public([cls for cls in api.classes if _has(cls, name, key)]))
    if name in _OF_METACLASSES:
        return Declared(_public([cls for cls in api.classes if type(cls) is not type and _has(type(cls), name, key)]))
    return Declared()


def _public(classes: list[type]) -> tuple[type, ...]:
    named = [cls for cls in classes if not is_private(class_qualname(cls))]
    return tuple(sorted(named, key=lambda cls: len(class_mro(cls)))[:MOST])


def _has(cls: type, name: str, key: CodeKey) -> bool:
    """Whether the class defines or inherits it."""
    definer = next((part for part in class_mro(cls) if name in class_dict(part)), None)
    codes = () if definer is None else layers_of(class_dict(definer)[name])
    return any((one.__code__.co_qualname, one.__code__.co_firstlineno) == (key.qualname, key.first_line) for one in codes)
