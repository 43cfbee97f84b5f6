"""Rows of terms as steps that compute them on live objects, one after the other: nothing recurs, and what terms share is computed
once.

A step takes the values of the rows before it. TRUTH is a pair of distances (``truth``), VALUE and REFERENCE the live object itself,
an array something that :func:`read` reads. A step that finds what cannot be told gives ``NOT_KNOWN`` (TRUTH: ``UNKNOWN``) or fails
with one of ``FAILURES``, which counts the same. ``NOT_KNOWN`` has no operators: what computes with it fails by itself.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from crashwright.core import text_calls
from crashwright.core.terms import ALTERNATIVES, ARRAYS, Op, Sort, TermRow
from crashwright.engine.goals.crash import truth
from crashwright.engine.goals.crash.live_heap import (
    ABSENT,
    CLASSES,
    ELEMENTS,
    NOT_KNOWN,
    SIZES,
    UNDEFINED,
    Array,
    ClassName,
    MadeObject,
    alternatives,
    field,
    is_scalar,
    pairs_of,
    same_class,
    same_value,
    stored,
)
from crashwright.engine.goals.crash.truth import FALSE, TRUE, UNKNOWN, Pair
from crashwright.engine.instrument.distances import ITEMS, MISMATCH, to_equal
from crashwright.engine.subject.introspection import class_mro, is_class

Values = list[Any]
Step = Callable[[Values], Any]
FAILURES = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RuntimeError, MemoryError)
"""Of steps, on values that they cannot compute with. RecursionError, a RuntimeError, where the subject left no room."""
LONGEST = 100_000
"""Characters of texts that are copied, or searched for a pattern."""
MOST_BITS = 4096
_DIGITS = re.compile(r"-?[0-9]{1,4000}")


# Arrays that something was stored to


class Stored(NamedTuple):
    """``base`` but for one index."""

    base: Any
    index: Any
    value: Any


class Everywhere(NamedTuple):
    """One value at each index."""

    value: Any


class Moved(NamedTuple):
    """Items of which those from ``start`` on are those of ``base`` that stand ``by`` further on; ``here`` is the one at ``start``,
    where there is a new one."""

    base: Any
    start: int
    by: int
    here: Any = ABSENT


class Joined(NamedTuple):
    """``size`` items of one, then those of the other."""

    base: Any
    size: int
    behind: Any


def read(array: Any, index: Any) -> Any:
    """What an array has at an index."""
    if index is NOT_KNOWN:
        return NOT_KNOWN
    while True:
        kind = type(array)
        if kind is Array:
            return array.at(index)
        if kind is Stored:
            verdict = same_value(array.index, index)
            if verdict is None:
                return NOT_KNOWN
            if verdict:
                return array.value
        elif kind is Moved:
            if index >= array.start:
                if index == array.start and array.here is not ABSENT:
                    return array.here
                index += array.by
        elif kind is Joined:
            if index >= array.size:
                array, index = array.behind, index - array.size
                continue
        else:
            return array.value if kind is Everywhere else NOT_KNOWN
        array = array.base


def _member(owner: object, key: object) -> Pair | object:
    """Whether a builtin mapping or set has the key."""
    found = stored(owner, key)
    if found is NOT_KNOWN:
        return UNKNOWN
    if found is not ABSENT:
        return TRUE
    if not is_scalar(key):
        return FALSE
    pairs = pairs_of(owner) or iter(())
    return truth.measured(False, min([to_equal(key, one) for one, _ in islice(pairs, ITEMS)], default=MISMATCH))


def _mapped(owner: object, key: object) -> object:
    found = stored(owner, key)
    return NOT_KNOWN if found is ABSENT else found


_HEAP: Final[Mapping[Sort, Array]] = MappingProxyType(
    {
        Sort.SIZES: SIZES,
        Sort.CLASSES: CLASSES,
        Sort.ELEMENTS: ELEMENTS,
        Sort.KEY_SETS: Array(lambda owner: Array(partial(_member, owner))),
        Sort.MAPPINGS: Array(lambda owner: Array(partial(_mapped, owner))),
    }
)


def constant(row: TermRow) -> object:
    """The value of a row that needs no others and is no parameter; ABSENT of all others."""
    if row.op is Op.LITERAL:
        if row.sort is Sort.TRUTH:
            return TRUE if row.payload else FALSE
        wrapped = {Sort.REFERENCE: MadeObject, Sort.CLASS: ClassName}.get(row.sort)
        return row.payload if wrapped is None else wrapped(row.payload)
    if row.op is Op.NONE:
        return None
    if row.op is Op.UNDEFINED:
        return UNDEFINED
    if row.op is Op.INPUT and row.sort is Sort.FIELD:
        return field(str(row.payload).removeprefix("."))
    if row.op is Op.INPUT and row.sort is not Sort.VALUE:
        return _HEAP.get(row.sort, NOT_KNOWN)
    if row.op in (Op.UNKNOWN, Op.SYMBOL):
        return unknown(row.sort)
    return ABSENT


def unknown(sort: Sort) -> object:
    """What stands for a value of that sort that cannot be told."""
    return UNKNOWN if sort is Sort.TRUTH else NOT_KNOWN


# Steps


def _values(operation: Callable[..., Any]) -> Callable[[TermRow, Sequence[TermRow]], Step]:
    """Of an operation on the values of the arguments."""

    def maker(row: TermRow, _rows: Sequence[TermRow]) -> Step:
        match row.args:
            case (one,):
                return lambda values: operation(values[one])
            case (one, two):
                return lambda values: operation(values[one], values[two])
            case (one, two, three):
                return lambda values: operation(values[one], values[two], values[three])
        args = row.args
        return lambda values: operation(*[values[one] for one in args])

    return maker


def _tag(tag: Op) -> Callable[[Any], Pair]:
    def tagged(value: Any) -> Pair:
        found = alternatives(value)
        if tag not in found:
            return FALSE if found else UNKNOWN
        return TRUE if len(found) == 1 else UNKNOWN

    return tagged


def _exactly(kind: type) -> Callable[[Any], Any]:
    return lambda value: value if type(value) is kind else NOT_KNOWN


def _truth_in(value: Any) -> Pair:
    return (TRUE if value else FALSE) if type(value) is bool else UNKNOWN


def _of_truth(pair: Pair) -> object:
    return True if not pair[0] else False if not pair[1] else NOT_KNOWN


def _as(tag: Op) -> Callable[[Any], Any]:
    return lambda value: value if tag in alternatives(value) else NOT_KNOWN


def _equal(row: TermRow, rows: Sequence[TermRow]) -> Step:
    one, two = row.args
    sort = rows[one].sort
    if sort in ARRAYS:
        return lambda _values: UNKNOWN
    compare: Callable[[Any, Any], Pair] = {
        Sort.TRUTH: truth.alike,
        Sort.VALUE: _equal_values,
        Sort.REFERENCE: lambda left, right: truth.told(same_value(left, right)),
        Sort.CLASS: _equal_classes,
    }.get(sort, _equal_scalars)
    return lambda values: compare(values[one], values[two])


def _equal_scalars(left: Any, right: Any) -> Pair:
    return UNKNOWN if left is NOT_KNOWN or right is NOT_KNOWN else truth.equal(left, right)


def _equal_values(left: Any, right: Any) -> Pair:
    verdict = same_value(left, right)
    if verdict is False and is_scalar(left) and is_scalar(right):
        return truth.measured(False, to_equal(left, right))
    return truth.told(verdict)


def _equal_classes(left: Any, right: Any) -> Pair:
    """# Deviation: what inherits from a class that a term names is taken for it, as an object of it mostly does the same."""
    verdict = same_class(left, right)
    if verdict is not False:
        return truth.told(verdict)
    live, name = (left, right) if is_class(left) else (right, left)
    inherits = is_class(live) and type(name) is ClassName and any(same_class(base, name) for base in class_mro(live))
    return TRUE if inherits else FALSE


