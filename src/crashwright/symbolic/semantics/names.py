"""Variables: copies, reads of what may be unbound, conditions."""

from __future__ import annotations

from collections.abc import Iterator

from crashwright.core.terms import Op, Term
from crashwright.symbolic.ir.nodes import Local
from crashwright.symbolic.semantics.builtin_types import ITERABLE
from crashwright.symbolic.semantics.failure import Failure
from crashwright.symbolic.semantics.kinds import candidates, may_be, one_of
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import arrays, literals, tags, texts
from crashwright.symbolic.values.logic import and_, choice, equal, not_, or_
from crashwright.symbolic.values.tags import Tag


def loading_fails(step: Step) -> Iterator[Failure]:
    """A variable that nothing was assigned to."""
    operand = step.node.operands[0]
    exception = "UnboundLocalError" if isinstance(operand, Local) else "NameError"
    yield Failure(exception, tags.is_undefined(step.value(operand)))


def copy(step: Step) -> None:
    """The same value."""
    if step.post is not None:
        step.define(step.value(step.node.operands[0]))


def delete(step: Step) -> None:
    """Nothing any more."""
    step.define(literals.UNDEFINED)


def assume(step: Step) -> None:
    """The condition went that way."""
    truth = truth_of(step, 0)
    step.need(truth if step.node.detail else not_(truth))


def negated(step: Step) -> None:
    """``not value``."""
    if step.post is not None:
        step.define(tags.of(not_(truth_of(step, 0))))


def truth_of(step: Step, place: int) -> Term:
    """Whether the operand counts as true. An object without a size is taken to be true."""
    value = step.value(step.node.operands[place])
    held = tags.tags_of(value)
    known = step.types(place)
    if held == {Tag.TRUTH} or known == {"bool"}:
        return tags.truth_in(value)
    cases: list[tuple[Term, Term]] = []
    if may_be(step, place, "bool") and Tag.TRUTH in held:
        cases.append((tags.is_truth(value), tags.truth_in(value)))
    if may_be(step, place, "int") and Tag.INTEGER in held:
        cases.append((tags.is_integer(value), not_(equal(tags.integer_in(value), literals.integer(0)))))
    if may_be(step, place, "float") and Tag.REAL in held:
        cases.append((tags.is_real(value), not_(equal(tags.real_in(value), literals.real(0.0)))))
    if may_be(step, place, "str") and Tag.TEXT in held:
        cases.append((tags.is_text(value), not_(equal(tags.text_in(value), literals.text("")))))
    if may_be(step, place, "bytes") and Tag.BYTES in held:
        cases.append((tags.is_bytes(value), not_(equal(texts.length(tags.bytes_in(value)), literals.integer(0)))))
    sized = candidates(step, place, tuple(name for name in ITERABLE if name not in ("str", "bytes")))
    if sized and Tag.REFERENCE in held:
        cases.append((tags.is_reference(value), _has_something(step, value, sized)))
    found = not_(or_(tags.is_none(value), tags.is_undefined(value)))
    for condition, truth in reversed(cases):
        found = choice(condition, truth, found)
    return found


def _has_something(step: Step, value: Term, sized: list[str]) -> Term:
    size = arrays.select(step.array("size"), tags.reference_in(value))
    if step.path.is_wide:
        return not_(equal(size, literals.integer(0)))  # of other classes too, where they have one
    empty = and_(one_of(step, value, sized), equal(size, literals.integer(0)))
    return not_(empty) if empty.op is not Op.LITERAL else literals.TRUE
