"""The columns that functions ask of tables: what one of them asks, what all ask of a parameter of one name, and what all ask."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from crashwright.engine.subject.usage.read_records import Reading
from crashwright.engine.subject.usage.shapes import TEXT, Plain, Shape

MOST = 8
"""Tables."""
Asked = dict[str, tuple[Plain, ...]]


def columns_asked(functions: Sequence[ast.AST], known: Callable[[str], Sequence[Plain]]) -> tuple[Asked, ...]:
    """The columns of each table, with the values that are ``known`` of them, the narrow ones first."""
    reading = Reading(functions)
    named: dict[str, Asked] = {}
    found: list[Asked] = []
    for function in functions:
        for name, shape in reading.parameters(function).items():
            for one in (shape, shape.items):
                if one is not None and one.fields:
                    columns = _columns(one, known)
                    found.append(columns)
                    named.setdefault(name, {}).update(columns)
    found += [*named.values(), *(_columns(one, known) for one in reading.records() if one.fields)]
    distinct = {tuple(sorted(one)): one for one in found}
    return tuple(sorted(distinct.values(), key=len)[-MOST:])


def _columns(shape: Shape, known: Callable[[str], Sequence[Plain]]) -> Asked:
    return {
        key: tuple(dict.fromkeys((*(value for value in one.values if value != TEXT), *known(key))))
        for key, one in shape.fields.items()
    }
