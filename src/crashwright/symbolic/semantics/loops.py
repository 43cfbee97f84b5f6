"""Iteration and unpacking.

An iterator is the object that it goes through, and a place in it: a variable of its own beside the iterator's. What a lazy builtin
makes (``range``, ``enumerate``, ``zip``, ``map``, ``reversed``, the views of a dict) is looked through to its arguments, where the
call stands in the function. Mappings and sets are gone through in an unknown order: each part is one of their keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from crashwright.core.terms import Sort, Term
from crashwright.symbolic.ir.nodes import Call, Constant, Global, Kind, Local, MethodCallee, NamedCallee, Node, Operand, Unpacked
from crashwright.symbolic.semantics.builtin_types import CONTAINERS, ITERABLE, SEQUENCES
from crashwright.symbolic.semantics.failure import Failure
from crashwright.symbolic.semantics.kinds import has_type, one_of
from crashwright.symbolic.semantics.path import PathActivation, Variable
from crashwright.symbolic.semantics.program import Types
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import arrays, literals, numbers, tags, texts
from crashwright.symbolic.values.logic import and_, choice, equal, not_, or_
from crashwright.symbolic.values.tags import Tag

LAZY = frozenset({"range", "enumerate", "reversed", "zip", "map"})
VIEWS = frozenset({"items", "keys", "values"})
_USUAL = ("list", "tuple")
_SCALARS = (Tag.NONE, Tag.TRUTH, Tag.INTEGER, Tag.REAL)


def iterating_fails(step: Step) -> Iterator[Failure]:
    """``iter(object)`` of what has no parts."""
    if lazy_call(step, step.node.operands[0]) is None:
        value = step.value(step.node.operands[0])
        yield Failure("TypeError", or_(*[tags.is_(tag, value) for tag in _SCALARS]), (value,))


def iterate(step: Step) -> None:
    """At the first part of the object."""
    place = step.taken(_place_of(step, step.node.target))
    if place is not None:
        step.say(place, literals.integer(0))
    if step.post is not None:
        step.define(step.value(step.node.operands[0]))


def more(step: Step) -> None:
    """Whether the place is before the end."""
    if step.post is not None:
        place = _place(step)
        size = count(step, _iterated(step))
        step.define(tags.of(numbers.less(place, size)))


def next_part(step: Step) -> None:
    """The part at the place; then the place is one further."""
    after = step.taken(_place_of(step, _iterator(step)))
    place = _place(step)
    if after is not None:
        step.say(after, numbers.add(place, literals.integer(1)))
    step.need(numbers.less_equal(literals.integer(0), place))
    if step.post is not None:
        step.define(part(step, _iterated(step), place))


def part(step: Step, operand: Operand, place: Term) -> Term:
    """What an iterable has at a place, counted from 0."""
    call = lazy_call(step, operand)
    if call is not None:
        return _lazy_part(step, call, place)
    value = step.value(operand)
    names = _kinds(step, operand, value)
    held = tags.reference_in(value)
    found: Term | None = None
    if any(name in SEQUENCES for name in names):
        found = arrays.select(arrays.select(step.array("elements"), held), place)
    keyed = [name for name in names if name in ("dict", "set", "frozenset")]
    if keyed:
        key = step.path.fresh(Sort.VALUE, "key")
        step.need(or_(not_(one_of(step, value, keyed)), arrays.select(arrays.select(step.array("keys"), held), key)))
        found = key if found is None else choice(one_of(step, value, keyed), key, found)
    if "str" in names:
        letter = tags.of(texts.part(tags.text_in(value), place, literals.integer(1)))
        found = letter if found is None else choice(tags.is_text(value), letter, found)
    if "bytes" in names:
        octet = tags.of(texts.byte_at(tags.bytes_in(value), place))
        found = octet if found is None else choice(tags.is_bytes(value), octet, found)
    return step.path.not_modelled(Sort.VALUE, "a part of an iterable that is not known") if found is None else found


def count(step: Step, operand: Operand) -> Term:
    """How many parts an iterable has."""
    call = lazy_call(step, operand)
    if call is not None:
        return _lazy_count(step, call)
    value = step.value(operand)
    names = _kinds(step, operand, value)
    found: Term | None = None
    if any(name not in ("str", "bytes") for name in names):
        found = step.size(tags.reference_in(value))
    for name, whole in (("str", tags.text_in(value)), ("bytes", tags.bytes_in(value))):
        if name in names:
            found = texts.length(whole) if found is None else choice(has_type(step, value, name), texts.length(whole), found)
    return step.path.not_modelled(Sort.INTEGER, "the length of an iterable") if found is None else found


def lazy_call(step: Step, operand: Operand) -> Node | None:
    """The one call of a lazy builtin that makes the operand."""
    makers = [one for one in step.function.nodes if one.target == operand] if isinstance(operand, Local) else []
    if len(makers) != 1 or not all(_is_settled(step, one) for one in makers[0].operands if not isinstance(one, Global)):
        return None
    (maker,) = makers
    if any(isinstance(one, Global) for one in maker.operands) and called_text(maker) != "map":
        return None
    if maker.kind is Kind.ITERATE:
        return lazy_call(step, maker.operands[0])
    if maker.kind is not Kind.CALL or not isinstance(maker.detail, Call) or any(maker.detail.passed):
        return None
    callee = maker.detail.callee
    if isinstance(callee, NamedCallee) and callee.text in LAZY:
        return maker
    return maker if isinstance(callee, MethodCallee) and callee.name in VIEWS and len(maker.operands) == 1 else None


def called_text(node: Node) -> str:
    """The name that a call has for what it calls; "" for another instruction."""
    callee = node.detail.callee if isinstance(node.detail, Call) else None
    return callee.text if isinstance(callee, NamedCallee) else ""


def _is_settled(step: Step, operand: Operand) -> bool:
    """Whether it has one value throughout: an iterator looks at its arguments later than they were passed."""
    if isinstance(operand, Constant):
        return True
    writers = sum(one.target == operand for one in step.function.nodes)
    is_parameter = isinstance(operand, Local) and any(one.name == operand.name for one in step.function.parameters)
    return isinstance(operand, Local) and writers + is_parameter <= 1


def unpacking_fails(step: Step) -> Iterator[Failure]:
    """``a, b = object`` of what has no parts, or another number of them."""
    operand = step.node.operands[0]
    value = step.value(operand)
    yield Failure("TypeError", or_(*[tags.is_(tag, value) for tag in _SCALARS]), (value,))
    wanted = step.node.detail
    if isinstance(wanted, Unpacked):
        size = count(step, operand)
        least = literals.integer(wanted.before + wanted.behind)
        fits = numbers.less_equal(least, size) if wanted.starred else equal(size, least)
        yield Failure("ValueError", and_(not_(or_(*[tags.is_(tag, value) for tag in _SCALARS])), not_(fits)), (value,), size)


def unpack(step: Step) -> None:
    """The parts are the object's."""
    if step.post is not None:
        step.define(step.value(step.node.operands[0]))