def _choice(row: TermRow, _rows: Sequence[TermRow]) -> Step:
    condition, then, otherwise = row.args
    if row.sort is Sort.TRUTH:
        return lambda values: truth.chosen(values[condition], values[then], values[otherwise])

    def choose(values: Values) -> Any:
        yes, no = values[condition]
        return values[then] if not yes else values[otherwise] if not no else NOT_KNOWN

    return choose


def _select(row: TermRow, _rows: Sequence[TermRow]) -> Step:
    array, index = row.args
    if row.sort is not Sort.TRUTH:
        return lambda values: read(values[array], values[index])

    def select(values: Values) -> Any:
        found = read(values[array], values[index])
        return UNKNOWN if found is NOT_KNOWN else found

    return select


def _of_all(combine: Callable[[Sequence[Pair]], Pair]) -> Callable[[TermRow, Sequence[TermRow]], Step]:
    def maker(row: TermRow, _rows: Sequence[TermRow]) -> Step:
        args = row.args
        return lambda values: combine([values[one] for one in args])

    return maker


def _product(left: int | float, right: int | float) -> int | float:
    if type(left) is int and type(right) is int and left.bit_length() + right.bit_length() > MOST_BITS:
        raise OverflowError("too large")
    return left * right


def _shifted_left(value: int, by: int) -> int:
    if not 0 <= by <= MOST_BITS:
        raise OverflowError("too large")
    return value << by


def _short(text: Any) -> Any:
    if len(text) > LONGEST:
        raise ValueError("too long")
    return text


def _part(text: Any, start: int, length: int) -> Any:
    return _short(text)[start : start + length] if start >= 0 and length > 0 else text[:0]


def _find(text: Any, part: Any, start: int) -> int:
    return _short(text).find(part, start) if start >= 0 else -1


