"""Terms as Python expressions: ``self.slots[count + 1]`` for what the engine has as selections from arrays.

What tells the alternatives of values apart, and what is kept in arrays, leaves no trace: names that no source has are never shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from crashwright.core.terms import ARRAYS, Op, Sort, Term, parts
from crashwright.core.text_calls import read

_BINARY: Final[Mapping[Op, str]] = MappingProxyType(
    {
        Op.ADD: "+",
        Op.SUBTRACT: "-",
        Op.MULTIPLY: "*",
        Op.DIVIDE: "/",
        Op.QUOTIENT: "//",
        Op.REMAINDER: "%",
        Op.BIT_AND: "&",
        Op.BIT_OR: "|",
        Op.BIT_XOR: "^",
        Op.SHIFT_LEFT: "<<",
        Op.SHIFT_RIGHT: ">>",
        Op.CONCATENATE: "+",
    }
)
_CALLS: Final[Mapping[Op, str]] = MappingProxyType(
    {
        Op.LENGTH: "len",
        Op.TO_REAL: "float",
        Op.TRUNCATE: "int",
        Op.TEXT_OF_INTEGER: "str",
        Op.INTEGER_OF_TEXT: "int",
    }
)
_METHODS: Final[Mapping[Op, str]] = MappingProxyType(
    {Op.UPPER: "upper", Op.LOWER: "lower", Op.STRIPPED: "strip", Op.FIND: "find", Op.REPLACE_FIRST: "replace"}
)
TRANSPARENT: Final = frozenset(op for op in Op if op.name.startswith("OF_") or op.name.endswith("_IN"))
"""Operators between a value and what is in it."""
CHANGED = "the changed "
NAMELESS = "something that has no name"
FITTING = "some value that fits"
"""The reason of an UNKNOWN that may be anything with which the conditions hold."""
MADE = "a new object"
LONGEST: Final = 2000
"""Operators of a condition that is written down."""


def is_short(term: Term, most: int = LONGEST) -> bool:
    """Whether it can be written down: what terms share stands in the words each time, which can be very often."""
    sizes: dict[Term, int] = {}
    for part in parts([term]):
        sizes[part] = 1 + sum([sizes[one] for one in part.args])
    return sizes[term] <= most


def bare(term: Term) -> Term:
    """What is in a value, or the value that something is in: for readers they are one."""
    while term.op in TRANSPARENT:
        term = term.args[0]
    return term


def operand(term: Term) -> str:
    """A term within a sentence: code is marked as such, constants and what is unknown are not."""
    inner = bare(term)
    text = expression(inner)
    if inner.op in (Op.LITERAL, Op.NONE, Op.UNKNOWN) or NAMELESS in text:
        return NAMELESS if NAMELESS in text else text
    if inner.op is Op.CHOICE and _call_of(inner) is None:
        return f"{operand(inner.args[1])} or {operand(inner.args[2])} (as the case may be)"
    return f"{CHANGED}`{text.removeprefix(CHANGED)}`" if text.startswith(CHANGED) else f"`{text}`"


def expression(term: Term) -> str:
    """The term as Python would have it."""
    term = bare(term)
    if not term.args:
        return _leaf(term)
    if term.op is Op.SELECT:
        return _selected(term)
    if term.op in _BINARY:
        return _calculated(term)
    parts = [expression(one) for one in term.args]
    if term.op in _CALLS:
        return f"{_CALLS[term.op]}({parts[0]})"
    if term.op in _METHODS:
        return _method(term, parts)
    if term.op is Op.CALLED:
        return read(str(term.payload)).written_of(_within(term.args[0]))
    if term.op is Op.PART:
        return f"{_within(term.args[0])}[{_sliced(*term.args)}]"
    if term.op is Op.BYTE_AT:
        return f"{_within(term.args[0])}[{parts[1]}]"
    if term.op is Op.CHOICE:
        return _call_of(term) or f"{_within(term.args[1])} or {_within(term.args[2])}"
    return NAMELESS


def _call_of(term: Term) -> str | None:
    """A case distinction that stands for one call."""
    return _part_at_separator(term) or _gotten(term)


def _gotten(term: Term) -> str | None:
    """``x.get(key)``, with the default where it is another than None."""
    condition, then, otherwise = term.args
    found = bare(then)
    if condition.op is not Op.SELECT or found.op is not Op.SELECT or condition.args[1] != found.args[1]:
        return None
    keys, mapping = condition.args[0], found.args[0]
    if keys.sort is not Sort.KEYS or mapping.sort is not Sort.MAPPING or Op.SELECT not in (keys.op, mapping.op):
        return None
    if keys.op is not mapping.op or keys.args[1] != mapping.args[1]:
        return None
    default = "" if bare(otherwise).op is Op.NONE else f", {expression(otherwise)}"
    return f"{_within(keys.args[1])}.get({expression(found.args[1])}{default})"


def _part_at_separator(term: Term) -> str | None:
    """``x.split(y)[0]``: all of it where the separator is not found, else what stands before; ``x.partition(y)[2]``: nothing
    where it is not found, else what stands behind."""
    missing, found = (bare(one) for one in term.args[1:])
    if found.op is not Op.PART:
        return None
    whole, start, length = found.args
    if start.payload == 0 and bare(whole) == missing and (separator := _sought(length, whole)) is not None:
        return f"{_within(whole)}.split({separator})[0]"
    if missing.op is Op.LITERAL and not missing.payload and start.op is Op.ADD:
        separator = _sought(start.args[0], whole)
        return None if separator is None else f"{_within(whole)}.partition({separator})[2]"
    return None


def _sought(place: Term, whole: Term) -> str | None:
    """What is looked for, where a number is the place of it."""
    if place.op is not Op.FIND or bare(place.args[0]) != bare(whole) or place.args[2].payload != 0:
        return None
    return expression(place.args[1])


def unknown(term: Term) -> str:
    """What an UNKNOWN stands for, by its reason."""
    reason = str(term.payload[1]) if isinstance(term.payload, tuple) else ""
    if reason.startswith("what "):
        return f"whatever {reason.removeprefix('what ')}"
    if reason == FITTING:
        return "some value"
    return f"something that is not known ({reason})" if reason else "something that is not known"


def class_name(term: Term) -> str:
    """A class, by the name that people call it."""
    if term.op is Op.LITERAL:
        return str(term.payload).rpartition(":")[2]
    return expression(term)


def _leaf(term: Term) -> str:
    if term.op is Op.LITERAL:
        if term.sort is Sort.CLASS:
            return class_name(term)
        return MADE if term.sort is Sort.REFERENCE else repr(term.payload)
    if term.op is Op.NONE:
        return "None"
    if term.op is Op.UNKNOWN:
        return unknown(term)
    if term.op is Op.INPUT and term.sort is Sort.VALUE:
        return str(term.payload).rpartition(":")[2]  # of a global
    return NAMELESS


def _within(term: Term) -> str:
    """In brackets where it is more than one thing."""
    inner = bare(term)
    text = expression(inner)
    is_open = inner.op in _BINARY or inner.op is Op.UNKNOWN or (inner.op is Op.CHOICE and _call_of(inner) is None)
    return f"({text})" if is_open else text


def _calculated(term: Term) -> str:
    left, right = term.args
    if term.op is Op.SUBTRACT and left.op is Op.LITERAL and left.payload == 0:
        return f"-{_within(right)}"
    if term.op is Op.ADD and right.op is Op.LITERAL and isinstance(right.payload, int) and right.payload < 0:
        return f"{_within(left)} - {-right.payload}"
    return f"{_within(left)} {_BINARY[term.op]} {_within(right)}"


def _method(term: Term, parts: list[str]) -> str:
    others = parts[1:]
    if term.op is Op.FIND and others[1] == "0":
        others.pop()
    if term.op is Op.REPLACE_FIRST:
        others.append("1")
    return f"{_within(term.args[0])}.{_METHODS[term.op]}({', '.join(others)})"


def _sliced(whole: Term, start: Term, length: Term) -> str:
    """One character stands for itself; what is as long as the whole goes to its end."""
    if length.op is Op.LENGTH and bare(length.args[0]) == bare(whole):
        return f"{expression(start)}:"
    if length.op is Op.LITERAL and length.payload == 1:
        return expression(start)
    if start.op is Op.LITERAL and length.op is Op.LITERAL and isinstance(start.payload, int) and isinstance(length.payload, int):
        return f"{start.payload or ''}:{start.payload + length.payload}"
    if start.op is Op.LITERAL and start.payload == 0:
        return f":{expression(length)}"
    return f"{expression(start)}:{_within(start)} + {_within(length)}"


def _selected(term: Term) -> str:
    array, index = term.args
    changed = False
    while array.op in (Op.STORE, Op.INSERTED, Op.DELETED, Op.SHIFTED, Op.JOINED):
        array, changed = array.args[0], True
    text = _read(array, index)
    return f"{CHANGED}{text}" if changed else text


def _read(array: Term, index: Term) -> str:
    if array.op is Op.SELECT and array.sort in (Sort.ITEMS, Sort.MAPPING, Sort.KEYS):
        return f"{_within(array.args[1])}[{expression(index)}]"
    if array.sort in (Sort.ITEMS, Sort.MAPPING, Sort.KEYS):
        return NAMELESS  # of something made on the way
    owner = _within(index)
    if array.sort is Sort.FIELD and array.op is Op.INPUT:
        return f"{owner}.{str(array.payload).removeprefix('.')}"
    if array.sort is Sort.SIZES:
        return f"len({expression(index)})"
    if array.sort is Sort.CLASSES:
        return f"type({expression(index)})"
    return f"something of {owner}" if array.sort in ARRAYS else owner
