"""Classes of the nodes of syntax trees, of the standard library or of somebody else: what has them by name beside the root of all
of them, and a ``parse``, makes such nodes from a text."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import NamedTuple

from crashwright.engine.subject.introspection import (
    MODULES,
    class_mro,
    class_name,
    derives,
    function_home,
    instance_dict,
    is_class,
    is_module,
    module_dict,
    static_attribute,
    text,
)

ROOT, PARSE = "AST", "parse"
WHOLE = frozenset({ROOT, "mod", "Module"})
"""Classes of which the tree itself is an instance."""
Step = str | int
"""A field, or the place in one that is a list."""


class Home(NamedTuple):
    """The module that parses texts to trees of such nodes."""

    module: str
    parse: Callable[[str], object]
    is_own: bool
    """Whether it defines what parses, and does not only import it."""


@functools.lru_cache(maxsize=1024)
def home_of(cls: type) -> Home | None:
    """What makes trees with nodes of ``cls``; None where it is no class of nodes."""
    if static_attribute(cls, "_fields") is None or static_attribute(cls, "_attributes") is None:
        return None
    if not any(class_name(base) == ROOT for base in class_mro(cls)):
        return None
    homes = [_home(module_dict(module), cls) for module in list(MODULES.values()) if is_module(module)]
    return min((home for home in homes if home is not None), key=_rank, default=None)


def _rank(home: Home) -> tuple[bool, str]:
    return not home.is_own, home.module


def _home(names: dict[str, object], cls: type) -> Home | None:
    root, parse = names.get(ROOT), names.get(PARSE)
    if names.get(class_name(cls)) is not cls or not is_class(root) or not derives(cls, root) or type(parse) is not FunctionType:
        return None
    module = text(names.get("__name__"))
    return Home(module, parse, function_home(parse) == module)


def is_whole(cls: type) -> bool:
    """Whether a tree itself will do for a node of ``cls``."""
    return class_name(cls) in WHOLE


def paths_to(tree: object, cls: type) -> Iterator[tuple[Step, ...]]:
    """The ways from ``tree`` to its nodes of ``cls``, by fields and places in them, the nearest first."""
    waiting: list[tuple[object, tuple[Step, ...]]] = [(tree, ())]
    for node, path in waiting:
        if derives(type(node), cls):
            yield path
        held = instance_dict(node)
        for field in _fields(type(node)):
            value = held.get(field)
            if type(value) is list:
                waiting.extend((item, (*path, field, place)) for place, item in enumerate(value))
            elif _fields(type(value)):
                waiting.append((value, (*path, field)))


def _fields(cls: type) -> tuple[str, ...]:
    """The names of what its instances have; none of what is no node."""
    found = static_attribute(cls, "_fields")
    return found[1] if found is not None and type(found[1]) is tuple else ()
