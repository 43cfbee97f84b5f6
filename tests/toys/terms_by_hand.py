"""Terms written by hand, as short as may be: what tests of preconditions are made of."""

from __future__ import annotations

from crashwright.core.location import CodeKey
from crashwright.core.precondition import Guard, Precondition
from crashwright.core.terms import Op, Payload, Sort, Term

HERE = CodeKey("shop", "Shelf.take", 4)


def leaf(op: Op, sort: Sort, payload: Payload = None) -> Term:
    return Term(op, sort, (), payload)


def given(name: str) -> Term:
    """A parameter."""
    return leaf(Op.INPUT, Sort.VALUE, name)


def literal(value: bool | float | str | bytes) -> Term:
    sorts = {bool: Sort.TRUTH, int: Sort.INTEGER, float: Sort.REAL, str: Sort.TEXT, bytes: Sort.BYTES}
    return leaf(Op.LITERAL, sorts[type(value)], value)


def truth(op: Op, *args: Term, payload: Payload = None) -> Term:
    return Term(op, Sort.TRUTH, args, payload)


def integer(value: Term) -> Term:
    return Term(Op.INTEGER_IN, Sort.INTEGER, (value,))


def text(value: Term) -> Term:
    return Term(Op.TEXT_IN, Sort.TEXT, (value,))


def reference(value: Term) -> Term:
    return Term(Op.REFERENCE_IN, Sort.REFERENCE, (value,))


def attribute(value: Term, name: str) -> Term:
    return Term(Op.SELECT, Sort.VALUE, (leaf(Op.INPUT, Sort.FIELD, f".{name}"), reference(value)))


def size(value: Term) -> Term:
    return Term(Op.SELECT, Sort.INTEGER, (leaf(Op.INPUT, Sort.SIZES), reference(value)))


def items(value: Term) -> Term:
    return Term(Op.SELECT, Sort.ITEMS, (leaf(Op.INPUT, Sort.ELEMENTS), reference(value)))


def element(value: Term, index: Term) -> Term:
    return Term(Op.SELECT, Sort.VALUE, (items(value), index))


def has_key(value: Term, key: Term) -> Term:
    keys = Term(Op.SELECT, Sort.KEYS, (leaf(Op.INPUT, Sort.KEY_SETS), reference(value)))
    return Term(Op.SELECT, Sort.TRUTH, (keys, key))


def mapped(value: Term, key: Term) -> Term:
    mapping = Term(Op.SELECT, Sort.MAPPING, (leaf(Op.INPUT, Sort.MAPPINGS), reference(value)))
    return Term(Op.SELECT, Sort.VALUE, (mapping, key))


def is_a(value: Term, address: str) -> Term:
    """Of exactly that class."""
    cls = Term(Op.SELECT, Sort.CLASS, (leaf(Op.INPUT, Sort.CLASSES), reference(value)))
    return truth(Op.EQUAL, cls, leaf(Op.LITERAL, Sort.CLASS, address))


def of(value: Term) -> Term:
    """The VALUE that holds it."""
    ops = {
        Sort.TRUTH: Op.OF_TRUTH,
        Sort.INTEGER: Op.OF_INTEGER,
        Sort.REAL: Op.OF_REAL,
        Sort.TEXT: Op.OF_TEXT,
        Sort.BYTES: Op.OF_BYTES,
        Sort.REFERENCE: Op.OF_REFERENCE,
    }
    return Term(ops[value.sort], Sort.VALUE, (value,))


def negated(term: Term) -> Term:
    return truth(Op.NOT, term)


def less(left: Term, right: Term) -> Term:
    return truth(Op.LESS, left, right)


def equal(left: Term, right: Term) -> Term:
    return truth(Op.EQUAL, left, right)


def is_none(value: Term) -> Term:
    return truth(Op.IS_NONE, value)


def needs(*terms: Term, function: CodeKey = HERE, level: int = 1) -> Precondition:
    """A precondition of these guards, each on a line of its own; the last one is the condition of the crash."""
    return Precondition(
        level, function, tuple(Guard(term, number + 10, function, term is terms[-1]) for number, term in enumerate(terms))
    )
