"""Lists, tuples, sets and dicts that are made, and texts that are put together."""

from __future__ import annotations

from functools import reduce

from crashwright.core.terms import Sort, Term
from crashwright.symbolic.ir.nodes import Display
from crashwright.symbolic.semantics.builtin_types import CONTAINERS
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import arrays, literals, tags, texts
from crashwright.symbolic.values.logic import equal


def display(step: Step) -> None:
    """A new object. What it holds is a fact about it; nothing in the heap is overwritten."""
    if step.post is None:
        return
    wanted = step.node.detail
    assert isinstance(wanted, Display)
    if wanted.kind == "generator":
        step.define(step.value(step.node.operands[0]))  # it gives what the list of all that it gives has
        return
    if wanted.starred:
        step.define(_with_parts(step, wanted))
        return
    values = step.values()
    if wanted.kind in ("list", "tuple"):
        step.define(step.made(CONTAINERS[wanted.kind][0], values))
    else:
        step.define(_keyed(step, wanted.kind, values))


def _with_parts(step: Step, wanted: Display) -> Term:
    """With the parts of others: one behind the other in sequences; which keys it has then is not modelled."""
    address = CONTAINERS[wanted.kind][0]
    if wanted.kind not in ("list", "tuple"):
        held = step.path.allocated()
        step.fact(equal(step.class_of(held), literals.class_named(address)))
        step.path.unmodelled.append(f"a {wanted.kind} with parts of another")
        return tags.of(held)
    values = step.values()
    pieces: list[Term] = []
    start = 0
    for place in wanted.starred:
        whole = values[place]
        step.suppose(step.is_exactly(whole, "builtins:list", "builtins:tuple"))
        pieces += [step.made(address, values[start:place]), whole]
        start = place + 1
    pieces.append(step.made(address, values[start:]))
    return reduce(lambda one, other: step.put_together(address, one, other), pieces)


def _keyed(step: Step, kind: str, values: list[Term]) -> Term:
    held = step.path.allocated()
    step.fact(equal(step.class_of(held), literals.class_named(CONTAINERS[kind][0])))
    keys, mapped = (values[::2], values[1::2]) if kind == "dict" else (values, [])
    has = arrays.same(Sort.KEYS, literals.FALSE)
    for key in keys:
        has = arrays.store(has, key, literals.TRUE)
    step.fact(equal(arrays.select(step.array("keys"), held), has))
    if kind == "dict":
        known = arrays.same(Sort.MAPPING, literals.UNDEFINED)
        for key, value in zip(keys, mapped, strict=True):
            known = arrays.store(known, key, value)
        step.fact(equal(arrays.select(step.array("mappings"), held), known))
    size = arrays.select(step.array("size"), held)
    if all(key.args and key.args[0].op is key.args[0].op.LITERAL for key in keys):
        step.fact(equal(size, literals.integer(len(set(keys)))))
    else:
        step.fact(equal(size, step.path.not_modelled(Sort.INTEGER, "how many keys are different")))
    return tags.of(held)


def field_text(step: Step) -> None:
    """A field of an f-string: texts as they are, integers by their digits."""
    if step.post is None:
        return
    value = step.value(step.node.operands[0])
    if len(step.node.operands) > 1 or step.node.detail:
        step.unknown("a formatted value")
    elif tags.tags_of(value) == {tags.Tag.TEXT} or step.types(0) == {"str"}:
        step.define(value)
    elif tags.tags_of(value) == {tags.Tag.INTEGER} or step.types(0) == {"int"}:
        step.define(tags.of(texts.text_of_integer(tags.integer_in(value))))
    else:
        step.define(tags.of(step.path.not_modelled(Sort.TEXT, "a formatted value")))


def joined_text(step: Step) -> None:
    """An f-string."""
    if step.post is not None:
        parts = [tags.text_in(one) for one in step.values()]
        step.define(tags.of(texts.concatenate(*parts) if parts else literals.text("")))
