"""Constants as terms."""

from __future__ import annotations

from typing import Final, TypeGuard

from crashwright.core.terms import Op, Payload, Sort, Term

TRUE: Final = Term(Op.LITERAL, Sort.TRUTH, (), True)
FALSE: Final = Term(Op.LITERAL, Sort.TRUTH, (), False)
NONE: Final = Term(Op.NONE, Sort.VALUE)
UNDEFINED: Final = Term(Op.UNDEFINED, Sort.VALUE)
"""What an unbound variable has, and an absent attribute."""


def truth(value: bool) -> Term:
    """TRUE or FALSE."""
    return TRUE if value else FALSE


def integer(value: int) -> Term:
    """An integer."""
    return Term(Op.LITERAL, Sort.INTEGER, (), int(value))


def real(value: float) -> Term:
    """A float; infinities and NaN are constants too, of which the solver knows nothing."""
    return Term(Op.LITERAL, Sort.REAL, (), float(value))


def text(value: str) -> Term:
    """A text."""
    return Term(Op.LITERAL, Sort.TEXT, (), value)


def octets(value: bytes) -> Term:
    """Bytes."""
    return Term(Op.LITERAL, Sort.BYTES, (), value)


def reference(number: int) -> Term:
    """An object: negative numbers are those that are made on a path, each another."""
    return Term(Op.LITERAL, Sort.REFERENCE, (), number)


def class_named(name: str) -> Term:
    """A class, by ``module:qualname``."""
    return Term(Op.LITERAL, Sort.CLASS, (), name)


def symbol(sort: Sort, name: str) -> Term:
    """A constant of which nothing is known but what is said of it."""
    return Term(Op.SYMBOL, sort, (), name)


def given(sort: Sort, name: str) -> Term:
    """What a frame has at its entry: a parameter by its name, or an array of the heap by its name."""
    return Term(Op.INPUT, sort, (), name)


def unknown(sort: Sort, number: int, reason: str) -> Term:
    """A result of what is not modelled."""
    return Term(Op.UNKNOWN, sort, (), (number, reason))


def integer_of(term: Term) -> int | None:
    """The number of an INTEGER literal; None of any other term."""
    return term.payload if _is_integer(term) and isinstance(term.payload, int) else None


def text_of(term: Term) -> str | None:
    """The text of a TEXT literal; None of any other term."""
    return term.payload if term.op is Op.LITERAL and term.sort is Sort.TEXT and isinstance(term.payload, str) else None


def _is_integer(term: Term) -> bool:
    return term.op is Op.LITERAL and term.sort is Sort.INTEGER


def payloads(*terms: Term) -> tuple[Payload, ...] | None:
    """What the literals say; None where one is no literal."""
    return tuple([one.payload for one in terms]) if all(one.op is Op.LITERAL for one in terms) else None


def is_finite_float(value: object) -> TypeGuard[float]:
    """A float that is a real number."""
    return isinstance(value, float) and value - value == 0.0
