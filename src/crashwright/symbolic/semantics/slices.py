"""Slices of texts and sequences, and of lists those that are written and deleted; with a step of one."""

from __future__ import annotations

from collections.abc import Iterator

from crashwright.core.terms import Term
from crashwright.symbolic.ir.nodes import Constant
from crashwright.symbolic.semantics.failure import Failure
from crashwright.symbolic.semantics.items import from_end
from crashwright.symbolic.semantics.loops import lazy_call
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import arrays, literals, numbers, tags, texts
from crashwright.symbolic.values.logic import choice, equal, or_
from crashwright.symbolic.values.tags import Tag

WRITTEN = ("size", "elements")
_ZERO = literals.integer(0)
_SCALAR = (Tag.NONE, Tag.TRUTH, Tag.INTEGER, Tag.REAL)


def slicing_fails(step: Step) -> Iterator[Failure]:
    """What has no items."""
    value = step.value(step.node.operands[0])
    yield Failure("TypeError", or_(*[tags.is_(tag, value) for tag in _SCALAR]), (value,))


def storing_fails(step: Step) -> Iterator[Failure]:
    """What has no items that can be set, and nothing to put there."""
    value = step.value(step.node.operands[0])
    yield Failure("TypeError", or_(*[tags.is_(tag, value) for tag in (*_SCALAR, Tag.TEXT, Tag.BYTES)]), (value,))
    if len(step.node.operands) > 4:
        new = step.value(step.node.operands[4])
        yield Failure("TypeError", or_(*[tags.is_(tag, new) for tag in _SCALAR]), (new,))


def read(step: Step) -> None:
    """A part of a text, or a new sequence."""
    if step.post is None:
        return
    if step.node.operands[3] != Constant(None) or not step.types(0) & {"str", "list", "tuple"}:
        step.unknown("a slice" if step.types(0) else "a slice of what is not known")
        return
    value = step.value(step.node.operands[0])
    types = step.types(0)
    whole = tags.text_in(value)
    start, stop = _bounds(step, texts.length(whole))
    part = tags.of(texts.part(whole, start, numbers.subtract(stop, start)))
    if not types & {"list", "tuple"}:
        step.suppose(tags.is_text(value))
        step.define(part)
        return
    sequence = step.is_exactly(value, "builtins:list", "builtins:tuple")
    if "str" not in types:
        step.suppose(sequence)
        step.define(_sequence(step, value))
        return
    step.suppose(or_(tags.is_text(value), sequence))
    step.define(choice(tags.is_text(value), part, _sequence(step, value)))


def _sequence(step: Step, value: Term) -> Term:
    """A new sequence of the same class."""
    held, new = tags.reference_in(value), step.path.allocated()
    start, stop = _bounds(step, step.size(held))
    step.fact(equal(step.class_of(new), step.class_of(held)))
    reach = numbers.subtract(stop, start)
    step.fact(equal(arrays.select(step.array("size"), new), choice(numbers.less(_ZERO, reach), reach, _ZERO)))
    elements = step.array("elements")
    step.fact(equal(arrays.select(elements, new), arrays.shifted(arrays.select(elements, held), start)))
    return tags.of(new)


def write(step: Step) -> None:
    """``list[start:stop] = sequence``: the sequence instead of what stands between."""
    new = step.value(step.node.operands[4])
    if step.node.operands[3] != Constant(None) or lazy_call(step, step.node.operands[4]) is not None:
        _forget(step)
        return
    step.suppose(step.is_exactly(new, "builtins:list", "builtins:tuple"))
    _put(step, tags.reference_in(new))


def delete(step: Step) -> None:
    """``del list[start:stop]``."""
    if step.node.operands[3] != Constant(None):
        _forget(step)
    else:
        _put(step, None)


def _put(step: Step, new: Term | None) -> None:
    """What stands before the slice, the elements of the new sequence, what stands behind the slice."""
    value = step.value(step.node.operands[0])
    step.suppose(step.is_exactly(value, "builtins:list"))
    held = tags.reference_in(value)
    size = step.size(held)
    start, stop = _bounds(step, size)
    stop = choice(numbers.less(stop, start), start, stop)
    count = _ZERO if new is None else step.size(new)

    def elements(before: Term) -> Term:
        old = arrays.select(before, held)
        behind = arrays.shifted(old, stop)
        if new is not None:
            behind = arrays.joined(arrays.select(before, new), count, behind)
        return arrays.store(before, held, arrays.joined(old, start, behind))

    step.write("elements", elements)
    left = numbers.subtract(size, numbers.subtract(stop, start))
    step.write("size", lambda before: arrays.store(before, held, numbers.add(left, count)))


def _forget(step: Step) -> None:
    for name in WRITTEN:
        step.forget(name, "what is left by a slice with a step, or of a lazy sequence")


def _bounds(step: Step, size: Term) -> tuple[Term, Term]:
    return _bound(step, 1, size, _ZERO), _bound(step, 2, size, size)


def _bound(step: Step, place: int, size: Term, absent: Term) -> Term:
    """Counted from the start, and within the sequence."""
    if step.node.operands[place] == Constant(None):
        return absent
    value = step.value(step.node.operands[place])
    step.suppose(or_(tags.is_integer(value), tags.is_none(value)) if not step.types(place) else tags.is_integer(value))
    index = from_end(tags.integer_in(value), size)
    within = choice(numbers.less(index, _ZERO), _ZERO, choice(numbers.less(size, index), size, index))
    return choice(tags.is_none(value), absent, within)
