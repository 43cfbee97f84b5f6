"""Types of values as conditions, and what is known of them before."""

from __future__ import annotations

from crashwright.core.terms import Term
from crashwright.symbolic.semantics.builtin_types import CONTAINERS, SCALARS
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import literals, tags
from crashwright.symbolic.values.logic import and_, equal, or_
from crashwright.symbolic.values.tags import Tag


def has_type(step: Step, value: Term, name: str) -> Term:
    """Whether a value is of the type that a message names, or an annotation: exactly that, and no subclass."""
    return step.has_type(value, name)


def may_be(step: Step, place: int, *names: str) -> bool:
    """Whether the operand can be of one of the types."""
    known = step.types(place)
    return not known or any(name in known for name in names)


def candidates(step: Step, place: int, names: tuple[str, ...]) -> list[str]:
    """Of the types those that the operand can be."""
    value = step.value(step.node.operands[place])
    held = tags.tags_of(value)
    known = step.types(place)
    return [
        name for name in names if (not known or name in known) and (SCALARS[name][0] if name in SCALARS else Tag.REFERENCE) in held
    ]


def one_of(step: Step, value: Term, names: list[str]) -> Term:
    """Whether it is of one of the types."""
    scalars = [has_type(step, value, name) for name in names if name in SCALARS]
    held = [literals.class_named(CONTAINERS[name][0]) for name in names if name in CONTAINERS]
    if held:
        which = step.class_of(tags.reference_in(value))
        scalars.append(and_(tags.is_reference(value), or_(*[equal(which, one) for one in held])))
    return or_(*scalars)