def element(step: Step) -> None:
    """One part of what was unpacked."""
    if step.post is None:
        return
    source, place = step.node.operands[0], step.node.detail
    if not isinstance(place, int):
        step.unknown("a starred target")
    elif place >= 0:
        step.define(part(step, source, literals.integer(place)))
    else:
        step.define(part(step, source, numbers.add(count(step, source), literals.integer(place))))


def _kinds(step: Step, operand: Operand, value: Term) -> list[str]:
    """What an iterable may be. Where nothing is known of it, a list or a tuple: other ways are left out."""
    known = step.types_of(operand) or _types_of_source(step, operand, value)
    held = tags.tags_of(value)
    if not known and Tag.REFERENCE in held:
        step.suppose(step.is_exactly(value, *[CONTAINERS[name][0] for name in _USUAL]))
        return list(_USUAL)
    return [
        name
        for name in ITERABLE
        if name in known and (Tag.TEXT if name == "str" else Tag.BYTES if name == "bytes" else Tag.REFERENCE) in held
    ]


def _types_of_source(step: Step, iterator: Operand, value: Term) -> Types:
    """What an iterator goes through, by what it was made of."""
    makers = [one for one in step.function.nodes if one.target == iterator and one.kind is Kind.ITERATE]
    if len(makers) != 1 or not _is_settled(step, makers[0].operands[0]):
        return frozenset()
    known = step.known_types(makers[0].operands[0])
    if known or not step.assumes:
        return known
    likely = step.program.likely(step.function, step.node, makers[0].operands[0]) & frozenset(ITERABLE)
    if likely:
        step.need(one_of(step, value, sorted(likely)))
    return likely


