"""Terms made anew from their leaves: with other leaves, or folded where they came unfolded. Each shared part is made once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from crashwright.core.terms import LEAVES, Op, Term, parts
from crashwright.core.text_calls import read
from crashwright.symbolic.values import arrays, logic, numbers, texts
from crashwright.symbolic.values.tags import Tag, is_, of, taken

_CONSTRUCTORS: Final[Mapping[Op, Callable[..., Term]]] = {
    Op.NOT: logic.not_,
    Op.AND: logic.and_,
    Op.OR: logic.or_,
    Op.EQUAL: logic.equal,
    Op.CHOICE: logic.choice,
    Op.ADD: numbers.add,
    Op.SUBTRACT: numbers.subtract,
    Op.MULTIPLY: numbers.multiply,
    Op.DIVIDE: numbers.divide,
    Op.QUOTIENT: numbers.quotient,
    Op.REMAINDER: numbers.remainder,
    Op.LESS: numbers.less,
    Op.LESS_EQUAL: numbers.less_equal,
    Op.TO_REAL: numbers.to_real,
    Op.TRUNCATE: numbers.truncate,
    Op.LENGTH: texts.length,
    Op.CONCATENATE: texts.concatenate,
    Op.CONTAINS: texts.contains,
    Op.STARTS: texts.starts,
    Op.ENDS: texts.ends,
    Op.PART: texts.part,
    Op.FIND: texts.find,
    Op.REPLACE_FIRST: texts.replace_first,
    Op.BYTE_AT: texts.byte_at,
    Op.TEXT_OF_INTEGER: texts.text_of_integer,
    Op.INTEGER_OF_TEXT: texts.integer_of_text,
    Op.UPPER: texts.upper,
    Op.LOWER: texts.lower,
    Op.STRIPPED: texts.stripped,
    Op.SELECT: arrays.select,
    Op.STORE: arrays.store,
    Op.INSERTED: arrays.inserted,
    Op.DELETED: arrays.deleted,
    Op.SHIFTED: arrays.shifted,
    Op.JOINED: arrays.joined,
}
_TESTS: Final = {tag.value.test: tag for tag in Tag}
_ACCESSORS: Final = {tag.value.taken: tag for tag in Tag if tag.value.taken is not None}
_MAKERS: Final = frozenset(tag.value.made for tag in Tag)
_BITS: Final = frozenset({Op.BIT_AND, Op.BIT_OR, Op.BIT_XOR, Op.SHIFT_LEFT, Op.SHIFT_RIGHT})


def substituted(term: Term, leaves: Mapping[Term, Term]) -> Term:
    """The term with other terms in the place of some of its leaves, folded."""
    return all_substituted((term,), leaves)[0]


def all_substituted(terms: Sequence[Term], leaves: Mapping[Term, Term]) -> tuple[Term, ...]:
    """The same of several terms, whose shared parts stay shared."""
    made: dict[Term, Term] = {}
    for term in parts(terms):
        if term.op in LEAVES:
            made[term] = leaves.get(term, term)
        else:
            args = tuple([made[one] for one in term.args])
            same = all(new is old for new, old in zip(args, term.args, strict=True))
            made[term] = term if same else folded(term, args)
    return tuple([made[term] for term in terms])


def folded(term: Term, args: Sequence[Term]) -> Term:
    """The operator of ``term`` over other arguments, by its constructor."""
    op = term.op
    if op in LEAVES:
        return term
    if op in _TESTS:
        return is_(_TESTS[op], args[0])
    if op in _ACCESSORS:
        return taken(_ACCESSORS[op], args[0])
    if op in _MAKERS:
        return of(args[0])
    if op in _BITS:
        return numbers.bits(op, args[0], args[1])
    if op is Op.SAME:
        return arrays.same(term.sort, args[0])
    if op is Op.MATCHES:
        return texts.matches(args[0], str(term.payload))
    if op is Op.CALLED:
        return texts.called(args[0], read(str(term.payload)))
    return _CONSTRUCTORS[op](*args)


def leaves_of(terms: Iterable[Term], ops: frozenset[Op] = frozenset({Op.INPUT, Op.SYMBOL, Op.UNKNOWN})) -> tuple[Term, ...]:
    """The leaves of some kinds within the terms, each once, in the order in which they are met."""
    return tuple([term for term in parts(tuple(terms)) if term.op in ops])