def _integer_of(text: str) -> int:
    if _DIGITS.fullmatch(text) is None:
        raise ValueError("no number")
    return int(text)


def _byte_at(text: bytes, index: int) -> int:
    if index < 0:
        raise IndexError(index)
    return text[index]


def _matches(row: TermRow, _rows: Sequence[TermRow]) -> Step:
    (text,) = row.args
    try:
        pattern = re.compile(str(row.payload))
    except (re.error, RecursionError, OverflowError):
        return lambda _values: UNKNOWN
    return lambda values: truth.told(pattern.fullmatch(_short(values[text])) is not None)


def _called(row: TermRow, _rows: Sequence[TermRow]) -> Step:
    (text,) = row.args
    call = text_calls.read(str(row.payload))
    otherwise = unknown(row.sort)

    def made(values: Values) -> Any:
        found = call.of(values[text]) if type(values[text]) is str else None
        return otherwise if found is None else truth.told(found) if row.sort is Sort.TRUTH and type(found) is bool else found

    return made


def _inserted(items: Any, index: int, value: Any) -> Moved:
    return Moved(items, _place(index), -1, value)


def _place(index: Any) -> int:
    if type(index) is not int:
        raise TypeError("no index")
    return index


_MAKERS: Final[Mapping[Op, Callable[[TermRow, Sequence[TermRow]], Step]]] = MappingProxyType(
    {
        **dict.fromkeys(
            (Op.OF_INTEGER, Op.OF_REAL, Op.OF_TEXT, Op.OF_BYTES, Op.OF_REFERENCE, Op.OF_CLASS), _values(lambda one: one)
        ),
        Op.OF_TRUTH: _values(_of_truth),
        **{tag: _values(_tag(tag)) for tag in ALTERNATIVES},
        Op.TRUTH_IN: _values(_truth_in),
        Op.INTEGER_IN: _values(_exactly(int)),
        Op.REAL_IN: _values(_exactly(float)),
        Op.TEXT_IN: _values(_exactly(str)),
        Op.BYTES_IN: _values(_exactly(bytes)),
        Op.REFERENCE_IN: _values(_as(Op.IS_REFERENCE)),
        Op.CLASS_IN: _values(_as(Op.IS_CLASS)),
        Op.NOT: _values(truth.opposite),
        Op.AND: _of_all(truth.all_of),
        Op.OR: _of_all(truth.any_of),
        Op.EQUAL: _equal,
        Op.CHOICE: _choice,
        Op.ADD: _values(operator.add),
        Op.SUBTRACT: _values(operator.sub),
        Op.MULTIPLY: _values(_product),
        Op.DIVIDE: _values(operator.truediv),
        Op.QUOTIENT: _values(operator.floordiv),
        Op.REMAINDER: _values(operator.mod),
        Op.LESS: _values(truth.less),
        Op.LESS_EQUAL: _values(truth.less_or_equal),
        Op.TO_REAL: _values(float),
        Op.TRUNCATE: _values(int),
        Op.BIT_AND: _values(operator.and_),
        Op.BIT_OR: _values(operator.or_),
        Op.BIT_XOR: _values(operator.xor),
        Op.SHIFT_LEFT: _values(_shifted_left),
        Op.SHIFT_RIGHT: _values(operator.rshift),
        Op.LENGTH: _values(len),
        Op.CONCATENATE: _values(lambda one, other: _short(one) + _short(other)),
        Op.CONTAINS: _values(truth.contains),
        Op.STARTS: _values(truth.starts),
        Op.ENDS: _values(truth.ends),
        Op.PART: _values(_part),
        Op.FIND: _values(_find),
        Op.REPLACE_FIRST: _values(lambda text, old, new: _short(text).replace(old, new, 1)),
        Op.BYTE_AT: _values(_byte_at),
        Op.TEXT_OF_INTEGER: _values(lambda number: str(operator.index(number))),
        Op.INTEGER_OF_TEXT: _values(_integer_of),
        Op.MATCHES: _matches,
        Op.CALLED: _called,
        Op.UPPER: _values(lambda text: _short(text).upper()),
        Op.LOWER: _values(lambda text: _short(text).lower()),
        Op.STRIPPED: _values(lambda text: _short(text).strip()),
        Op.SELECT: _select,
        Op.STORE: _values(Stored),
        Op.SAME: _values(Everywhere),
        Op.INSERTED: _values(_inserted),
        Op.DELETED: _values(lambda items, index: Moved(items, _place(index), 1)),
        Op.SHIFTED: _values(lambda items, by: Moved(items, 0, _place(by))),
        Op.JOINED: _values(lambda items, size, behind: Joined(items, _place(size), behind)),
    }
)


def step(row: TermRow, rows: Sequence[TermRow]) -> Step:
    """What computes a row that is no constant and no parameter."""
    return _MAKERS[row.op](row, rows)
