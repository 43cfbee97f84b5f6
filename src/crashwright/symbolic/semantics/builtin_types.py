"""The builtin types by their names: those that are alternatives of a value, and those whose objects stand in the heap."""

from __future__ import annotations

from collections import deque
from typing import Final

from crashwright.symbolic.values.tags import Tag

SCALARS: Final[dict[str, tuple[Tag, type]]] = {
    "NoneType": (Tag.NONE, type(None)),
    "bool": (Tag.TRUTH, bool),
    "int": (Tag.INTEGER, int),
    "float": (Tag.REAL, float),
    "str": (Tag.TEXT, str),
    "bytes": (Tag.BYTES, bytes),
}
CONTAINERS: Final[dict[str, tuple[str, type]]] = {
    "list": ("builtins:list", list),
    "tuple": ("builtins:tuple", tuple),
    "dict": ("builtins:dict", dict),
    "set": ("builtins:set", set),
    "frozenset": ("builtins:frozenset", frozenset),
    "deque": ("collections:deque", deque),
}
SEQUENCES: Final = ("list", "tuple", "deque")
ITERABLE: Final = ("list", "tuple", "dict", "set", "frozenset", "deque", "str", "bytes")
OF_CLASSES: Final = {"builtin_function_or_method", "function", "method", "type", "module"}
"""Types whose objects are alternatives of Sort.CLASS: classes, functions and modules."""
