"""What a value would have to be for a precondition to hold, all others staying as they are: its false guards solved for one value
after the other under the concrete heap of a run (STAR, section 7: repair under the observed state).

A wanted outcome is pushed down through the terms of a guard: each operator is inverted for one operand, with the values that the
others have now, until a parameter, an attribute, or what a container holds is come to (propagation-based local search: Niemetz et
al., CAV 2016). What is not known stays as it is; where it decides a comparison, numbers are pushed far to both sides.

# Deviation: no solver is asked, so that the search neither waits for another process nor depends on when that answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeGuard

from crashwright.core.terms import Op, Sort, TermRow
from crashwright.engine.goals.crash.live_heap import NOT_KNOWN, is_scalar
from crashwright.engine.goals.crash.term_steps import FAILURES, Values
from crashwright.engine.subject.introspection import identities

DEEPEST: Final = 24
"""Operators that a wanted outcome is pushed through."""
MOST: Final = 16
"""Required values of one run."""
FAR: Final = (0, -1_000_000, 1_000_000)
"""Numbers where it is not known how far they have to go."""
LARGEST: Final = 200
"""Items of containers and characters of texts that are made."""
_ROWS: Final = identities(list, tuple, set, frozenset)
_Row = list[object] | tuple[object, ...] | set[object] | frozenset[object]


class RequiredValue(NamedTuple):
    """``name`` is that of a parameter or, of objects of the class ``owner``, of an attribute; "" of what a container holds.
    ``old`` is what it is, made of plain values, and ``new`` what it should be. Where neither name nor old value is known
    (``NOT_KNOWN``), something that the code comes by should be like ``new``."""

    name: str
    owner: type | None
    old: object
    new: object


def required_values_of(rows: Sequence[TermRow], values: Values, guards: Sequence[int]) -> list[RequiredValue]:
    """Of those of the ``guards``, by their rows, that do not hold; ``values`` are those of the rows."""
    required = _Required(rows, values)
    for guard in guards:
        required.be(guard, True, DEEPEST)
    return list(required.found.values())[:MOST]


class _Required:
    def __init__(self, rows: Sequence[TermRow], values: Values) -> None:
        self._rows = rows
        self._values = values
        self.found: dict[str, RequiredValue] = {}

    def be(self, number: int, wanted: bool, room: int) -> None:
        """A TRUTH is wanted to be so."""
        row, (to_true, to_false) = self._rows[number], self._values[number]
        if room == 0 or (to_false if not wanted else to_true) == 0:
            return
        args = row.args
        if row.op is Op.NOT:
            self.be(args[0], not wanted, room - 1)
        elif row.op in (Op.AND, Op.OR):
            for one in args:
                self.be(one, wanted, room - 1)
        elif row.op is Op.CHOICE:
            yes, no = self._values[args[0]]
            for one in args[1:2] if not yes else args[2:3] if not no else args[1:]:
                self.be(one, wanted, room - 1)
        elif row.op is Op.TRUTH_IN:
            self.make(args[0], wanted, room - 1)
        elif row.op in _OF_KIND and wanted:
            self.make(args[0], _OF_KIND[row.op], room - 1)
        elif row.op is Op.SELECT:
            self._have(row, wanted, room - 1)
        elif row.op in _RELATIONS and self._rows[args[0]].sort is not Sort.TRUTH:
            self._relate(row, wanted, room - 1)

    def _relate(self, row: TermRow, wanted: bool, room: int) -> None:
        """Each operand in its turn."""
        one, two = row.args
        left, right = self._values[one], self._values[two]
        if left is NOT_KNOWN or right is NOT_KNOWN:
            if row.op in (Op.LESS, Op.LESS_EQUAL):
                self._stir(row, room)
            return
        for number, new in ((one, 0), (two, 1)):
            try:
                values = _RELATIONS[row.op](left, right, wanted)[new]
            except FAILURES:
                continue
            for value in values:
                self.make(number, value, room)

    def _stir(self, row: TermRow, room: int) -> None:
        """Something else that a comparison with what is not known depends on."""
        waiting, seen = list(row.args), set[int]()
        while waiting and len(seen) < DEEPEST:
            number = waiting.pop()
            if number in seen:
                continue
            seen.add(number)
            live, inner = self._values[number], self._rows[number]
            if (type(live) is int or type(live) is float) and inner.op in (Op.INPUT, Op.SELECT):
                for far in FAR:
                    self.make(number, type(live)(far), room)
            elif inner.sort not in (Sort.FIELD, Sort.REFERENCE):
                waiting.extend(inner.args)

    def _have(self, row: TermRow, wanted: bool, room: int) -> None:
        """A container is to have a key, or not to."""
        keys, key = self._rows[row.args[0]], self._values[row.args[1]]
        if keys.op is not Op.SELECT or not is_scalar(key):
            return
        container = plain(self._values[keys.args[1]])
        if type(container) is dict:
            others = {one: value for one, value in container.items() if one != key}
            self._require("", None, container, {**others, key: None} if wanted else others)
        elif type(container) is set:
            self._require("", None, container, container | {key} if wanted else container - {key})
        if wanted and (type(container) is dict or type(container) is set):
            for one in list(container)[:2]:
                self.make(row.args[1], one, room)

    def make(self, number: int, wanted: Any, room: int) -> None:
        """A value is wanted."""
        row, live = self._rows[number], self._values[number]
        if room == 0 or wanted is NOT_KNOWN or (type(live) is type(wanted) and is_scalar(live) and live == wanted):
            return
        args = row.args
        if row.op is Op.INPUT and row.sort is Sort.VALUE:
            if ":" not in str(row.payload):
                self._require(str(row.payload), None, live, wanted)
        elif row.op is Op.OF_TRUTH:
            self.be(args[0], bool(wanted), room - 1)
        elif row.op in _THROUGH:
            self.make(args[0], wanted, room - 1)
        elif row.op is Op.SELECT:
            self._put(row, live, wanted)
        elif row.op is Op.UNKNOWN:
            self._require("", None, NOT_KNOWN, wanted)
        elif row.op in _INVERSES:
            operands = [self._values[one] for one in args]
            for place, inverse in enumerate(_INVERSES[row.op]):
                try:
                    value = inverse(wanted, *operands)
                except FAILURES:
                    continue
                self.make(args[place], value, room - 1)

    def _put(self, row: TermRow, live: Any, wanted: Any) -> None:
        """An attribute, the size of a container, or what it holds."""
        array, index = self._rows[row.args[0]], self._values[row.args[1]]
        if array.op is Op.INPUT and array.sort is Sort.FIELD and index is not NOT_KNOWN:
            self._require(str(array.payload).removeprefix("."), type(index), live, wanted)
        elif array.op is Op.INPUT and array.sort is Sort.SIZES:
            container = plain(index)
            if (type(container) is list or type(container) is tuple) and type(wanted) is int and 0 <= wanted <= LARGEST:
                more = [container[-1] if container else 0] * (wanted - len(container))
                self._require("", None, container, type(container)([*container[:wanted], *more]))
        elif array.op is Op.SELECT:
            self._require("", None, live, wanted)

    def _require(self, name: str, owner: type | None, old: object, new: object) -> None:
        old, new = plain(old), plain(new)
        if len(self.found) < MOST and new is not NOT_KNOWN:
            self.found.setdefault(
                f"{name} {None if owner is None else id(owner)} {old!r} {new!r}", RequiredValue(name, owner, old, new)
            )


def plain(value: object, depth: int = 3) -> object:
    """A copy of what is made of plain values, as it is now; ``NOT_KNOWN`` for anything else, and for what is large."""
    if is_scalar(value):
        return value
    if depth == 0:
        return NOT_KNOWN
    if type(value) is dict and len(value) <= LARGEST:
        pairs = [(plain(key, 1), plain(item, depth - 1)) for key, item in value.items()]
        whole = all(key is not NOT_KNOWN and item is not NOT_KNOWN for key, item in pairs)
        return dict(pairs) if whole else NOT_KNOWN
    if not _is_row(value) or len(value) > LARGEST:
        return NOT_KNOWN
    items = [plain(item, depth - 1) for item in value]
    return NOT_KNOWN if any(item is NOT_KNOWN for item in items) else type(value)(items)


def _is_row(value: object) -> TypeGuard[_Row]:
    return id(type(value)) in _ROWS


# What operands have to be


def _equal(left: Any, right: Any, wanted: bool) -> tuple[Sequence[Any], Sequence[Any]]:
    return ([right], [left]) if wanted else (_others(right), _others(left))


def _others(value: Any) -> Sequence[Any]:
    kind = type(value)
    if kind is bool:
        return [not value]
    if kind is int or kind is float:
        return [value + 1, value - 1]
    if kind is str or kind is bytes:
        return [value + (b"a" if kind is bytes else "a"), value[1:]]
    return []


def _less(left: Any, right: Any, wanted: bool) -> tuple[Sequence[Any], Sequence[Any]]:
    if type(left) is str:
        return ([""], [f"{left}a"]) if wanted else ([right], [left])
    return ([right - 1], [left + 1]) if wanted else ([right], [left])


def _less_equal(left: Any, right: Any, wanted: bool) -> tuple[Sequence[Any], Sequence[Any]]:
    return ([right], [left]) if wanted or type(left) is str else ([right + 1], [left - 1])


def _contains(whole: Any, part: Any, wanted: bool) -> tuple[Sequence[Any], Sequence[Any]]:
    return ([whole + part, part], [whole[:1]]) if wanted else ([whole.replace(part, whole[:0])], _others(part))


def _starts(whole: Any, part: Any, wanted: bool) -> tuple[Sequence[Any], Sequence[Any]]:
    return ([part + whole, part], [whole[:1]]) if wanted else ([whole[len(part) :]], _others(part))


def _ends(whole: Any, part: Any, wanted: bool) -> tuple[Sequence[Any], Sequence[Any]]:
    return ([whole + part, part], [whole[-1:]]) if wanted else ([whole[: -len(part)]], _others(part))


_RELATIONS: Final[Mapping[Op, Callable[[Any, Any, bool], tuple[Sequence[Any], Sequence[Any]]]]] = MappingProxyType(
    {
        Op.EQUAL: _equal,
        Op.LESS: _less,
        Op.LESS_EQUAL: _less_equal,
        Op.CONTAINS: _contains,
        Op.STARTS: _starts,
        Op.ENDS: _ends,
    }
)
_OF_KIND: Final[Mapping[Op, object]] = MappingProxyType(
    {Op.IS_NONE: None, Op.IS_TRUTH: True, Op.IS_INTEGER: 1, Op.IS_REAL: 0.5, Op.IS_TEXT: "a", Op.IS_BYTES: b"a"}
)
_THROUGH: Final = frozenset(
    {
        *(Op.OF_INTEGER, Op.OF_REAL, Op.OF_TEXT, Op.OF_BYTES, Op.TRUTH_IN, Op.INTEGER_IN, Op.REAL_IN, Op.TEXT_IN, Op.BYTES_IN),
        *(Op.UPPER, Op.LOWER, Op.STRIPPED, Op.REMAINDER, Op.CALLED),
    }
)
"""What gives the value of its first operand, or one that it may be as well."""


def _resized(size: int, text: Any) -> Any:
    if not 0 <= size <= LARGEST:
        raise ValueError(size)
    return text[:size] + (b"a" if type(text) is bytes else "a") * (size - len(text))


def _before(wanted: Any, _: Any, end: Any) -> Any:
    return wanted[: -len(end)] if end and wanted.endswith(end) else NOT_KNOWN if end else wanted


def _behind(wanted: Any, start: Any, _: Any) -> Any:
    return wanted[len(start) :] if wanted.startswith(start) else NOT_KNOWN


_INVERSES: Final[Mapping[Op, tuple[Callable[..., Any], ...]]] = MappingProxyType(
    {
        Op.ADD: (lambda wanted, _, two: wanted - two, lambda wanted, one, _: wanted - one),
        Op.SUBTRACT: (lambda wanted, _, two: wanted + two, lambda wanted, one, _: one - wanted),
        Op.MULTIPLY: (
            lambda wanted, _, two: wanted // two if type(wanted) is int else wanted / two,
            lambda wanted, one, _: wanted // one if type(wanted) is int else wanted / one,
        ),
        Op.DIVIDE: (lambda wanted, _, two: wanted * two,),
        Op.QUOTIENT: (lambda wanted, _, two: wanted * two,),
        Op.TO_REAL: (lambda wanted, _: int(wanted),),
        Op.TRUNCATE: (lambda wanted, _: float(wanted),),
        Op.LENGTH: (_resized,),
        Op.CONCATENATE: (_before, _behind),
        Op.PART: (lambda wanted, whole, start, length: whole[:start] + wanted + whole[start + length :],),
        Op.INTEGER_OF_TEXT: (lambda wanted, _: str(int(wanted)),),
        Op.TEXT_OF_INTEGER: (lambda wanted, _: int(wanted),),
        Op.BYTE_AT: (lambda wanted, data, index: data[:index] + bytes([wanted]) + data[index + 1 :],),
    }
)
"""What each operand has to be, from the wanted result and what the operands are."""
