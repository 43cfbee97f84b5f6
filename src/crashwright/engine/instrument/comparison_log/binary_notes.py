"""What one run did with its text as data: which numbers it read where, what these were compared with, and what they say of other
parts."""

from __future__ import annotations

from crashwright.engine.instrument.comparison_log.numbers import Number, derived, is_field, written
from crashwright.engine.instrument.comparison_log.origins import TextOrigins
from crashwright.engine.instrument.comparison_log.relations import ComputedSum, Counted, Relation, Sum, SumCheck
from crashwright.engine.instrument.comparison_log.wanted import Span
from crashwright.engine.instrument.operations import ARITHMETIC

MOST_FIELDS, MOST_RELATIONS, MOST_VALUES = 400, 64, 64


class BinaryNotes:
    """``fields`` by where they are, in the order in which they were read; ``values`` are integers that something was compared with,
    the latest last; ``relations`` hold for the text as it is."""

    def __init__(self, origins: TextOrigins) -> None:
        self._origins = origins
        self.fields: dict[Span, Number] = {}
        self.values: dict[int, None] = {}
        self.relations: dict[Relation, None] = {}
        self.hashes: dict[int, tuple[object, tuple[Span, ...]]] = {}
        """What objects of ``hashlib`` were fed with, by their identity."""
        self._sums: dict[Sum, ComputedSum] = {}

    def read(self, value: object, number: Number) -> None:
        """A number was read."""
        self._origins.put_number(value, number)  # type: ignore[arg-type]
        self._origins.latest = number.span.end
        if is_field(number) and len(self.fields) < MOST_FIELDS:
            self.fields.setdefault(number.span, number)

    def value(self, wanted: object) -> None:
        """Something was compared with this."""
        if type(wanted) is int and len(self.values) < MOST_VALUES:
            self.values.pop(wanted, None)
            self.values[wanted] = None

    def counted(self, value: object, span: Span, distance: bool = False) -> None:
        """``value`` is the length of what is there; ``distance``: what is added to it is how far it is to its beginning."""
        number = self._origins.number(value)
        if number is None or type(value) is not int or value <= 0 or len(self.relations) >= MOST_RELATIONS:
            return
        start = span.start + (number.plus if distance and 0 < number.plus <= value else 0)
        if not start <= number.span.start < span.end:
            self.relations[Counted(number, value, Span(start, span.end))] = None

    def summed(self, made: object, computed: ComputedSum) -> None:
        """A checksum was computed."""
        if (type(made) is int and made > 1) or ((type(made) is bytes or type(made) is str) and made):
            self._sums[made] = computed

    def sum_of(self, value: object) -> ComputedSum | None:
        """How it was computed."""
        return self._sums.get(value) if type(value) is int or type(value) is bytes or type(value) is str else None

    def checked(self, wanted: object, span: Span, number: Number | None) -> None:
        """What stands there was compared with ``wanted``."""
        computed = self.sum_of(wanted)
        if computed is not None and len(self.relations) < MOST_RELATIONS:
            self.relations[SumCheck(span, number, computed)] = None

    def operated(self, symbol: str, left: int, right: int, made: int) -> tuple[Span, str] | None:
        """``made`` comes from two integers. If it is a part of one, what makes it come out otherwise, and where."""
        computed = self.sum_of(left)
        if computed is not None and symbol in ARITHMETIC:
            self.summed(made, computed._replace(after=(*computed.after, (symbol, right))))
            return None
        one, other = self._origins.number(left), self._origins.number(right)
        if (one is None and other is None) or type(made) is not int:
            return None
        number = derived(symbol, one, other, left, right)
        if number is None:
            return None
        self._origins.put_number(made, number)
        if symbol != "&":
            return None
        wanted = written(number, 0 if made else (right if one is not None else left), self._origins.text)
        return None if wanted is None else (number.span, wanted)
