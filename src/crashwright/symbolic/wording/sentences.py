"""Single conditions as sentences: "`width` is None", "'name' is not a key of `row`", "`text` starts with '#'"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from crashwright.core.terms import ALTERNATIVES, Op, Sort, Term
from crashwright.symbolic.values.truthiness import truth_asked
from crashwright.symbolic.wording.expressions import NAMELESS, bare, class_name, operand, unknown
from crashwright.symbolic.wording.implied import ImpliedFact, Kinds, facts, kinds_of, needed

_KINDS: Final[Mapping[Op, str]] = MappingProxyType(
    {
        Op.IS_TRUTH: "a bool",
        Op.IS_INTEGER: "an int",
        Op.IS_REAL: "a float",
        Op.IS_TEXT: "a str",
        Op.IS_BYTES: "bytes",
        Op.IS_CLASS: "a class",
    }
)
_TEXTS: Final[Mapping[Op, tuple[str, str]]] = MappingProxyType(
    {
        Op.STARTS: ("starts with", "does not start with"),
        Op.ENDS: ("ends with", "does not end with"),
    }
)


def sentence(term: Term, holds: bool) -> str:
    """That ``term`` holds, or that it does not."""
    kinds = kinds_of(ImpliedFact(term, holds))
    if kinds is not None and term.op not in ALTERNATIVES:
        return _kinds(kinds)
    truth = truth_asked(term)
    if truth is not None:
        value, wanted = truth
        return f"{operand(value)} is {'truthy' if wanted is holds else 'falsy'}"
    if term.op is Op.NOT:
        return sentence(term.args[0], not holds)
    if term.op in (Op.AND, Op.OR):
        return _joined(term, holds)
    if term.op is Op.CHOICE:
        condition, then, otherwise = term.args
        yes, no = sentence(condition, True), sentence(condition, False)
        return f"either {yes} and {sentence(then, holds)}, or {no} and {sentence(otherwise, holds)}"
    if term.op.name.startswith("IS_"):
        return _tag(term.op, term.args[0], holds)
    if term.op is Op.EQUAL:
        return _equal(term.args[0], term.args[1], holds)
    if term.op in (Op.LESS, Op.LESS_EQUAL):
        return _ordered(term, holds)
    return _other(term, holds)


def _other(term: Term, holds: bool) -> str:
    if term.op in _TEXTS:
        whole, part = map(operand, term.args)
        return f"{whole} {_TEXTS[term.op][not holds]} {part}"
    if term.op is Op.CONTAINS:
        whole, part = map(operand, term.args)
        return f"{part} {_is(holds)} in {whole}"
    if term.op is Op.MATCHES and _is_of_number(str(term.payload)):
        return f"{operand(term.args[0])} {_is(holds)} the text of an int"
    if term.op is Op.MATCHES:
        return f"{operand(term.args[0])} {'matches' if holds else 'does not match'} {term.payload!r}"
    if term.op is Op.CALLED:
        return _of_call(term, holds)
    if term.op is Op.SELECT and term.args[0].op is Op.SELECT:
        return f"{operand(term.args[1])} {_is(holds)} a key of {operand(term.args[0].args[1])}"
    if term.op is Op.TRUTH_IN:
        return f"{operand(term)} is {holds}"
    if term.op is Op.LITERAL:
        return "always" if term.payload is holds else "never"
    if term.op is Op.UNKNOWN:
        return f"{unknown(term)} is {'true' if holds else 'false'}"
    return f"{NAMELESS} is {'true' if holds else 'false'}"


def _of_call(term: Term, holds: bool) -> str:
    """A test, as it stands in code."""
    shown = operand(term)
    found, is_test, end = shown.partition(" is not None")
    return f"{found}{end} is {'not None' if holds else 'None'}" if is_test and len(end) <= 1 else f"{shown} is {holds}"


def _is_of_number(pattern: str) -> bool:
    """Whether it takes texts of whole numbers, and nothing else of what is tried."""
    found = [re.fullmatch(pattern, one) is not None for one in ("0", "-7", "12", "", "a", "1.5", "-", "0x1")]
    return found == [True] * 3 + [False] * 5


def _is(holds: bool) -> str:
    return "is" if holds else "is not"


def _joined(term: Term, holds: bool) -> str:
    """A disjunction, or what a negated conjunction comes to; and the reverse within another."""
    if (term.op is Op.AND) is holds:
        together = list(facts(term, holds))
        told = list(dict.fromkeys(sentence(*together[number]) for number in needed(together)))
        return " and ".join(told) or "always"
    told = list(dict.fromkeys(sentence(one, holds) for one in _alternatives(term, holds)))
    if len(told) == 1:
        return told[0]
    return _of_one(told) or _disjunction(told)


def _alternatives(term: Term, holds: bool) -> Iterator[Term]:
    """Those of disjunctions within disjunctions too."""
    for one in term.args:
        if one.op is term.op:
            yield from _alternatives(one, holds)
        else:
            yield one


def _of_one(told: list[str]) -> str:
    """Where all say what one thing is: "`slots` is a list, a tuple or a deque"; else nothing."""
    start, sign, _ = told[0].partition(" is ")
    start += sign
    if not sign or any(not one.startswith(start) or " and " in one or " is not " in one for one in told):
        return ""
    *first, last = (one.removeprefix(start) for one in told)
    return f"{start}{', '.join(first)} or {last}"


def _kinds(kinds: Kinds) -> str:
    """What one value may be, or may not, whichever is shorter."""
    what, among = operand(kinds.value), kinds.among
    numbers = frozenset({Op.IS_TRUTH, Op.IS_INTEGER, Op.IS_REAL})
    if among in (numbers, numbers - {Op.IS_TRUTH}):
        return f"{what} is a number"
    rest = [kind for kind in ALTERNATIVES if kind not in among and kind is not Op.IS_UNDEFINED]
    if len(rest) == 1:
        return _tag(rest[0], kinds.value, False)
    told = [_tag(kind, kinds.value, True) for kind in ALTERNATIVES if kind in among]
    return _of_one(told) or _disjunction(told)


def _disjunction(told: list[str]) -> str:
    nested = any(" and " in one for one in told)
    return (", or " if nested else " or ").join(told) or "never"


def _tag(tag: Op, value: Term, holds: bool) -> str:
    what = operand(value)
    if tag is Op.IS_NONE:
        return f"{what} {_is(holds)} None"
    if tag is Op.IS_UNDEFINED:
        inner = bare(value)
        if inner.op is Op.SELECT and inner.args[0].op is Op.INPUT:
            name = str(inner.args[0].payload).removeprefix(".")
            return f"{operand(inner.args[1])} has {'no' if holds else 'an'} attribute `{name}`"
        return f"{what} {'has no value yet' if holds else 'has a value'}"
    if tag is Op.IS_REFERENCE:
        return f"{what} is neither None nor a number nor a text" if holds else f"{what} is None, a number or a text"
    return f"{what} {_is(holds)} {_KINDS[tag]}"


def _equal(left: Term, right: Term, holds: bool) -> str:
    if _is_constant(left) and not _is_constant(right):
        left, right = right, left
    if left.sort is Sort.TRUTH:
        return f"{sentence(left, True)} {'just' if holds else 'not just'} where {sentence(right, True)}"
    if left.sort is Sort.CLASS:
        return _of_class(left, right, holds)
    constant = bare(right)
    if constant.op is Op.NONE:
        return _tag(Op.IS_NONE, left, holds)
    if constant.op is Op.UNDEFINED:
        return _tag(Op.IS_UNDEFINED, left, holds)
    if constant.op is Op.LITERAL and constant.payload in ("", b""):
        return f"{operand(left)} {_is(holds)} empty"
    if left.sort is Sort.REFERENCE:
        return f"{operand(left)} {_is(holds)} {operand(right)}"
    return f"{operand(left)} {'==' if holds else '!='} {operand(right)}"


def _is_size(term: Term) -> bool:
    """A number is compared with a length, not the length with it."""
    inner = bare(term)
    return inner.op is Op.LENGTH or (inner.op is Op.SELECT and inner.args[0].sort is Sort.SIZES)


def _is_constant(term: Term) -> bool:
    return bare(term).op in (Op.LITERAL, Op.NONE, Op.UNDEFINED)


def _of_class(cls: Term, other: Term, holds: bool) -> str:
    if cls.op is Op.SELECT and other.op is Op.LITERAL:
        name = class_name(other)
        article = "an" if name[:1].lower() in "aeiou" else "a"
        return f"{operand(cls.args[1])} is {article} {name}" if holds else f"{operand(cls.args[1])} is no {name}"
    return f"{operand(cls)} {_is(holds)} {operand(other)}"


def _ordered(term: Term, holds: bool) -> str:
    left, right = term.args
    if (_is_constant(left) and not _is_constant(right)) or (_is_size(left) and not _is_size(right) and not _is_constant(right)):
        signs = {(Op.LESS, True): ">", (Op.LESS, False): "<=", (Op.LESS_EQUAL, True): ">=", (Op.LESS_EQUAL, False): "<"}
        left, right = right, left
    else:
        signs = {(Op.LESS, True): "<", (Op.LESS, False): ">=", (Op.LESS_EQUAL, True): "<=", (Op.LESS_EQUAL, False): ">"}
    return f"{operand(left)} {signs[term.op, holds]} {operand(right)}"