def _lazy_part(step: Step, call: Node, place: Term) -> Term:
    assert isinstance(call.detail, Call)
    callee = call.detail.callee
    if isinstance(callee, MethodCallee):
        key = part(step, call.operands[0], place)
        if callee.name == "keys":
            return key
        mapped = arrays.select(arrays.select(step.array("mappings"), tags.reference_in(step.value(call.operands[0]))), key)
        return mapped if callee.name == "values" else step.made("builtins:tuple", [key, mapped])
    if callee.text == "range" if isinstance(callee, NamedCallee) else False:
        start, _, by = _range(step, call)
        return tags.of(numbers.add(start, numbers.multiply(place, by)))
    if isinstance(callee, NamedCallee) and callee.text == "zip":
        return step.made("builtins:tuple", [part(step, one, place) for one in call.operands])
    if isinstance(callee, NamedCallee) and callee.text == "map":
        return step.path.not_modelled(Sort.VALUE, "what map() makes")
    inner = part(step, call.operands[0], place)
    if isinstance(callee, NamedCallee) and callee.text == "reversed":
        last = numbers.subtract(count(step, call.operands[0]), literals.integer(1))
        return part(step, call.operands[0], numbers.subtract(last, place))
    start = tags.integer_in(step.value(call.operands[1])) if len(call.operands) > 1 else literals.integer(0)
    return step.made("builtins:tuple", [tags.of(numbers.add(start, place)), inner])


def _lazy_count(step: Step, call: Node) -> Term:
    assert isinstance(call.detail, Call)
    callee = call.detail.callee
    if isinstance(callee, NamedCallee) and callee.text == "range":
        start, stop, by = _range(step, call)
        if by == literals.integer(1):
            return numbers.subtract(stop, start)
        if by == literals.integer(-1):
            return numbers.subtract(start, stop)
        reach = numbers.add(numbers.subtract(stop, start), numbers.subtract(by, literals.integer(1)))
        return numbers.quotient(reach, by)
    text = callee.text if isinstance(callee, NamedCallee) else ""
    gone_through = {"zip": call.operands, "map": call.operands[1:]}.get(text, call.operands[:1])
    sizes = [count(step, one) for one in gone_through]
    return reduce(lambda one, other: choice(numbers.less(other, one), other, one), sizes) if sizes else literals.integer(0)


def _range(step: Step, call: Node) -> tuple[Term, Term, Term]:
    given = [tags.integer_in(step.value(one)) for one in call.operands]
    if len(given) == 1:
        return literals.integer(0), given[0], literals.integer(1)
    return given[0], given[1], given[2] if len(given) > 2 else literals.integer(1)


def _iterator(step: Step) -> Local:
    operand = step.node.operands[0]
    assert isinstance(operand, Local)
    return operand


def _iterated(step: Step) -> Operand:
    """The iterator as an operand: its value is the object that it goes through."""
    return _iterator(step)


def _place(step: Step) -> Term:
    return step.version(_place_of(step, _iterator(step)), Sort.INTEGER, "place")


def _place_of(step: Step, iterator: object) -> Variable:
    return place_of(step.activation, iterator)


def place_of(activation: PathActivation, iterator: object) -> Variable:
    """The variable that says how far an iterator has come."""
    assert isinstance(iterator, Local)
    return Variable(activation.number, Local(f"{iterator.name}, place"))
