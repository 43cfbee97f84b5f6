"""The records that several functions read between them: what one passes on to another, or gets from it, is one record."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from crashwright.engine.subject.introspection import class_dict, identities, is_class
from crashwright.engine.subject.usage.shape_reader import ShapeReader
from crashwright.engine.subject.usage.shapes import MOST_VALUES, Plain, Shape
from crashwright.engine.subject.usage.uses_of_values import Function
from crashwright.engine.subject.walking import walk

_PLAIN = identities(str, int, float)
_COLLECTIONS = identities(tuple, list, dict)
_PASSES = 3
"""How far what a function asks is followed to where its argument comes from."""
REMEMBERED = 16
"""Groups of functions whose records are remembered."""


class Reading:
    """What ``functions`` read; those that are none are passed over."""

    def __init__(self, functions: Sequence[ast.AST]) -> None:
        self._readers = [ShapeReader(node) for node in functions if isinstance(node, Function)]
        self._by_function = {id(reader.function): reader for reader in self._readers}
        self._passed_on: set[int] = set()
        by_name = {reader.function.name: reader for reader in self._readers}
        for reader in [*reversed(self._readers)] * _PASSES:  # innermost first: what it asks is then known where it is passed on
            self._connect(reader, by_name)

    def records(self, own: int = 0) -> list[Shape]:
        """The records, those of the most keys first; but first of all those that the ``own`` first functions read."""
        roots = {id(shape): shape for reader in self._readers for shape in reader.roots}
        first = {id(shape) for reader in self._readers[:own] for shape in reader.roots}
        found = [shape for number, shape in roots.items() if number not in self._passed_on and _keys(shape)]
        return sorted(found, key=lambda shape: (id(shape) not in first, -_keys(shape)))

    def looks(self, function: ast.AST) -> dict[str, list[Plain]]:
        """What its parameters have to look like, where they are taken apart or turned into something (``date.fromisoformat(day)``),
        or handed to what does so."""
        reader = self._by_function.get(id(function))
        return {} if reader is None else reader.looks()

    def parameters(self, function: ast.AST) -> dict[str, Shape]:
        """Those of its parameters that are records, or collections of them."""
        reader = self._by_function.get(id(function))
        return {} if reader is None else reader.records()

    def _connect(self, reader: ShapeReader, by_name: Mapping[str, ShapeReader]) -> None:
        for name, place, shape in reader.passed:
            inner = by_name.get(name)
            root = None if inner is None or inner is reader else inner.parameter(place)
            if root is not None and root is not shape:
                shape.absorb(root)
                self._passed_on.add(id(root))
        reader.settle()
        for name, shape in reader.results:
            inner = by_name.get(name)
            if inner is not None and inner.returned is not None and inner.returned is not shape:
                inner.returned.absorb(shape)
                self._passed_on.add(id(shape))


def records_in(functions: Sequence[ast.AST], own: int = 0) -> Sequence[Shape]:
    """The records that ``functions`` read, those of the most keys first, and first of all those of the ``own`` first functions;
    nobody changes them. Samples of formats, of lines and what stands under keys are all made of the same."""
    return _records(tuple(functions), own)


@lru_cache(maxsize=REMEMBERED)
def _records(functions: tuple[ast.AST, ...], own: int) -> tuple[Shape, ...]:
    return tuple(Reading(functions).records(own))


def delimiter_in(functions: Iterable[ast.AST]) -> str:
    """What is said to stand between the cells of a table; a comma where nothing is."""
    for function in functions:
        for node in walk(function):
            if isinstance(node, ast.keyword) and node.arg in ("delimiter", "sep") and isinstance(node.value, ast.Constant):
                mark = node.value.value
                if type(mark) is str and len(mark) == 1 and not mark.isalnum() and mark not in "\r\n":
                    return mark
    return ","


def known_values(namespaces: Sequence[Mapping[str, object]], named: Mapping[str, list[Plain]]) -> Callable[[str], list[Plain]]:
    """What is ``named`` so, else what the callable of that name in one of these modules takes: of an enum the values that it
    knows; or what the collection of that name holds."""

    def values(name: str) -> list[Plain]:
        if name in named:
            return named[name][:MOST_VALUES]
        for namespace in namespaces:
            found = namespace.get(name)
            if is_class(found):
                members = class_dict(found).get("_value2member_map_")
                keys: Iterable[Any] = members if type(members) is dict else ()
                return [key for key in keys if id(type(key)) in _PLAIN][:MOST_VALUES]
            if id(type(found)) in _COLLECTIONS:
                return [one for one in cast(Collection[Any], found) if id(type(one)) in _PLAIN][:MOST_VALUES]
        return []

    return values


def _keys(shape: Shape, depth: int = 0) -> int:
    if depth > 4:
        return 0
    inner = sum(1 + _keys(one, depth + 1) for one in shape.fields.values())
    inner += sum(len(split.parts) for one in (shape, *shape.kinds.values()) for split in one.splits.values())
    return inner + (_keys(shape.items, depth + 1) if shape.items is not None else 0)
