"""Methods of builtin types, by name: which arrays they write, when they fail, what they return."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from crashwright.core.terms import Sort, Term
from crashwright.symbolic.semantics import text_methods
from crashwright.symbolic.semantics.failure import Failure
from crashwright.symbolic.semantics.items import from_end
from crashwright.symbolic.semantics.kinds import has_type
from crashwright.symbolic.semantics.loops import lazy_call
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import arrays, literals, numbers, tags
from crashwright.symbolic.values.logic import and_, choice, equal, not_

WRITES: Final[dict[str, tuple[str, ...]]] = {
    "append": ("size", "elements"),
    "insert": ("size", "elements"),
    "pop": ("size", "elements", "keys", "mappings"),
    "popleft": ("size", "elements"),
    "clear": ("size", "keys"),
    "add": ("size", "keys"),
    "discard": ("size", "keys"),
    "remove": ("size", "elements", "keys"),
    "extend": ("size", "elements"),
    "update": ("size", "keys", "mappings"),
    "setdefault": ("size", "keys", "mappings"),
    "sort": ("elements",),
    "reverse": ("elements",),
}
ZERO, ONE = literals.integer(0), literals.integer(1)


def _held(step: Step) -> Term:
    return tags.reference_in(step.value(step.node.operands[0]))


def _append(step: Step) -> Term | None:
    held, new = _held(step), step.value(step.node.operands[1])
    size = step.size(held)
    step.write("elements", lambda before: arrays.store(before, held, arrays.store(arrays.select(before, held), size, new)))
    step.write("size", lambda before: arrays.store(before, held, numbers.add(arrays.select(before, held), ONE)))
    return literals.NONE


def _extend(step: Step) -> Term | None:
    """By what a list or a tuple has."""
    known = step.types(1)
    if lazy_call(step, step.node.operands[1]) is not None or (known and not known <= {"list", "tuple"}):
        return None
    held, new = _held(step), step.value(step.node.operands[1])
    step.suppose(step.is_exactly(new, "builtins:list", "builtins:tuple"))
    more, size = tags.reference_in(new), step.size(held)

    def elements(before: Term) -> Term:
        joined = arrays.joined(arrays.select(before, held), size, arrays.select(before, more))
        return arrays.store(before, held, joined)

    step.write("elements", elements)
    longer = numbers.add(size, step.size(more))
    step.write("size", lambda before: arrays.store(before, held, longer))
    return literals.NONE


def _insert(step: Step) -> Term | None:
    held, index, new = _held(step), tags.integer_in(step.value(step.node.operands[1])), step.value(step.node.operands[2])
    place = from_end(index, step.size(held))
    step.suppose(and_(numbers.less_equal(ZERO, place), numbers.less_equal(place, step.size(held))))
    step.write("elements", lambda before: arrays.store(before, held, arrays.inserted(arrays.select(before, held), place, new)))
    step.write("size", lambda before: arrays.store(before, held, numbers.add(arrays.select(before, held), ONE)))
    return literals.NONE


def _pop_fails(step: Step) -> Iterator[Failure]:
    value = step.value(step.node.operands[0])
    held = tags.reference_in(value)
    size = step.size(held)
    of_sequence = step.is_exactly(value, "builtins:list", "collections:deque")
    if len(step.node.operands) == 1:
        yield Failure("IndexError", and_(of_sequence, equal(size, ZERO)), (value,))
        yield Failure("KeyError", and_(step.is_exactly(value, "builtins:set"), equal(size, ZERO)), (value,))
        return
    key = step.value(step.node.operands[1])
    behind, before = arrays.is_index(tags.integer_in(key), size)
    yield Failure("IndexError", and_(of_sequence, tags.is_integer(key), not_(and_(behind, before))), (value,))
    if len(step.node.operands) == 2:
        has = arrays.select(arrays.select(step.array("keys"), held), key)
        yield Failure("KeyError", and_(has_type(step, value, "dict"), not_(has)), (value,), key)


def _pop(step: Step) -> Term | None:
    value = step.value(step.node.operands[0])
    held = tags.reference_in(value)
    given = [step.value(one) for one in step.node.operands[1:]]
    mapping = has_type(step, value, "dict") if given else literals.FALSE
    if step.types(0) and "dict" not in step.types(0):
        mapping = literals.FALSE
    elif step.types(0) == {"dict"}:
        mapping = literals.TRUE
    size = step.size(held)
    index = from_end(tags.integer_in(given[0]), size) if given else numbers.subtract(size, ONE)
    elements = arrays.select(step.array("elements"), held)
    result = arrays.select(elements, index)
    if given and mapping != literals.FALSE:
        had = arrays.select(arrays.select(step.array("keys"), held), given[0])
        mapped = arrays.select(arrays.select(step.array("mappings"), held), given[0])
        taken = choice(had, mapped, given[1]) if len(given) > 1 else mapped
        result = choice(mapping, taken, result)
        step.write(
            "keys",
            lambda before: choice(
                mapping, arrays.store(before, held, arrays.store(arrays.select(before, held), given[0], literals.FALSE)), before
            ),
        )
        less = choice(and_(mapping, not_(had)), ZERO, ONE)
    else:
        less = ONE
    step.write(
        "elements",
        lambda before: choice(mapping, before, arrays.store(before, held, arrays.deleted(arrays.select(before, held), index))),
    )
    step.write("size", lambda before: arrays.store(before, held, numbers.subtract(arrays.select(before, held), less)))
    return result


def _clear(step: Step) -> Term | None:
    held = _held(step)
    step.write("size", lambda before: arrays.store(before, held, ZERO))
    step.write("keys", lambda before: arrays.store(before, held, arrays.same(Sort.KEYS, literals.FALSE)))
    return literals.NONE


def _add(step: Step) -> Term | None:
    held, key = _held(step), step.value(step.node.operands[1])
    had = arrays.select(arrays.select(step.array("keys"), held), key) if step.is_asked("size") else literals.TRUE
    step.write("keys", lambda before: arrays.store(before, held, arrays.store(arrays.select(before, held), key, literals.TRUE)))
    more = choice(had, ZERO, ONE)
    step.write("size", lambda before: arrays.store(before, held, numbers.add(arrays.select(before, held), more)))
    return literals.NONE


def _get(step: Step) -> Term | None:
    if not 2 <= len(step.node.operands) <= 3:
        return None
    value, key = step.value(step.node.operands[0]), step.value(step.node.operands[1])
    held = tags.reference_in(value)
    step.suppose(has_type(step, value, "dict"))
    otherwise = step.value(step.node.operands[2]) if len(step.node.operands) > 2 else literals.NONE
    has = arrays.select(arrays.select(step.array("keys"), held), key)
    return choice(has, arrays.select(arrays.select(step.array("mappings"), held), key), otherwise)


def _index_fails(step: Step) -> Iterator[Failure]:
    value = step.value(step.node.operands[0])
    yield from text_methods.FAILURES["index"](step)
    if len(step.node.operands) == 2:
        part = step.value(step.node.operands[1])
        empty = equal(step.size(tags.reference_in(value)), ZERO)
        yield Failure("ValueError", and_(step.is_exactly(value, "builtins:list", "builtins:tuple"), empty), (value,), part)


def _index(step: Step) -> Term | None:
    value = step.value(step.node.operands[0])
    if step.types(0) == {"str"} or tags.tags_of(value) == {tags.Tag.TEXT}:
        return text_methods.find(step)
    if len(step.node.operands) != 2:
        return None
    held, place = tags.reference_in(value), step.path.fresh(Sort.INTEGER, "index")
    step.suppose(step.is_exactly(value, "builtins:list", "builtins:tuple"))
    step.need(and_(numbers.less_equal(ZERO, place), numbers.less(place, step.size(held))))
    found = arrays.select(arrays.select(step.array("elements"), held), place)
    step.need(equal(found, step.value(step.node.operands[1])))
    return tags.of(place)


FAILURES: Final[dict[str, Callable[[Step], Iterator[Failure]]]] = {
    **text_methods.FAILURES,
    "pop": _pop_fails,
    "index": _index_fails,
}
RESULTS: Final[dict[str, Callable[[Step], Term | None]]] = {
    **text_methods.RESULTS,
    "append": _append,
    "extend": _extend,
    "insert": _insert,
    "pop": _pop,
    "clear": _clear,
    "add": _add,
    "get": _get,
    "index": _index,
}
ARGUMENTS: Final = {"append": 2, "extend": 2, "insert": 3, "add": 2, "index": 2, "find": 2, "get": 2}
"""Operands that are needed at least, the receiver included."""


def applies(step: Step, name: str) -> bool:
    """Whether the call is one of those that the tables know."""
    return len(step.node.operands) >= ARGUMENTS.get(name, 1)
