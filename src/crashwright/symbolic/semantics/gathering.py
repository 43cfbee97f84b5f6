"""Builtin functions that go through what they are given: ``next``, ``iter``, ``sorted``, ``min`` and ``max`` of one object, and
what makes containers of others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from crashwright.core.terms import Sort, Term
from crashwright.symbolic.ir.nodes import Call, Display, Kind, Local, NamedCallee, Operand
from crashwright.symbolic.semantics.builtin_types import CONTAINERS
from crashwright.symbolic.semantics.failure import Failure
from crashwright.symbolic.semantics.loops import count, lazy_call, part
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import arrays, literals, numbers, tags
from crashwright.symbolic.values.logic import and_, choice, equal, not_, or_

ZERO: Final = literals.integer(0)
_SEQUENCES: Final = frozenset({"list", "tuple"})
MOST_ADDED: Final = 2


def next_fails(step: Step) -> Iterator[Failure]:
    """``next(iterator)`` of an iterator that was just made, of what has no parts."""
    operand = step.node.operands[0]
    if len(step.node.operands) == 1 and _is_fresh(step, operand):
        yield Failure("StopIteration", numbers.less_equal(count(step, operand), ZERO), (step.value(operand),))


def next_of(step: Step) -> Term | None:
    """The first part, or the default."""
    operand = step.node.operands[0]
    if not _is_fresh(step, operand):
        return None
    first = part(step, operand, ZERO)
    if len(step.node.operands) == 1:
        return first
    return choice(numbers.less_equal(count(step, operand), ZERO), step.value(step.node.operands[1]), first)


def iterator_of(step: Step) -> Term | None:
    """An iterator is what it goes through (``loops``)."""
    return step.value(step.node.operands[0]) if len(step.node.operands) == 1 else None


def _is_fresh(step: Step, operand: Operand) -> bool:
    """Whether an iterator is at its start: it is made where nothing else has it."""
    nodes = step.function.nodes
    if not isinstance(operand, Local) or sum(operand in one.operands for one in nodes) != 1:
        return False
    makers = [one for one in nodes if one.target == operand]
    if len(makers) != 1:
        return False
    (maker,) = makers
    if maker.kind is Kind.DISPLAY and isinstance(maker.detail, Display):
        return maker.detail.kind == "generator"
    callee = maker.detail.callee if isinstance(maker.detail, Call) else None
    return isinstance(callee, NamedCallee) and callee.text == "iter" and len(maker.operands) == 1


def gathered(kind: str) -> Callable[[Step], Term | None]:
    """A new container of what another object has: all that is said of sequences, and how many parts of the rest."""

    def found(step: Step) -> Term | None:
        if len(step.node.operands) > 1:
            return None
        address = CONTAINERS[kind][0]
        if not step.node.operands:
            return step.made(address, []) if kind in _SEQUENCES else _empty(step, address)
        operand, new = step.node.operands[0], step.path.allocated()
        step.fact(equal(step.class_of(new), literals.class_named(address)))
        known = step.types(0)
        if kind in _SEQUENCES and lazy_call(step, operand) is None and (not known or known <= _SEQUENCES):
            value = step.value(operand)
            held = tags.reference_in(value)
            step.suppose(step.is_exactly(value, "builtins:list", "builtins:tuple"))
            step.fact(equal(arrays.select(step.array("size"), new), step.size(held)))
            step.fact(equal(arrays.select(step.array("elements"), new), arrays.select(step.array("elements"), held)))
            return tags.of(new)
        step.path.unmodelled.append(f"what {kind}() has")
        if kind in _SEQUENCES:
            step.fact(equal(arrays.select(step.array("size"), new), count(step, operand)))
        return tags.of(new)

    return found


def ordered(step: Step) -> Term | None:
    """``sorted(...)``: a list of as many parts; in which order is not modelled."""
    new = step.path.allocated()
    step.fact(equal(step.class_of(new), literals.class_named("builtins:list")))
    step.fact(equal(arrays.select(step.array("size"), new), count(step, step.node.operands[0])))
    step.path.unmodelled.append("the order of sorted()")
    return tags.of(new)


def one_of_the_parts(step: Step) -> Term | None:
    """``min`` and ``max`` of one object: some part of it."""
    place = step.path.fresh(Sort.INTEGER, "place")
    operand = step.node.operands[0]
    step.need(and_(numbers.less_equal(ZERO, place), numbers.less(place, count(step, operand))))
    step.path.unmodelled.append("which part is the least or the greatest")
    return part(step, operand, place)


def total(step: Step) -> Term | None:
    """``sum(...)`` of integers, of few of them: a longer one is left out, which is no wrong value."""
    if len(step.node.operands) != 1:
        return None
    operand = step.node.operands[0]
    size = count(step, operand)
    step.suppose(numbers.less_equal(size, literals.integer(MOST_ADDED)))
    found: Term = ZERO
    for place in range(MOST_ADDED):
        one = part(step, operand, literals.integer(place))
        is_there = numbers.less(literals.integer(place), size)
        step.suppose(or_(not_(is_there), tags.is_integer(one)))
        found = numbers.add(found, choice(is_there, tags.integer_in(one), ZERO))
    return tags.of(found)


def _empty(step: Step, address: str) -> Term:
    new = step.path.allocated()
    step.fact(equal(step.class_of(new), literals.class_named(address)))
    step.fact(equal(arrays.select(step.array("size"), new), ZERO))
    step.fact(equal(arrays.select(step.array("keys"), new), arrays.same(Sort.KEYS, literals.FALSE)))
    return tags.of(new)
