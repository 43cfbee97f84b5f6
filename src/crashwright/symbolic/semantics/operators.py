"""Operators and comparisons: ``values.operations`` and ``values.comparisons`` say what they make of scalars, and here it is said
what they make of containers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crashwright.core.terms import Sort, Term
from crashwright.symbolic.ir.nodes import Binary, Constant, Display, Kind
from crashwright.symbolic.ir.nodes import Operand as Place
from crashwright.symbolic.semantics.builtin_types import CONTAINERS, SCALARS, SEQUENCES
from crashwright.symbolic.semantics.failure import Failure
from crashwright.symbolic.semantics.kinds import has_type, may_be, one_of
from crashwright.symbolic.semantics.names import truth_of
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import arrays, literals, numbers, tags
from crashwright.symbolic.values.comparisons import compared, equals
from crashwright.symbolic.values.logic import and_, choice, equal, not_, or_
from crashwright.symbolic.values.operands import Operand, OperandOutcome, merged
from crashwright.symbolic.values.operations import binary, unary
from crashwright.symbolic.values.tags import DEFINED, Tag

_PLAIN = DEFINED - {Tag.TRUTH, Tag.REFERENCE, Tag.CLASS}
_IDENTICAL = frozenset({Tag.TEXT, Tag.NONE, Tag.BYTES, Tag.INTEGER})
"""Alternatives of which two values are equal where they are the same: of a bool and a number, and of two objects, more may be."""
_OF_ANYTHING = frozenset({"==", "!=", "is", "is not", "in", "not in"})


def operand(step: Step, place: int) -> Operand:
    """With what is known of its type."""
    value = step.value(step.node.operands[place])
    if step.node.detail in _OF_ANYTHING:
        known = step.known_types(step.node.operands[place])
    else:
        known = step.types(place)
    if not known:
        # A bool counts as a number, and is hardly ever meant as one: what it alone would allow is left out. So is what objects of
        # classes that are not known make of an operator.
        plain = _PLAIN if step.assumes else DEFINED if step.path.is_wide else DEFINED - {Tag.TRUTH}
        return Operand(value, DEFINED if step.node.detail in _OF_ANYTHING else plain)
    held = frozenset(SCALARS[name][0] if name in SCALARS else Tag.REFERENCE for name in known)
    return Operand(value, (held | ({Tag.CLASS} if Tag.REFERENCE in held else frozenset())) & DEFINED)


def operation_fails(step: Step) -> Iterator[Failure]:
    """Types that the operator does not take; divisors that are zero, and the like."""
    outcomes = _outcomes(step)
    subjects = tuple(step.values())
    supported = or_(*[one.guards[0].condition for one in outcomes if one.guards])
    if step.node.kind is not Kind.COMPARE or step.node.detail not in ("is", "is not", "==", "!="):
        yield Failure("TypeError", or_(not_(supported), _filled_in(step)), subjects)
    for one in outcomes:
        for guard in one.guards[1:]:
            yield Failure(guard.raises, and_(one.guards[0].condition, not_(guard.condition)), subjects)


def _filled_in(step: Step) -> Term:
    """``text % values`` fails for what the text asks for; on the way to a crash it did not."""
    if step.assumes or _operator(step) != "%" or step.node.kind is not Kind.BINARY:
        return literals.FALSE
    left = operand(step, 0)
    texts = or_(*[tags.is_(tag, left.value) for tag in (Tag.TEXT, Tag.BYTES) if tag in left.possible])
    return (
        and_(texts, step.path.not_modelled(Sort.TRUTH, "whether the text takes such values")) if texts != literals.FALSE else texts
    )


def operation(step: Step) -> None:
    """The result, where it is modelled."""
    if step.post is None:
        return
    special = _of_containers(step) or _by_identity(step)
    if special is not None:
        step.define(special)
        return
    found = merged(_outcomes(step))
    if found.result is None:
        step.unknown(found.reason or f"the operator {_operator(step)}")
        return
    step.suppose(found.condition)
    if found.reason:
        step.path.unmodelled.append(found.reason)
    step.define(found.result)


def negation(step: Step) -> None:
    """``not``, ``-``, ``+`` and ``~``."""
    if step.node.detail == "not":
        if step.post is not None:
            step.define(tags.of(not_(truth_of(step, 0))))
    else:
        operation(step)


def negation_fails(step: Step) -> Iterator[Failure]:
    """``-`` of what is no number."""
    if step.node.detail != "not":
        yield from operation_fails(step)


def _outcomes(step: Step) -> Sequence[OperandOutcome]:
    if step.node.kind is Kind.UNARY:
        return unary(_operator(step), operand(step, 0))
    left, right = operand(step, 0), operand(step, 1)
    return compared(_operator(step), left, right) if step.node.kind is Kind.COMPARE else binary(_operator(step), left, right)


def _operator(step: Step) -> str:
    detail = step.node.detail
    return detail.operator if isinstance(detail, Binary) else str(detail)


def _of_containers(step: Step) -> Term | None:
    """``in`` of containers, ``==`` of objects, and a list put together of two; None where scalars may be meant."""
    operator = _operator(step)
    if operator in ("in", "not in") and not may_be(step, 1, "str", "bytes"):
        inside = _contained(step)
        return tags.of(inside if operator == "in" else not_(inside))
    if operator in ("in", "not in") and not step.types(1):
        inside = choice(tags.is_reference(step.value(step.node.operands[1])), _contained(step), _in_text(step))
        return tags.of(inside if operator == "in" else not_(inside))
    if operator == "+" and step.types(0) and step.types(0) <= {"list", "tuple"} and step.types(0) == step.types(1):
        return step.put_together(CONTAINERS[next(iter(step.types(0)))][0], *step.values())
    if operator in ("==", "!=") and _are_objects(step):
        left, right = step.values()
        same = or_(equal(left, right), step.path.not_modelled(Sort.TRUTH, "equality of objects"))
        return tags.of(same if operator == "==" else not_(same))
    return None


def _by_identity(step: Step) -> Term | None:
    """``==`` where nothing says that bools or floats are meant: that numbers of different types may be equal is left out."""
    operator = _operator(step)
    if step.node.kind is not Kind.COMPARE or operator not in ("==", "!="):
        return None
    sides = operand(step, 0), operand(step, 1)
    mixed = frozenset({Tag.TRUTH, Tag.REAL})
    if any(one.possible <= mixed for one in sides):
        return None
    for one in sides:
        step.suppose(not_(or_(*[tags.is_(tag, one.value) for tag in (Tag.TRUTH, Tag.REAL) if tag in one.possible])))
    same = equal(sides[0].value, sides[1].value)
    objects = and_(*[tags.is_reference(one.value) for one in sides])
    if objects != literals.FALSE:
        step.suppose(not_(objects))
    return tags.of(same if operator == "==" else not_(same))


def _are_objects(step: Step) -> bool:
    return all(step.types(place) and not step.types(place) & SCALARS.keys() for place in (0, 1))


def _among(step: Step) -> Term | None:
    """Whether the left is one of what a display or a constant on the right of ``in`` holds; None where it is neither."""
    right = step.node.operands[1]
    if isinstance(right, Constant):
        held = right.value if isinstance(right.value, (tuple, frozenset)) else None
        members = None if held is None else [_constant_member(step, one) for one in held]
    else:
        makers = [one for one in step.function.nodes if one.target == right]
        detail = makers[0].detail if len(makers) == 1 else None
        if not isinstance(detail, Display) or detail.kind not in ("list", "tuple", "set") or detail.starred:
            return None
        members = [_member(step, one) for one in makers[0].operands]
    if members is None:
        return None
    known = [one for one in members if one is not None]
    left = operand(step, 0)
    if all(tags.tags_of(one) <= _IDENTICAL for one in known):
        if any(Tag.INTEGER in tags.tags_of(one) for one in known):
            step.suppose(not_(or_(tags.is_truth(left.value), tags.is_real(left.value))))
        same = [equal(left.value, one) for one in known]
    else:
        same = [equals(left, Operand(one)) for one in known]
    objects = len(known) < len(members) or any(Tag.REFERENCE in tags.tags_of(one) for one in known)
    return or_(*same, *([step.path.not_modelled(Sort.TRUTH, "whether it equals an object in there")] if objects else []))


def _constant_member(step: Step, value: object) -> Term | None:
    """None for a collection."""
    return None if isinstance(value, (tuple, frozenset)) else step.constant(value)


def _member(step: Step, part: Place) -> Term | None:
    """None for a collection that is written down there, whose equality is not modelled."""
    if isinstance(part, Constant):
        return _constant_member(step, part.value)
    is_display = any(isinstance(one.detail, Display) for one in step.function.nodes if one.target == part)
    return None if is_display else step.value(part)


def _in_text(step: Step) -> Term:
    outcomes = [one for one in compared("in", operand(step, 0), operand(step, 1)) if one.result is not None]
    found = merged(outcomes).result if outcomes else None
    return step.path.not_modelled(Sort.TRUTH, "what is in an object") if found is None else tags.truth_in(found)


def _contained(step: Step) -> Term:
    """Keys are known; of a sequence one element is the one, or there is no such known."""
    among = _among(step)
    if among is not None:
        return among
    value, whole = step.values()
    if not step.types(1):
        # Objects that say themselves what they contain are left out.
        step.suppose(one_of(step, whole, ["str", "bytes", *CONTAINERS]))
    held = tags.reference_in(whole)
    keyed = [name for name in ("dict", "set", "frozenset") if may_be(step, 1, name)]
    listed = [name for name in SEQUENCES if may_be(step, 1, name)]
    own = not step.types(1) <= {*CONTAINERS, "str", "bytes", "NoneType"}
    found: Term = step.path.not_modelled(Sort.TRUTH, "what an object contains") if own else literals.FALSE
    if listed:
        place, inside = step.path.fresh(Sort.INTEGER, "place"), step.path.fresh(Sort.TRUTH, "inside")
        element = arrays.select(arrays.select(step.array("elements"), held), place)
        there = and_(numbers.less_equal(literals.integer(0), place), numbers.less(place, step.size(held)), equal(element, value))
        step.need(or_(not_(inside), there))
        empty = equal(step.size(held), literals.integer(0))
        step.need(or_(not_(empty), not_(inside)))
        found = choice(one_of(step, whole, listed), inside, found)
    if keyed:
        has = arrays.select(arrays.select(step.array("keys"), held), value)
        found = choice(one_of(step, whole, keyed), has, found) if listed or len(keyed) < 3 else has
        if set(step.types(1)) <= set(keyed) and step.types(1):
            step.suppose(or_(*[has_type(step, whole, name) for name in keyed if name in step.types(1)]))
            return has
    return found
