"""Layouts of binary data that a function reads: formats of ``struct``, ``int.from_bytes``, and constant bounds of slices, from its
source; compiled formats, from the objects that it names."""

from __future__ import annotations

import ast
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

from crashwright.engine.subject.introspection import class_dict, is_class
from crashwright.engine.subject.walking import nodes_of, walk

MOST_FIELDS = 64
LONGEST_FIELD = 256
"""Bytes of one field; what is longer is payload."""
_READERS = frozenset({"unpack", "unpack_from", "iter_unpack", "pack", "pack_into", "calcsize", "Struct"})
_FORMAT = re.compile(r"([@=<>!]?)((?:\d*[xcbBhHiIlLqQnNefdspP?]\s*)+)")
_FIELD = re.compile(r"(\d*)([a-zA-Z?])")
_ORDERS = frozenset("<>!=")
_BINARY = frozenset({"struct", "from_bytes", "unpack", "unpack_from", "bytes", "bytearray", "memoryview", "BytesIO"})
"""Names of which a module that reads binary data uses one."""
_FARTHEST = 128
"""The last byte that a constant bound of a slice may name."""


class Layout(NamedTuple):
    """Fields one after the other: their sizes in bytes, and the order of the bytes in each, as ``int.to_bytes`` names it."""

    order: str
    sizes: tuple[int, ...]


def layout_of(text: str) -> Layout | None:
    """Of a format of ``struct``; None where it is none, or empty."""
    match = _FORMAT.fullmatch(text)
    if match is None or len(text) > LONGEST_FIELD:
        return None
    mark, fields = match.groups()
    sizes: list[int] = []
    for count, kind in _FIELD.findall(fields):
        times = int(count[:4]) if count else 1
        try:
            size = struct.calcsize((mark if mark in _ORDERS else "") + kind)
        except struct.error:
            return None  # the size of a pointer, which no other order has
        sizes += [min(times, LONGEST_FIELD)] if kind in "sp" else [size] * min(times, MOST_FIELDS)
    sizes = [size for size in sizes[:MOST_FIELDS] if size]
    return Layout("big" if mark in (">", "!") else "little", tuple(sizes)) if sizes else None


def layouts_in(functions: Sequence[ast.AST], modules: Sequence[ast.AST], live: Sequence[Mapping[str, object]]) -> list[Layout]:
    """What the functions read, then what their ``modules``, of which ``live`` are the names, mention. Nothing where no module has
    to do with binary data: an index of anything looks like one of bytes."""
    names: set[str] = set()
    calls: list[ast.Call] = []
    for module in modules:
        for node in nodes_of(module):
            if isinstance(node, ast.Name):
                names.add(node.id)
            elif isinstance(node, ast.Attribute):
                names.add(node.attr)
            elif isinstance(node, ast.Call):
                calls.append(node)
    if names.isdisjoint(_BINARY):
        return []
    read = (layout for function in functions for layout in _read(function))
    mentioned = (layout for call in calls for layout in _called(call))
    return list(dict.fromkeys((*read, *_named(names, live), *mentioned)))


def _read(function: ast.AST) -> Iterator[Layout]:
    """What the source of one function says."""
    bounds = {0}
    for node in walk(function):
        if isinstance(node, ast.Call):
            yield from _called(node)
        elif isinstance(node, ast.Subscript):
            bounds.update(_bounds(node.slice))
    if len(bounds) > 1:
        yield Layout("big", tuple([last - first for first, last in pairwise(sorted(bounds))])[:MOST_FIELDS])


def _named(names: AbstractSet[str], live: Sequence[Mapping[str, object]]) -> Iterator[Layout]:
    """Compiled formats among the ``live`` objects of these names, and those of the classes there: formats that say their order."""
    for module in live:
        for name, value in list(module.items()):
            if type(value) is struct.Struct and name in names:
                yield from _made(value.format)
            elif is_class(value):
                for member in list(class_dict(value).values()):
                    if type(member) is struct.Struct:
                        yield from _made(member.format)
                    elif type(member) is str and member[:1] in _ORDERS:
                        yield from _made(member)


def _made(text: str) -> Iterator[Layout]:
    layout = layout_of(text)
    if layout is not None:
        yield layout


def _called(call: ast.Call) -> Iterator[Layout]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""
    first = call.args[0] if call.args else None
    if name in _READERS and isinstance(first, ast.Constant):
        if type(first.value) is str:
            yield from _made(first.value)
        elif type(first.value) is bytes:
            yield from _made(first.value.decode("latin-1"))
    elif name == "from_bytes" and first is not None:
        said = [
            part.value for part in (*call.args[1:], *(keyword.value for keyword in call.keywords)) if isinstance(part, ast.Constant)
        ]
        bounds = sorted(_bounds(first.slice)) if isinstance(first, ast.Subscript) else []
        size = bounds[-1] - bounds[0] if len(bounds) > 1 else bounds[0] if bounds else 2
        if 0 < size <= LONGEST_FIELD:
            yield Layout("little" if "little" in said else "big", (size,))


def _bounds(part: ast.expr) -> Iterator[int]:
    """The places where an index or a slice with constant bounds cuts."""
    if isinstance(part, ast.Slice):
        for bound in (part.lower, part.upper):
            if isinstance(bound, ast.Constant) and type(bound.value) is int and 0 <= bound.value <= _FARTHEST:
                yield bound.value
    elif isinstance(part, ast.Constant) and type(part.value) is int and 0 <= part.value < _FARTHEST:
        yield part.value
        yield part.value + 1
