"""What ``if x`` and ``len(x)`` ask of a value and the heap, and whether a value has a type that a message names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crashwright.core.terms import Term
from crashwright.symbolic.values.arrays import select
from crashwright.symbolic.values.literals import FALSE, TRUE, class_named, integer, octets, real, text
from crashwright.symbolic.values.logic import and_, equal, not_, or_
from crashwright.symbolic.values.operands import Guard, Operand, Outcome, is_one_of
from crashwright.symbolic.values.tags import Tag, bytes_in, integer_in, is_, of, real_in, reference_in, text_in, truth_in
from crashwright.symbolic.values.texts import length

Heap = Callable[[str], Term]
"""The arrays of the heap as they are now, by name: ``.attr``, ``size``, ``elements``, ``keys``, ``mappings``, ``classes``."""
SIZED: Final = tuple(
    [f"builtins:{name}" for name in ("list", "tuple", "dict", "set", "frozenset", "bytearray", "range")]
    + [f"collections:{name}" for name in ("deque", "OrderedDict", "defaultdict", "Counter")]
)
"""Classes of which the heap's sizes say the length."""
_TYPES: Final = {
    "NoneType": Tag.NONE,
    "bool": Tag.TRUTH,
    "int": Tag.INTEGER,
    "float": Tag.REAL,
    "str": Tag.TEXT,
    "bytes": Tag.BYTES,
}


def truth_of(operand: Operand, heap: Heap) -> Term:
    """Whether a value is true. Objects are but for empty containers; of a class that says otherwise itself (``__bool__``,
    ``__len__``) who asks has to call that."""
    value, possible = operand.value, operand.possible
    cases = {
        Tag.TRUTH: lambda: truth_in(value),
        Tag.INTEGER: lambda: not_(equal(integer_in(value), integer(0))),
        Tag.REAL: lambda: not_(equal(real_in(value), real(0.0))),
        Tag.TEXT: lambda: not_(equal(text_in(value), text(""))),
        Tag.BYTES: lambda: not_(equal(bytes_in(value), octets(b""))),
        Tag.REFERENCE: lambda: _is_full(operand, heap),
        Tag.CLASS: lambda: TRUE,
    }
    true = [tag for tag in cases if tag in possible]
    if len(possible) == 1:
        return cases[true[0]]() if true else FALSE
    return or_(*[and_(is_(tag, value), cases[tag]()) for tag in true])


def _is_full(operand: Operand, heap: Heap) -> Term:
    reference = reference_in(operand.value)
    names = SIZED if operand.classes is None else tuple([name for name in SIZED if name in operand.classes])
    if not names:
        return TRUE
    filled = not_(equal(select(heap("size"), reference), integer(0)))
    if operand.classes is not None and operand.classes <= set(names):
        return filled
    return or_(not_(_has_class(operand.value, names, heap)), filled)


def _has_class(value: Term, names: tuple[str, ...], heap: Heap) -> Term:
    found = select(heap("classes"), reference_in(value))
    return or_(*[equal(found, class_named(name)) for name in names])


def size_of(operand: Operand, heap: Heap) -> list[Outcome]:
    """What ``len`` can make: of texts and bytes, of objects what the heap says."""
    sizes: tuple[tuple[Tag, Callable[[Term], Term]], ...] = (
        (Tag.REFERENCE, lambda value: select(heap("size"), reference_in(value))),
        (Tag.TEXT, lambda value: length(text_in(value))),
        (Tag.BYTES, lambda value: length(bytes_in(value))),
    )
    return [Outcome((Guard(is_one_of(operand, {tag})),), of(size(operand.value))) for tag, size in sizes if tag in operand.possible]


def has_type(value: Term, name: str, heap: Heap) -> Term | None:
    """Whether the type of a value is the one that a message names, as far as that is a builtin type; else None."""
    if name in _TYPES:
        return is_(_TYPES[name], value)
    classes = tuple([one for one in SIZED if one.partition(":")[2].rpartition(".")[2] == name or one == name])
    if not classes:
        return None
    return and_(is_(Tag.REFERENCE, value), _has_class(value, classes, heap))
