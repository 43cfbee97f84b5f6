"""What terms mean, written down a second time and as plainly as can be: over Python's own values, without folding.

A VALUE is a pair of its alternative and what it holds, so that 1, True and 1.0 are three; an array is a function of its index.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

from crashwright.core.terms import Op, Sort, Term, parts


class Unspecified(Exception):
    """Terms do not say what this is: an accessor of another alternative, a division by zero."""


class Poison:
    """What is not specified, as long as nobody needs it."""


POISON = Poison()


def meaning(term: Term, leaves: Mapping[Term, Any]) -> Any:
    """What a term stands for. Raises Unspecified where that depends on what is not specified."""
    found: dict[Term, Any] = {}
    for one in parts((term,)):
        args = [found[arg] for arg in one.args]
        found[one] = _of(one, args, leaves)
    if found[term] is POISON:
        raise Unspecified
    return found[term]


def _of(term: Term, args: list[Any], leaves: Mapping[Term, Any]) -> Any:
    op = term.op
    if op is Op.LITERAL:
        return term.payload
    if op in (Op.INPUT, Op.SYMBOL, Op.UNKNOWN):
        return leaves[term]
    if op is Op.CHOICE:
        return POISON if args[0] is POISON else args[1] if args[0] else args[2]
    if op in (Op.AND, Op.OR):
        decisive = op is Op.OR
        known = [bool(one) for one in args if one is not POISON]
        return decisive if decisive in known else POISON if POISON in args else not decisive
    if POISON in args:
        return POISON
    try:
        return _MEANINGS[op](term, *args)
    except (Unspecified, ZeroDivisionError, OverflowError):
        return POISON


def _taken(term: Term, value: Any) -> Any:
    if value[0] != term.op.value.removesuffix(" in"):
        raise Unspecified
    return value[1]


def _part(_: Term, whole: Any, start: int, size: int) -> Any:
    return whole[start : start + size] if start >= 0 and size > 0 else whole[:0]


def _find(_: Term, whole: Any, wanted: Any, start: int) -> int:
    return whole.find(wanted, start) if start >= 0 else -1


def _number(_: Term, digits: str) -> int:
    if not re.fullmatch("-?[0-9]+", digits):
        raise Unspecified
    return int(digits)


def _bits(compute: Callable[[int, int], int]) -> Callable[..., int]:
    def computed(_: Term, left: int, right: int) -> int:
        if compute in (operator.lshift, operator.rshift) and not 0 <= right < 1000:
            raise Unspecified
        return compute(left, right)

    return computed


def _plain(compute: Callable[..., Any]) -> Callable[..., Any]:
    return lambda _, *args: compute(*args)


_MEANINGS: dict[Op, Callable[..., Any]] = {
    Op.NONE: lambda _: ("none", None),
    Op.UNDEFINED: lambda _: ("undefined", None),
    **{op: (lambda term, one: (term.op.value.removeprefix("of "), one)) for op in Op if op.name.startswith("OF_")},
    **{op: (lambda term, one: one[0] == term.op.value.removeprefix("is ")) for op in Op if op.name.startswith("IS_")},
    **{op: _taken for op in Op if op.name.endswith("_IN") and op.value.endswith(" in")},
    Op.NOT: _plain(operator.not_),
    Op.EQUAL: _plain(operator.eq),
    Op.ADD: _plain(operator.add),
    Op.SUBTRACT: _plain(operator.sub),
    Op.MULTIPLY: _plain(operator.mul),
    Op.DIVIDE: _plain(operator.truediv),
    Op.QUOTIENT: _plain(operator.floordiv),
    Op.REMAINDER: _plain(operator.mod),
    Op.LESS: _plain(operator.lt),
    Op.LESS_EQUAL: _plain(operator.le),
    Op.TO_REAL: _plain(float),
    Op.TRUNCATE: _plain(int),
    Op.BIT_AND: _bits(operator.and_),
    Op.BIT_OR: _bits(operator.or_),
    Op.BIT_XOR: _bits(operator.xor),
    Op.SHIFT_LEFT: _bits(operator.lshift),
    Op.SHIFT_RIGHT: _bits(operator.rshift),
    Op.LENGTH: _plain(len),
    Op.CONCATENATE: _plain(operator.add),
    Op.CONTAINS: _plain(operator.contains),
    Op.STARTS: lambda _, whole, start: whole.startswith(start),
    Op.ENDS: lambda _, whole, end: whole.endswith(end),
    Op.PART: _part,
    Op.FIND: _find,
    Op.REPLACE_FIRST: lambda _, whole, old, new: whole.replace(old, new, 1),
    Op.TEXT_OF_INTEGER: _plain(str),
    Op.INTEGER_OF_TEXT: _number,
    Op.MATCHES: lambda term, whole: re.fullmatch(str(term.payload), whole) is not None,
    Op.STRIPPED: _plain(str.strip),
    Op.UPPER: _plain(str.upper),
    Op.LOWER: _plain(str.lower),
    Op.SELECT: lambda _, array, index: array(index),
    Op.STORE: lambda _, array, place, value: lambda index: value if index == place else array(index),
    Op.SAME: lambda _, value: lambda index: value,
    Op.INSERTED: lambda _, items, place, value: (
        lambda index: items(index) if index < place else value if index == place else items(index - 1)
    ),
    Op.DELETED: lambda _, items, place: lambda index: items(index) if index < place else items(index + 1),
    Op.SHIFTED: lambda _, items, by: lambda index: items(index + by),
    Op.JOINED: lambda _, first, size, second: lambda index: first(index) if index < size else second(index - size),
}

# Random terms, unfolded: a symbol of each sort and all operators over terms of lesser depth.

SYMBOLS = {
    sort: [Term(Op.SYMBOL, sort, (), name) for name in ("a", "b")]
    for sort in (Sort.VALUE, Sort.TRUTH, Sort.INTEGER, Sort.REAL, Sort.TEXT, Sort.ITEMS, Sort.FIELD)
}
_DYADIC = [0.0, 1.0, -2.5, 0.25, 3.0]
PAYLOADS = {
    Sort.TRUTH: st.booleans(),
    Sort.INTEGER: st.integers(-4, 4) | st.sampled_from([10**20, -7]),
    Sort.REAL: st.sampled_from(_DYADIC),
    Sort.TEXT: st.text("ab1- ", max_size=3),
    Sort.REFERENCE: st.integers(-3, 2),
}
PATTERNS = ["a*", "[ab]+1?", r"-?\d+", "(a|b1)*", ".{2}", r"\s*\w\s*"]


def _literal(sort: Sort) -> st.SearchStrategy[Term]:
    return PAYLOADS[sort].map(lambda payload: Term(Op.LITERAL, sort, (), payload))


def _operators() -> dict[Sort, list[tuple[Op, tuple[Sort, ...]]]]:
    truth, number, real, text, value = Sort.TRUTH, Sort.INTEGER, Sort.REAL, Sort.TEXT, Sort.VALUE
    made: dict[Sort, list[tuple[Op, tuple[Sort, ...]]]] = {
        truth: [(Op.NOT, (truth,)), (Op.AND, (truth, truth)), (Op.OR, (truth, truth, truth)), (Op.MATCHES, (text,))],
        number: [(Op.LENGTH, (text,)), (Op.FIND, (text, text, number)), (Op.INTEGER_OF_TEXT, (text,)), (Op.TRUNCATE, (real,))],
        real: [(Op.TO_REAL, (number,))],
        text: [(Op.CONCATENATE, (text, text)), (Op.PART, (text, number, number)), (Op.REPLACE_FIRST, (text, text, text))],
        value: [(Op.SELECT, (Sort.ITEMS, number)), (Op.SELECT, (Sort.FIELD, Sort.REFERENCE))],
        Sort.REFERENCE: [],
        Sort.ITEMS: [(Op.STORE, (Sort.ITEMS, number, value)), (Op.SAME, (value,)), (Op.INSERTED, (Sort.ITEMS, number, value))],
        Sort.FIELD: [(Op.STORE, (Sort.FIELD, Sort.REFERENCE, value)), (Op.SAME, (value,))],
    }
    made[truth] += [(Op.EQUAL, (sort, sort)) for sort in (truth, number, real, text, value)]
    made[truth] += [(op, (sort, sort)) for op in (Op.LESS, Op.LESS_EQUAL) for sort in (number, real, text)]
    made[truth] += [(op, (text, text)) for op in (Op.CONTAINS, Op.STARTS, Op.ENDS)]
    made[truth] += [(op, (value,)) for op in (Op.IS_NONE, Op.IS_INTEGER, Op.IS_TEXT, Op.IS_TRUTH)]
    made[number] += [(op, (number, number)) for op in (Op.ADD, Op.SUBTRACT, Op.MULTIPLY, Op.QUOTIENT, Op.REMAINDER)]
    made[number] += [(op, (number, number)) for op in (Op.BIT_AND, Op.BIT_OR, Op.BIT_XOR, Op.SHIFT_LEFT, Op.SHIFT_RIGHT)]
    made[real] += [(op, (real, real)) for op in (Op.ADD, Op.SUBTRACT, Op.MULTIPLY)]
    made[text] += [(Op.TEXT_OF_INTEGER, (number,)), (Op.STRIPPED, (text,))]
    made[Sort.ITEMS] += [(Op.DELETED, (Sort.ITEMS, number)), (Op.SHIFTED, (Sort.ITEMS, number))]
    made[Sort.ITEMS] += [(Op.JOINED, (Sort.ITEMS, number, Sort.ITEMS))]
    for name, sort in (("TRUTH", truth), ("INTEGER", number), ("REAL", real), ("TEXT", text)):
        made[value].append((Op[f"OF_{name}"], (sort,)))
        made[sort].append((Op[f"{name}_IN"], (value,)))
    for sort, ops in made.items():
        ops.append((Op.CHOICE, (truth, sort, sort)))
    made[value] += [(Op.NONE, ()), (Op.UNDEFINED, ())]
    return made


_OPERATORS = _operators()


@st.composite
def terms(draw: st.DrawFn, sort: Sort, depth: int = 3) -> Term:
    """A well-sorted term, made without any folding."""
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        leaves = [st.sampled_from(SYMBOLS[sort])] if sort in SYMBOLS else []
        return draw(st.one_of(*leaves, *([_literal(sort)] if sort in PAYLOADS else [])))
    op, sorts = draw(st.sampled_from(_OPERATORS[sort]))
    args = tuple([draw(terms(one, depth - 1)) for one in sorts])
    return Term(op, sort, args, draw(st.sampled_from(PATTERNS)) if op is Op.MATCHES else None)


VALUES = st.one_of(
    st.just(("none", None)),
    st.just(("undefined", None)),
    *[PAYLOADS[sort].map(lambda one, sort=sort: (sort.value, one)) for sort in (Sort.TRUTH, Sort.INTEGER, Sort.REAL, Sort.TEXT)],
)


@st.composite
def assignments(draw: st.DrawFn) -> dict[Term, Any]:
    """What the symbols of random terms stand for."""
    found: dict[Term, Any] = {}
    for sort, symbols in SYMBOLS.items():
        for symbol in symbols:
            if sort in PAYLOADS:
                found[symbol] = draw(PAYLOADS[sort])
            elif sort is Sort.VALUE:
                found[symbol] = draw(VALUES)
            else:
                known, other = draw(st.dictionaries(st.integers(-2, 3), VALUES, max_size=3)), draw(VALUES)
                found[symbol] = lambda index, known=known, other=other: known.get(index, other)
    return found
