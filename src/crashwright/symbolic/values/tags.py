"""The alternatives of a Python value: making one, asking which it is, taking it out again."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple

from crashwright.core.terms import Op, Sort, Term
from crashwright.symbolic.values.literals import FALSE, NONE, TRUE, integer, octets, real, text, truth
from crashwright.symbolic.values.logic import CONSTRUCTORS, choice

_DEEPEST_PUSH: Final = 4


class TagForm(NamedTuple):
    """An alternative: its constructor, its test, its accessor and what that makes. NONE and UNDEFINED hold nothing."""

    made: Op
    test: Op
    taken: Op | None = None
    sort: Sort | None = None


class Tag(Enum):
    """Which alternative a value is."""

    __hash__ = object.__hash__

    NONE = TagForm(Op.NONE, Op.IS_NONE)
    UNDEFINED = TagForm(Op.UNDEFINED, Op.IS_UNDEFINED)
    TRUTH = TagForm(Op.OF_TRUTH, Op.IS_TRUTH, Op.TRUTH_IN, Sort.TRUTH)
    INTEGER = TagForm(Op.OF_INTEGER, Op.IS_INTEGER, Op.INTEGER_IN, Sort.INTEGER)
    REAL = TagForm(Op.OF_REAL, Op.IS_REAL, Op.REAL_IN, Sort.REAL)
    TEXT = TagForm(Op.OF_TEXT, Op.IS_TEXT, Op.TEXT_IN, Sort.TEXT)
    BYTES = TagForm(Op.OF_BYTES, Op.IS_BYTES, Op.BYTES_IN, Sort.BYTES)
    REFERENCE = TagForm(Op.OF_REFERENCE, Op.IS_REFERENCE, Op.REFERENCE_IN, Sort.REFERENCE)
    CLASS = TagForm(Op.OF_CLASS, Op.IS_CLASS, Op.CLASS_IN, Sort.CLASS)


Tags = frozenset[Tag]
ANY: Final[Tags] = frozenset(Tag)
DEFINED: Final[Tags] = ANY - {Tag.UNDEFINED}
_BY_CONSTRUCTOR: Final = {tag.value.made: tag for tag in Tag}
_BY_SORT: Final = {tag.value.sort: tag for tag in Tag if tag.value.sort is not None}


def of(term: Term) -> Term:
    """The value that holds the term: of an INTEGER a Python integer, and so on; a VALUE is one already."""
    if term.sort is Sort.VALUE:
        return term
    form = _BY_SORT[term.sort].value
    if term.op is form.taken and tags_of(term.args[0]) == {_BY_SORT[term.sort]}:
        return term.args[0]
    return Term(form.made, Sort.VALUE, (term,))


def constant(value: object) -> Term | None:
    """The value of None, a bool, integer, float, text or bytes; None for any other object."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return of(truth(value))
    if isinstance(value, int):
        return of(integer(value))
    if isinstance(value, float):
        return of(real(value))
    if isinstance(value, str):
        return of(text(value))
    return of(octets(value)) if isinstance(value, bytes) else None


def tags_of(value: Term) -> Tags:
    """Which alternatives a value can be, by its form."""
    return _tags(value, _DEEPEST_PUSH)


def _tags(value: Term, depth: int) -> Tags:
    tag = _BY_CONSTRUCTOR.get(value.op)
    if tag is not None:
        return frozenset((tag,))
    if value.op is Op.CHOICE and depth:
        return _tags(value.args[1], depth - 1) | _tags(value.args[2], depth - 1)
    return ANY


def is_(tag: Tag, value: Term) -> Term:
    """Whether a value is that alternative."""
    return _tested(tag, value, _DEEPEST_PUSH)


def _tested(tag: Tag, value: Term, depth: int) -> Term:
    if value.op in CONSTRUCTORS:
        return TRUE if _BY_CONSTRUCTOR[value.op] is tag else FALSE
    if value.op is Op.CHOICE and depth:
        condition, then, otherwise = value.args
        if then.op in CONSTRUCTORS or otherwise.op in CONSTRUCTORS:
            return choice(condition, _tested(tag, then, depth - 1), _tested(tag, otherwise, depth - 1))
    return Term(tag.value.test, Sort.TRUTH, (value,))


def taken(tag: Tag, value: Term) -> Term:
    """What a value holds, where it is that alternative; unspecified where it is another."""
    return _taken(tag, value, _DEEPEST_PUSH)


def _taken(tag: Tag, value: Term, depth: int) -> Term:
    form = tag.value
    assert form.taken is not None
    assert form.sort is not None
    if value.op is form.made:
        return value.args[0]
    if value.op is Op.CHOICE and depth and (value.args[1].op in CONSTRUCTORS or value.args[2].op in CONSTRUCTORS):
        condition, then, otherwise = value.args
        for one, other in ((then, otherwise), (otherwise, then)):
            if one.op in CONSTRUCTORS and one.op is not form.made:
                return _taken(tag, other, depth - 1)  # what it holds is unspecified in the other case
        return choice(condition, _taken(tag, then, depth - 1), _taken(tag, otherwise, depth - 1))
    return Term(form.taken, form.sort, (value,))


def is_none(value: Term) -> Term:
    """Whether it is None."""
    return is_(Tag.NONE, value)


def is_undefined(value: Term) -> Term:
    """Whether there is none: an unbound variable, an absent attribute."""
    return is_(Tag.UNDEFINED, value)


def is_truth(value: Term) -> Term:
    """Whether it is a bool."""
    return is_(Tag.TRUTH, value)


def is_integer(value: Term) -> Term:
    """Whether it is an integer and no bool."""
    return is_(Tag.INTEGER, value)


def is_real(value: Term) -> Term:
    """Whether it is a float."""
    return is_(Tag.REAL, value)


def is_text(value: Term) -> Term:
    """Whether it is a text."""
    return is_(Tag.TEXT, value)


def is_bytes(value: Term) -> Term:
    """Whether it is bytes."""
    return is_(Tag.BYTES, value)


def is_reference(value: Term) -> Term:
    """Whether it is an object of the heap."""
    return is_(Tag.REFERENCE, value)


def is_class(value: Term) -> Term:
    """Whether it is a class or function."""
    return is_(Tag.CLASS, value)


def truth_in(value: Term) -> Term:
    """The truth of a bool."""
    return taken(Tag.TRUTH, value)


def integer_in(value: Term) -> Term:
    """The number of an integer."""
    return taken(Tag.INTEGER, value)


def real_in(value: Term) -> Term:
    """The number of a float."""
    return taken(Tag.REAL, value)


def text_in(value: Term) -> Term:
    """The text of a text."""
    return taken(Tag.TEXT, value)


def bytes_in(value: Term) -> Term:
    """The bytes of bytes."""
    return taken(Tag.BYTES, value)


def reference_in(value: Term) -> Term:
    """The reference to an object."""
    return taken(Tag.REFERENCE, value)
