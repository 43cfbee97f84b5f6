"""Subscripts: reading, writing and deleting items of sequences, mappings and texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crashwright.core.terms import Term
from crashwright.symbolic.semantics import matching
from crashwright.symbolic.semantics.builtin_types import SEQUENCES
from crashwright.symbolic.semantics.failure import Failure
from crashwright.symbolic.semantics.kinds import candidates, has_type, may_be, one_of
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import arrays, literals, numbers, tags, texts
from crashwright.symbolic.values.logic import and_, choice, not_, or_

_INDEXED: Final = ("list", "tuple", "deque", "str", "bytes", "dict")
_PLAIN: Final = (tags.Tag.NONE, tags.Tag.TRUTH, tags.Tag.INTEGER, tags.Tag.REAL)
WRITTEN: Final = ("size", "elements", "keys", "mappings")


def kinds_of(step: Step, assigned: bool = False) -> list[str]:
    """What the object may be, by its type and by that of the key."""
    names = ("list", "deque", "dict") if assigned else _INDEXED
    found = candidates(step, 0, names)
    if step.types(0):
        return found
    key = step.value(step.node.operands[1])
    keys = {name for name in ("int", "str", "bool") if has_type(step, key, name) == literals.TRUE} or set(step.types(1))
    if keys == {"str"}:
        return [name for name in found if name == "dict"]
    if keys == {"int"}:
        return [name for name in found if name != "dict"] or found
    return found


def reading_fails(step: Step) -> Iterator[Failure]:
    """``object[key]``: no such key, an index beyond the ends, nothing to subscript, an index that is none."""
    if matching.found_by(step, step.node.operands[0]):
        value = step.value(step.node.operands[0])
        yield Failure("TypeError", tags.is_none(value), (value,))
    else:
        yield from _fails(step, kinds_of(step), False)


def writing_fails(step: Step) -> Iterator[Failure]:
    """``object[key] = value`` and ``del object[key]``. A mapping takes any key, and gives up only those that it has."""
    yield from _fails(step, kinds_of(step, True), step.node.kind.value == "set index")


def _fails(step: Step, kinds: list[str], assigns: bool) -> Iterator[Failure]:
    value, key = step.values()[:2]
    known = step.types(0)
    if not known or not known <= {"list", "tuple", "deque", "str", "bytes", "dict"}:
        subscripted = or_(*[tags.is_(tag, value) for tag in _PLAIN])
        yield Failure("TypeError", subscripted, (value,))
    sequences = [name for name in kinds if name != "dict"]
    if sequences:
        size, index = _size(step, value, sequences), number(step, key, 1)
        behind, before = arrays.is_index(index, size)
        outside = not_(and_(behind, before))
        of_kind, counted = one_of(step, value, sequences), or_(tags.is_integer(key), tags.is_truth(key))
        if may_be(step, 1, "str", "NoneType", "float", "tuple"):
            yield Failure("TypeError", and_(of_kind, not_(counted)), (key,))
        yield Failure("IndexError", and_(of_kind, counted, outside), (value,))
    if "dict" in kinds and not assigns:
        has = arrays.select(arrays.select(step.array("keys"), tags.reference_in(value)), key)
        yield Failure("KeyError", and_(has_type(step, value, "dict"), not_(has)), (value,), key)


def read(step: Step) -> None:
    """The item. That the object is one of those that have items is asserted too."""
    group = matching.item(step)
    if group is not None:
        step.define(group)
        return
    value, key = step.values()[:2]
    kinds = kinds_of(step)
    step.suppose(one_of(step, value, kinds))
    if step.post is None:
        return
    cases = [(one_of(step, value, names), found) for names, found in _found(step, value, key, kinds)]
    if not cases:
        step.unknown("an item of what is no builtin container")
        return
    result = cases[-1][1]
    for condition, found in reversed(cases[:-1]):
        result = choice(condition, found, result)
    step.define(result)


def _found(step: Step, value: Term, key: Term, kinds: list[str]) -> Iterator[tuple[list[str], Term]]:
    held = tags.reference_in(value)
    sequences = [name for name in kinds if name in SEQUENCES]
    if sequences:
        size = step.size(held)
        yield sequences, arrays.at(arrays.select(step.array("elements"), held), size, number(step, key, 1))
    if "dict" in kinds:
        yield ["dict"], arrays.select(arrays.select(step.array("mappings"), held), key)
    if "str" in kinds:
        whole = tags.text_in(value)
        yield ["str"], tags.of(texts.part(whole, from_end(number(step, key, 1), texts.length(whole)), literals.integer(1)))
    if "bytes" in kinds:
        octets = tags.bytes_in(value)
        yield ["bytes"], tags.of(texts.byte_at(octets, from_end(number(step, key, 1), texts.length(octets))))


def write(step: Step) -> None:
    """One item is another: of a sequence at its index, of a mapping under its key."""
    value, key, new = step.values()[:3]
    kinds = kinds_of(step, True)
    held = tags.reference_in(value)
    mapping = has_type(step, value, "dict") if "dict" in kinds and len(kinds) > 1 else literals.truth("dict" in kinds)
    step.suppose(one_of(step, value, kinds))
    had = arrays.select(arrays.select(step.array("keys"), held), key) if step.is_asked("size") else literals.TRUE
    if mapping != literals.FALSE:
        step.write("keys", lambda before: _kept(mapping, before, held, _with(before, held, key, literals.TRUE)))
        step.write("mappings", lambda before: _kept(mapping, before, held, _with(before, held, key, new)))
        grown = literals.integer(1)
        step.write(
            "size",
            lambda before: choice(
                and_(mapping, not_(had)), arrays.store(before, held, numbers.add(arrays.select(before, held), grown)), before
            ),
        )
    if mapping != literals.TRUE and step.is_asked("elements"):
        index = from_end(number(step, key, 1), step.size(held))
        step.write("elements", lambda before: _kept(not_(mapping), before, held, _with(before, held, index, new)))
    for name in WRITTEN:
        step.leave(name)


def delete(step: Step) -> None:
    """One item less."""
    value, key = step.values()[:2]
    kinds = kinds_of(step, True)
    held = tags.reference_in(value)
    mapping = has_type(step, value, "dict") if "dict" in kinds and len(kinds) > 1 else literals.truth("dict" in kinds)
    step.suppose(one_of(step, value, kinds))
    if mapping != literals.FALSE:
        step.write("keys", lambda before: _kept(mapping, before, held, _with(before, held, key, literals.FALSE)))
    less = literals.integer(1)
    if mapping != literals.TRUE and step.is_asked("elements"):
        index = from_end(number(step, key, 1), step.size(held))
        step.write(
            "elements",
            lambda before: _kept(not_(mapping), before, held, arrays.deleted(arrays.select(before, held), index)),
        )
    step.write("size", lambda before: arrays.store(before, held, numbers.subtract(arrays.select(before, held), less)))
    for name in WRITTEN:
        step.leave(name)


def number(step: Step, value: Term, place: int) -> Term:
    """The number of an index, which may be a bool."""
    if may_be(step, place, "bool") and step.types(place):
        return choice(
            tags.is_truth(value),
            choice(tags.truth_in(value), literals.integer(1), literals.integer(0)),
            tags.integer_in(value),
        )
    return tags.integer_in(value)


def from_end(index: Term, size: Term) -> Term:
    """Counted from the start."""
    return choice(numbers.less(index, literals.integer(0)), numbers.add(index, size), index)


def _size(step: Step, value: Term, sequences: list[str]) -> Term:
    size: Term | None = None
    if any(name in SEQUENCES for name in sequences):
        size = step.size(tags.reference_in(value))
    for name, whole in (("str", tags.text_in(value)), ("bytes", tags.bytes_in(value))):
        if name in sequences:
            size = texts.length(whole) if size is None else choice(has_type(step, value, name), texts.length(whole), size)
    assert size is not None
    return size


def _with(array: Term, held: Term, index: Term, value: Term) -> Term:
    return arrays.store(arrays.select(array, held), index, value)


def _kept(condition: Term, before: Term, held: Term, value: Term) -> Term:
    """The array with another part for one object, where the condition holds."""
    return choice(condition, arrays.store(before, held, value), before)
