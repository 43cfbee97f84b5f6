"""What is near a live value: its attributes and items that are objects of the package, and a list with nothing else in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from crashwright.engine.search.lane.live import Live, Pool
from crashwright.engine.subject.introspection import instance_dict
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Statement, Variable

MOST_PARTS = 12
"""Attributes, and items of a table, that are looked at."""
FIRST = 2
"""Of each class so many values are looked into."""


def parts_of(live: Live, pool: Pool, new: Callable[[], Variable]) -> Iterator[list[Statement]]:
    """The statements that give one of them each, as far as there is something of the package in ``live``."""
    value, variable = pool.env[live.variable], live.variable
    if pool.is_own(live.cls):
        yield [st.Literal(new(), st.Display("list", (st.Ref(variable),)))]
        for name, held in [*islice(instance_dict(value).items(), MOST_PARTS)]:
            if type(name) is str and not name.startswith("_") and _is_telling(held, pool):
                yield [st.GetAttribute(new(), variable, name)]
    elif live.cls is list or live.cls is tuple:
        if value and pool.is_own(type(value[0])):
            yield _item(variable, 0, new)
    elif live.cls is dict:
        for key, held in islice(value.items(), MOST_PARTS):
            if (type(key) is str or type(key) is int) and pool.is_own(type(held)):
                yield _item(variable, key, new)


def _item(variable: Variable, key: st.Value, new: Callable[[], Variable]) -> list[Statement]:
    literal = st.Literal(new(), key)
    return [literal, st.GetItem(new(), variable, literal.variable)]


def _is_telling(held: object, pool: Pool) -> bool:
    """An object of the package, or a container that has one first."""
    if type(held) is list or type(held) is tuple:
        return bool(held) and pool.is_own(type(held[0]))
    if type(held) is dict:
        return bool(held) and pool.is_own(type(next(iter(held.values()))))
    return pool.is_own(type(held))
