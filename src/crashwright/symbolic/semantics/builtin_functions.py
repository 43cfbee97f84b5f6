"""Functions of the builtins, by name: when they fail, and what they return. Those that are not here return what is not known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from crashwright.core.terms import Sort, Term
from crashwright.symbolic.ir.nodes import Constant, Global, Kind
from crashwright.symbolic.semantics import gathering
from crashwright.symbolic.semantics.attributes import dotted, held_by, lacks
from crashwright.symbolic.semantics.builtin_types import CONTAINERS, SCALARS
from crashwright.symbolic.semantics.failure import Failure
from crashwright.symbolic.semantics.kinds import has_type
from crashwright.symbolic.semantics.loops import count
from crashwright.symbolic.semantics.names import truth_of
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import literals, numbers, tags, texts
from crashwright.symbolic.values.logic import and_, choice, equal, not_, or_
from crashwright.symbolic.values.tags import Tag

_ABSTRACT_MODULES: Final = frozenset({"collections.abc", "typing", "numbers", "collections"})
_ABSTRACT: Final = {
    **dict.fromkeys(("Mapping", "MutableMapping"), ("dict",)),
    **dict.fromkeys(("Set", "MutableSet"), ("set", "frozenset")),
    "Sequence": ("list", "tuple", "str", "bytes", "deque"),
    "MutableSequence": ("list", "deque"),
    **dict.fromkeys(("Iterable", "Collection", "Container", "Sized"), (*CONTAINERS, "str", "bytes")),
    **dict.fromkeys(("Number", "Real", "Complex"), ("int", "float")),
    **dict.fromkeys(("Integral", "Rational"), ("int",)),
    "Hashable": ("NoneType", "int", "float", "str", "bytes", "tuple", "frozenset"),
}
"""Abstract classes, and the builtin types that belong to them."""
_NUMERIC: Final = (Tag.NONE, Tag.TRUTH, Tag.INTEGER, Tag.REAL)
_INTEGER: Final = r"[ \t\n\r\f\v]*[+-]?[0-9]+(?:_[0-9]+)*[ \t\n\r\f\v]*"
_FLOAT: Final = (
    r"[ \t\n\r\f\v]*[+-]?(?:(?:[0-9](?:_?[0-9])*)(?:\.(?:[0-9](?:_?[0-9])*)?)?(?:[eE][+-]?[0-9]+)?"
    r"|\.[0-9](?:_?[0-9])*(?:[eE][+-]?[0-9]+)?|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|[nN][aA][nN])[ \t\n\r\f\v]*"
)
_BY_BASE: Final = {
    2: r"[ \t\n\r\f\v]*[+-]?(?:0[bB]_?)?[01]+(?:_[01]+)*[ \t\n\r\f\v]*",
    8: r"[ \t\n\r\f\v]*[+-]?(?:0[oO]_?)?[0-7]+(?:_[0-7]+)*[ \t\n\r\f\v]*",
    16: r"[ \t\n\r\f\v]*[+-]?(?:0[xX]_?)?[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*[ \t\n\r\f\v]*",
}
_PLAIN_INTEGER: Final = r"-?[0-9]+"


def _len_fails(step: Step) -> Iterator[Failure]:
    value = step.value(step.node.operands[0])
    yield Failure("TypeError", or_(*[tags.is_(tag, value) for tag in _NUMERIC]), (value,))


def _len(step: Step) -> Term | None:
    return tags.of(count(step, step.node.operands[0]))


def _int_fails(step: Step) -> Iterator[Failure]:
    value = step.value(step.node.operands[0])
    if len(step.node.operands) == 1:
        yield Failure("TypeError", tags.is_none(value), (value,))
        text = tags.text_in(value)
        yield Failure("ValueError", and_(tags.is_text(value), not_(texts.matches(text, _INTEGER))), (value,), value)
    elif isinstance(step.node.operands[1], Constant) and step.node.operands[1].value in _BY_BASE:
        wrong = not_(texts.matches(tags.text_in(value), _BY_BASE[step.node.operands[1].value]))
        yield Failure("TypeError", tags.is_none(value), (value,))
        yield Failure("ValueError", and_(tags.is_text(value), wrong), (value,), value)


def _int(step: Step) -> Term | None:
    if len(step.node.operands) != 1:
        return None
    value = step.value(step.node.operands[0])
    number = tags.integer_in(value)
    held = tags.tags_of(value)
    known = step.types(0)
    found = number
    if Tag.TEXT in held and (not known or "str" in known):
        # Blanks and underscores are not read: such texts are left out, which is no wrong value.
        step.suppose(or_(not_(tags.is_text(value)), texts.matches(tags.text_in(value), _PLAIN_INTEGER)))
        found = choice(tags.is_text(value), texts.integer_of_text(tags.text_in(value)), found)
    if Tag.REAL in held and (not known or "float" in known):
        found = choice(tags.is_real(value), numbers.truncate(tags.real_in(value)), found)
    if Tag.TRUTH in held and (not known or "bool" in known):
        bit = choice(tags.truth_in(value), literals.integer(1), literals.integer(0))
        found = choice(tags.is_truth(value), bit, found)
    return tags.of(found)


def _str(step: Step) -> Term | None:
    if len(step.node.operands) != 1:
        return tags.of(literals.text("")) if not step.node.operands else None
    value = step.value(step.node.operands[0])
    other = step.path.not_modelled(Sort.TEXT, "str() of what is neither a text nor an integer")
    number = choice(tags.is_integer(value), texts.text_of_integer(tags.integer_in(value)), other)
    return tags.of(choice(tags.is_text(value), tags.text_in(value), number))


def _bool(step: Step) -> Term | None:
    return tags.of(truth_of(step, 0)) if step.node.operands else tags.of(literals.FALSE)


def _abs(step: Step) -> Term | None:
    value = step.value(step.node.operands[0])
    number, zero = tags.integer_in(value), literals.integer(0)
    step.suppose(tags.is_integer(value))
    return tags.of(choice(numbers.less(number, zero), numbers.subtract(zero, number), number))


def _extreme(greatest: bool) -> Callable[[Step], Term | None]:
    def found(step: Step) -> Term | None:
        if len(step.node.operands) == 1:
            return gathering.one_of_the_parts(step)
        if len(step.node.operands) != 2:
            return None
        one, other = step.values()
        step.suppose(and_(tags.is_integer(one), tags.is_integer(other)))
        first, second = tags.integer_in(one), tags.integer_in(other)
        is_first = numbers.less_equal(second, first) if greatest else numbers.less_equal(first, second)
        return tags.of(choice(is_first, first, second))

    return found


def _extreme_fails(step: Step) -> Iterator[Failure]:
    if len(step.node.operands) == 1:
        value = step.value(step.node.operands[0])
        yield Failure("TypeError", or_(*[tags.is_(tag, value) for tag in _NUMERIC]), (value,))
        empty = numbers.less_equal(count(step, step.node.operands[0]), literals.integer(0))
        yield Failure("ValueError", and_(*[not_(tags.is_(tag, value)) for tag in _NUMERIC], empty), (value,))


def _isinstance(step: Step) -> Term | None:
    value, wanted = step.value(step.node.operands[0]), step.node.operands[1]
    names = _class_names(step, wanted)
    if names is None:
        return None
    found = [_is_instance(step, value, name) for name in names if name in SCALARS or not step.path.is_wide]
    if len(found) < len(names):  # there may be classes below that no file here has
        exactly = or_(*[_is_instance(step, value, name) for name in names if name not in SCALARS])
        below = step.path.not_modelled(Sort.TRUTH, "what isinstance() returns")
        found.append(and_(tags.is_reference(value), or_(exactly, below)))
    return tags.of(or_(*found))


def _is_instance(step: Step, value: Term, name: str) -> Term:
    if name == "int":
        return or_(tags.is_integer(value), tags.is_truth(value))
    if name in SCALARS or name in CONTAINERS:
        return has_type(step, value, name)
    if name == "object":
        return literals.TRUE
    module, _, last = name.replace(":", ".").rpartition(".")
    if module in _ABSTRACT_MODULES and not step.program.is_class(name):
        known = or_(*[_is_instance(step, value, one) for one in _ABSTRACT.get(last, ())])
        others = and_(*[not_(has_type(step, value, one)) for one in CONTAINERS], tags.is_reference(value))
        return or_(known, and_(others, step.path.not_modelled(Sort.TRUTH, f"what is a {last}")))
    return step.is_exactly(value, *step.program.subclasses(name))


def _class_names(step: Step, operand: object) -> list[str] | None:
    """The classes that ``isinstance`` is asked about, where they are named."""
    if isinstance(operand, Global):
        address = _class_address(step, operand.name)
        return [address or operand.name] if address or operand.name in (*SCALARS, *CONTAINERS, "object") else None
    makers = [one for one in step.function.nodes if one.target == operand]
    if len(makers) == 1 and makers[0].kind is Kind.ATTRIBUTE:
        text = dotted(step, makers[0])
        address = _class_address(step, text) if text else None
        return [address] if address else None
    if len(makers) != 1 or makers[0].kind.value not in ("display", "load", "copy"):
        return None
    found = [_class_names(step, one) for one in makers[0].operands if not isinstance(one, Constant)]
    return None if None in found or not found else [name for names in found for name in names or ()]


def _class_address(step: Step, text: str) -> str | None:
    """What a name stands for, where that is a class by all that one sees: ``string_types`` may be anything."""
    address = step.program.named(step.function.module, text)
    if address is None or step.program.is_class(address):
        return address
    last = address.replace(":", ".").rpartition(".")[2]
    return address if last[:1].isupper() and not last.isupper() else None


def _attribute_fails(step: Step) -> Iterator[Failure]:
    name = _attribute_name(step)
    if name is not None and len(step.node.operands) == 2:
        value = step.value(step.node.operands[0])
        yield Failure("AttributeError", lacks(step, value, name), (value,))


def _getattr(step: Step) -> Term | None:
    name, value = _attribute_name(step), step.value(step.node.operands[0])
    if name is None or Tag.REFERENCE not in tags.tags_of(value):
        return None
    step.suppose(tags.is_reference(value))
    found = held_by(step, value, name)
    return found if len(step.node.operands) == 2 else choice(lacks(step, value, name), step.value(step.node.operands[2]), found)


def _hasattr(step: Step) -> Term | None:
    name = _attribute_name(step)
    return None if name is None else tags.of(not_(lacks(step, step.value(step.node.operands[0]), name)))


def _attribute_name(step: Step) -> str | None:
    """Where it is a literal."""
    name = step.node.operands[1] if len(step.node.operands) > 1 else None
    return name.value if isinstance(name, Constant) and isinstance(name.value, str) else None


def _float_fails(step: Step) -> Iterator[Failure]:
    value = step.value(step.node.operands[0])
    if len(step.node.operands) == 1:
        yield Failure("TypeError", tags.is_none(value), (value,))
        yield Failure("ValueError", and_(tags.is_text(value), not_(texts.matches(tags.text_in(value), _FLOAT))), (value,), value)


def _float(step: Step) -> Term | None:
    if len(step.node.operands) != 1:
        return None
    value = step.value(step.node.operands[0])
    other = step.path.not_modelled(Sort.REAL, "float() of a text")
    whole = choice(tags.is_integer(value), numbers.to_real(tags.integer_in(value)), other)
    return tags.of(choice(tags.is_real(value), tags.real_in(value), whole))


def _ord_fails(step: Step) -> Iterator[Failure]:
    value = step.value(step.node.operands[0])
    one = literals.integer(1)
    wrong = or_(
        *[tags.is_(tag, value) for tag in _NUMERIC],
        and_(tags.is_text(value), not_(equal(texts.length(tags.text_in(value)), one))),
    )
    yield Failure("TypeError", wrong, (value,))


def _iter_fails(step: Step) -> Iterator[Failure]:
    value = step.value(step.node.operands[0])
    yield Failure("TypeError", or_(*[tags.is_(tag, value) for tag in _NUMERIC]), (value,))


FAILURES: Final[dict[str, Callable[[Step], Iterator[Failure]]]] = {
    "len": _len_fails,
    "int": _int_fails,
    "float": _float_fails,
    "getattr": _attribute_fails,
    "next": gathering.next_fails,
    "max": _extreme_fails,
    "min": _extreme_fails,
    "ord": _ord_fails,
    **dict.fromkeys(("list", "tuple", "set", "sorted", "sum", "any", "all", "iter", "enumerate", "reversed"), _iter_fails),
}
RESULTS: Final[dict[str, Callable[[Step], Term | None]]] = {
    "len": _len,
    "int": _int,
    "str": _str,
    "bool": _bool,
    "abs": _abs,
    "max": _extreme(True),
    "min": _extreme(False),
    "isinstance": _isinstance,
    **{kind: gathering.gathered(kind) for kind in ("list", "tuple", "set", "frozenset", "dict")},
    "float": _float,
    "getattr": _getattr,
    "hasattr": _hasattr,
    "next": gathering.next_of,
    "iter": gathering.iterator_of,
    "sorted": gathering.ordered,
    "sum": gathering.total,
}
NEEDS_ONE: Final = frozenset(FAILURES) - frozenset(CONTAINERS)
"""Those that take at least one argument, without which the table does not apply."""
