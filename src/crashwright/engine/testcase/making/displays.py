"""Random containers and their mutation: elements added, removed, doubled, swapped, replaced or themselves mutated."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import cast

from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Display, Ref, Value

Make = Callable[[Random, SeedPool], Value]
Mutate = Callable[[Random, Value, SeedPool], Value]

_SEQUENCES = ("list", "tuple")
_HASHED = ("set", "frozenset")
_MOST_ITEMS = 64


def random_size(rng: Random) -> int:
    """0 to 7, small ones most often."""
    return int(rng.random() * rng.random() * 8)


def hashable(value: Value) -> bool:
    """Whether a literal can be an element of a set (references: assumed so)."""
    if type(value) is Display:
        return value.kind == "frozenset" or (value.kind == "tuple" and all(hashable(item) for item in value.items))  # type: ignore[arg-type]
    return True


def mutate_display(rng: Random, display: Display, pool: SeedPool, make: Make, mutate: Mutate) -> Value:
    """One change of the container. ``make`` gives new elements, ``mutate`` other versions of old ones."""
    kind, items = display
    if kind == "bytearray":
        content = mutate(rng, items[0], pool) if items else b""  # type: ignore[arg-type]
        return Display(kind, (content,)) if type(content) is bytes else display
    random = rng.random
    roll = random()
    if roll < 0.05:
        return Display(kind, ())
    if roll < 0.09 and kind in _SEQUENCES:
        return Display("tuple" if kind == "list" else "list", items)
    if not items or roll < 0.25:
        return _add(rng, display, pool, make)
    place = int(random() * len(items))
    if roll < 0.62:
        return _change(rng, display, place, pool, make, mutate)
    if roll < 0.78:
        return Display(kind, items[:place] + items[place + 1 :])
    if roll < 0.9:
        return Display(kind, (items + items[place : place + 1]) if len(items) < _MOST_ITEMS else items[: len(items) // 2])
    other = int(random() * len(items))
    swapped = list(items)
    swapped[place], swapped[other] = items[other], items[place]
    return Display(kind, tuple(swapped))


def _add(rng: Random, display: Display, pool: SeedPool, make: Make) -> Value:
    kind, items = display
    if len(items) >= _MOST_ITEMS:
        return Display(kind, items[: len(items) // 2])
    place = int(rng.random() * (len(items) + 1))
    if kind == "dict":
        item: object = (_hashable_element(rng, pool, make), _like(rng, items, 1, pool, make))
    elif kind in _HASHED:
        item = _hashable_element(rng, pool, make)
    else:
        item = _like(rng, items, None, pool, make)
    return Display(kind, (*items[:place], item, *items[place:]))


def _like(rng: Random, items: tuple[object, ...], part: int | None, pool: SeedPool, make: Make) -> Value:
    """A new element, half the time one that is there already: containers are mostly of one type."""
    if items and rng.random() < 0.5:
        item = items[int(rng.random() * len(items))]
        return item if part is None else item[part]  # type: ignore[return-value, index]
    return make(rng, pool)


def _change(rng: Random, display: Display, place: int, pool: SeedPool, make: Make, mutate: Mutate) -> Value:
    kind, items = display
    old = items[place]
    new: object
    if kind == "dict":
        key, value = cast(tuple[Value, Value], old)
        if rng.random() < 0.3:
            changed = mutate(rng, key, pool)
            new = (changed if hashable(changed) else key, value)
        else:
            new = (key, _other(rng, value, pool, make, mutate))
    else:
        new = _other(rng, old, pool, make, mutate)  # type: ignore[arg-type]
        if kind in _HASHED and not hashable(new):
            new = old
    return Display(kind, (*items[:place], new, *items[place + 1 :]))


def _other(rng: Random, value: Value, pool: SeedPool, make: Make, mutate: Mutate) -> Value:
    return make(rng, pool) if rng.random() < 0.15 else mutate(rng, value, pool)


def _hashable_element(rng: Random, pool: SeedPool, make: Make) -> Value:
    value = make(rng, pool)
    return value if hashable(value) else pool.draw(rng, str)


def hashes_references(value: Value) -> bool:
    """Does building the literal hash the value of a variable (a key or an element of a set)? That may run code of the subject."""
    if type(value) is not Display:
        return False
    kind = value.kind
    for item in value.items:
        if type(item) is tuple:
            if _refers(item[0]) or hashes_references(item[1]):
                return True
        elif _refers(item) if kind in _HASHED else hashes_references(item):  # type: ignore[arg-type]
            return True
    return False


def _refers(value: object) -> bool:
    if type(value) is Display:
        return any(_refers(part) for item in value.items for part in (item if type(item) is tuple else (item,)))
    return type(value) is Ref
