"""Methods of texts, by name: when they fail, and what they return. Calls with literal arguments are terms of their own
(``core.text_calls``), which are computed on live texts; what is cut out at a separator is said by where that is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from crashwright.core.terms import Op, Term
from crashwright.core.text_calls import CHANGES, NUMBERS, TESTS, TextCall
from crashwright.symbolic.ir.nodes import Constant
from crashwright.symbolic.semantics.failure import Failure
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import arrays, literals, numbers, tags, texts
from crashwright.symbolic.values.logic import and_, choice, equal, not_, or_
from crashwright.symbolic.values.tags import Tag

ZERO, ONE = literals.integer(0), literals.integer(1)
_MOST_PARTS: Final = 4
"""Parts of a text that was split of which it is said what they are."""


def is_text(step: Step, place: int) -> bool:
    """Whether the operand may be a text."""
    held = tags.tags_of(step.value(step.node.operands[place]))
    return Tag.TEXT in held and (not step.types(place) or "str" in step.types(place))


def text_of(step: Step, place: int = 0) -> Term:
    """The operand as a text; that it is one is asserted."""
    value = step.value(step.node.operands[place])
    step.suppose(tags.is_text(value))
    return tags.text_in(value)


def literal_arguments(step: Step) -> tuple[str | int | None, ...] | None:
    """The arguments behind the receiver, where all are literals."""
    found: list[str | int | None] = []
    for operand in step.node.operands[1:]:
        value = step.value(operand)
        inner = value.args[0] if value.args else value
        if value.op is Op.NONE:
            found.append(None)
        elif inner.op is Op.LITERAL and isinstance(inner.payload, (str, int)) and not isinstance(inner.payload, bool):
            found.append(inner.payload)
        else:
            return None
    return tuple(found)


def _called(name: str) -> Callable[[Step], Term | None]:
    """A call that makes a text, a truth or a number."""

    def found(step: Step) -> Term | None:
        args = literal_arguments(step)
        if args is None or not is_text(step, 0) or TextCall(name, args).of("") is None:
            return None
        if name == "strip" and not args:
            return tags.of(texts.stripped(text_of(step)))
        return tags.of(texts.called(text_of(step), TextCall(name, args)))

    return found


def _cased(change: Callable[[Term], Term]) -> Callable[[Step], Term | None]:
    def found(step: Step) -> Term | None:
        return tags.of(change(text_of(step))) if len(step.node.operands) == 1 and is_text(step, 0) else None

    return found


def _bounded(test: Callable[[Term, Term], Term]) -> Callable[[Step], Term | None]:
    """``startswith`` and ``endswith``, of one text or of a tuple of literals."""

    def found(step: Step) -> Term | None:
        if len(step.node.operands) != 2 or not is_text(step, 0):
            return None
        wanted = step.node.operands[1]
        if isinstance(wanted, Constant) and isinstance(wanted.value, tuple):
            whole = text_of(step)
            return tags.of(or_(*[test(whole, literals.text(one)) for one in wanted.value if isinstance(one, str)]))
        return tags.of(test(text_of(step), text_of(step, 1))) if is_text(step, 1) else None

    return found


def find(step: Step) -> Term | None:
    """Also ``index``, where it does not fail."""
    if len(step.node.operands) not in (2, 3) or not is_text(step, 1):
        return None
    start = tags.integer_in(step.value(step.node.operands[2])) if len(step.node.operands) == 3 else ZERO
    step.suppose(numbers.less_equal(ZERO, start))
    return tags.of(texts.find(text_of(step), text_of(step, 1), start))


def _replace(step: Step) -> Term | None:
    args = literal_arguments(step)
    if args is not None:
        return _called("replace")(step)
    if len(step.node.operands) == 4 and step.value(step.node.operands[3]) == tags.of(ONE) and is_text(step, 1) and is_text(step, 2):
        return tags.of(texts.replace_first(text_of(step), text_of(step, 1), text_of(step, 2)))
    return None


def _partition(step: Step) -> Term | None:
    """What stands before the first separator, the separator, and what is behind it."""
    if len(step.node.operands) != 2 or not is_text(step, 0) or not is_text(step, 1):
        return None
    whole, separator = text_of(step), text_of(step, 1)
    place = texts.find(whole, separator, ZERO)
    absent, empty = numbers.less(place, ZERO), literals.text("")
    size = texts.length(separator)
    behind = texts.part(whole, numbers.add(place, size), texts.length(whole))
    parts = (
        choice(absent, whole, texts.part(whole, ZERO, place)),
        choice(absent, empty, separator),
        choice(absent, empty, behind),
    )
    return step.made("builtins:tuple", [tags.of(one) for one in parts])


def _rpartition(step: Step) -> Term | None:
    args = literal_arguments(step)
    if args is None or TextCall("rpartition", args).of("") is None or not is_text(step, 0):
        return None
    whole = text_of(step)
    calls = [TextCall("rpartition", args, place) for place in range(3)]
    return step.made("builtins:tuple", [tags.of(texts.called(whole, one)) for one in calls])


def _split(name: str) -> Callable[[Step], Term | None]:
    """A list: how many parts, and what the first ones and the last one are."""

    def found(step: Step) -> Term | None:
        args = literal_arguments(step)
        if not is_text(step, 0):
            return None
        if args is None or TextCall(name, args, counted=True).of("") is None:
            return _split_by(step) if name == "split" and len(step.node.operands) == 2 and is_text(step, 1) else None
        whole = text_of(step)
        held = step.path.allocated()
        step.fact(equal(step.class_of(held), literals.class_named("builtins:list")))
        size = texts.called(whole, TextCall(name, args, counted=True))
        step.fact(equal(arrays.select(step.array("size"), held), size))
        step.suppose(numbers.less_equal(ZERO, size))
        elements = arrays.select(step.array("elements"), held)
        most = args[1] + 1 if len(args) > 1 and isinstance(args[1], int) and args[1] >= 0 else _MOST_PARTS
        for place in range(min(most, _MOST_PARTS)):
            part = _first(whole, args[0]) if name == "split" and not place and args and args[0] is not None else None
            part = part or texts.called(whole, TextCall(name, args, place))
            step.fact(equal(arrays.select(elements, literals.integer(place)), tags.of(part)))
        last = tags.of(texts.called(whole, TextCall(name, args, -1)))
        step.fact(equal(arrays.select(elements, numbers.add(size, literals.integer(-1))), last))
        return tags.of(held)

    return found


def _first(whole: Term, separator: object) -> Term:
    """What stands before the first separator."""
    place = texts.find(whole, literals.text(str(separator)), ZERO)
    return choice(numbers.less(place, ZERO), whole, texts.part(whole, ZERO, place))


def _split_by(step: Step) -> Term:
    """By a separator that is not known: there is one part at least, the first is what stands before the first separator."""
    whole, separator = text_of(step), text_of(step, 1)
    held = step.path.allocated()
    step.fact(equal(step.class_of(held), literals.class_named("builtins:list")))
    size = step.size(held)
    place = texts.find(whole, separator, ZERO)
    alone = numbers.less(place, ZERO)
    step.need(choice(alone, equal(size, ONE), numbers.less(ONE, size)))
    first = arrays.select(arrays.select(step.array("elements"), held), ZERO)
    step.need(equal(first, tags.of(choice(alone, whole, texts.part(whole, ZERO, place)))))
    return tags.of(held)


def _index_fails(step: Step) -> Iterator[Failure]:
    if len(step.node.operands) == 2:
        value, part = step.values()
        absent = not_(texts.contains(tags.text_in(value), tags.text_in(part)))
        yield Failure("ValueError", and_(tags.is_text(value), tags.is_text(part), absent), (value,), part)


def _separator_fails(step: Step) -> Iterator[Failure]:
    """An empty separator."""
    if len(step.node.operands) > 1:
        value, separator = step.values()[:2]
        empty = equal(tags.text_in(separator), literals.text(""))
        yield Failure("ValueError", and_(tags.is_text(value), tags.is_text(separator), empty), (value,), separator)


def _join_fails(step: Step) -> Iterator[Failure]:
    """What has no parts, and a first part that is no text."""
    if len(step.node.operands) == 2:
        value, parts = step.values()
        yield Failure("TypeError", and_(tags.is_text(value), tags.is_none(parts)), (parts,))
        scalar = or_(*[tags.is_(tag, parts) for tag in (Tag.TRUTH, Tag.INTEGER, Tag.REAL)])
        yield Failure("TypeError", and_(tags.is_text(value), scalar), (parts,))
        held = tags.reference_in(parts)
        some = numbers.less(ZERO, arrays.select(step.array("size"), held))
        first = arrays.select(arrays.select(step.array("elements"), held), ZERO)
        listed = step.is_exactly(parts, "builtins:list", "builtins:tuple")
        yield Failure("TypeError", and_(tags.is_text(value), listed, some, not_(tags.is_text(first))), (first,))


def _encode_fails(step: Step) -> Iterator[Failure]:
    """Letters that a small encoding has not."""
    args = literal_arguments(step)
    value = step.value(step.node.operands[0])
    encoding = (args[0] if args else "utf-8") if args is not None else None
    if not isinstance(encoding, str) or (args is not None and len(args) > 1):
        return
    name = encoding.lower().replace("_", "-")
    fitting = {"ascii": r"[\x00-\x7f]*", "us-ascii": r"[\x00-\x7f]*", "latin-1": r"[\x00-\xff]*", "iso-8859-1": r"[\x00-\xff]*"}
    pattern = fitting.get(name)
    if pattern is not None:
        yield Failure("UnicodeEncodeError", and_(tags.is_text(value), not_(texts.matches(tags.text_in(value), pattern))), (value,))


RESULTS: Final[dict[str, Callable[[Step], Term | None]]] = {
    **{name: _called(name) for name in sorted(CHANGES | TESTS | NUMBERS)},
    "upper": _cased(texts.upper),
    "lower": _cased(texts.lower),
    "startswith": _bounded(texts.starts),
    "endswith": _bounded(texts.ends),
    "find": find,
    "replace": _replace,
    "partition": _partition,
    "rpartition": _rpartition,
    **{name: _split(name) for name in ("split", "rsplit", "splitlines")},
}
FAILURES: Final[dict[str, Callable[[Step], Iterator[Failure]]]] = {
    "index": _index_fails,
    "rindex": _index_fails,
    **dict.fromkeys(("split", "rsplit", "partition", "rpartition"), _separator_fails),
    "join": _join_fails,
    "encode": _encode_fails,
}
