"""The Python probes of conditions that want a value (``==``, ``<``, ``in``, ``startswith``): they can note it, for dynamic
seeding."""

from __future__ import annotations

from itertools import islice
from typing import Any, TypeVar

from crashwright.engine.instrument.comparisons import flag, record
from crashwright.engine.instrument.distances import (
    LARGEST_INT,
    MISMATCH,
    OPAQUE,
    beyond_equal,
    to_affix,
    to_equal,
    to_equal_or_less,
    to_member,
)
from crashwright.engine.instrument.interface import Measured, NotedValue, Result
from crashwright.engine.instrument.layout import State
from crashwright.engine.instrument.text_distances import REMEMBERED, remembered_containment, remembered_difference

NOTED = 256
NOTED_LENGTH = 100
NOTED_ITEMS = 16
NEAR = 256
"""Integers so near to each other, or to 0, are found without being noted."""
ANSWER_ITEMS = 8
LARGEST_TABLE = 2000


class Notes:
    """The values that comparisons wanted: the last ``NOTED`` of them, so that those of the subject's inputs wear off. Those of the
    run in progress stand apart: where time cut it off, how many there are is chance."""

    __slots__ = ("_answers", "_turn", "_values", "answering", "latest", "latest_answers", "on", "orders")

    def __init__(self) -> None:
        self.on = False
        self.orders = False
        """Whether orderings of integers are noted too."""
        self.answering = False
        """Whether it is noted too what stood in the place of what was wanted."""
        self._answers: dict[tuple[NotedValue, NotedValue], None] = {}
        self.latest_answers: dict[tuple[NotedValue, NotedValue], None] = {}
        self._turn = 0
        self.latest: dict[tuple[type, NotedValue], None] = {}
        self._values: dict[tuple[type, NotedValue], None] = {}

    @property
    def values(self) -> list[NotedValue]:
        """Oldest first."""
        self.keep()
        return [value for _, value in self._values]

    @property
    def answers(self) -> list[tuple[NotedValue, NotedValue]]:
        """What was compared, with what would have been right in its place; oldest first."""
        self.keep()
        return list(self._answers)

    def keep(self) -> None:
        """The run has come to its end."""
        for key in self.latest:
            _note(self._values, key)
        for answer in self.latest_answers:
            _note(self._answers, answer)
        self.drop()

    def drop(self) -> None:
        """Forget what the run in progress wanted."""
        self.latest.clear()
        self.latest_answers.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.drop()
        self._values.clear()
        self._answers.clear()

    def answer(self, given: Any, wanted: Any) -> None:
        """Notes two values of one exact type, texts or whole numbers, of which the first was wanted to be the second."""
        kind = type(given)
        if kind is not type(wanted):
            return
        if kind is str or kind is bytes:
            if not (0 < len(given) < NOTED_LENGTH and 0 < len(wanted) < NOTED_LENGTH):
                return
        elif kind is not int:
            return
        _note(self.latest_answers, (given, wanted))

    def answer_items(self, given: Any, items: Any) -> None:
        """Notes some items of a container as what was wanted, others each time; of a text, what contains ``given`` too."""
        kind = type(items)
        if kind is str or kind is bytes:
            if type(given) is kind:
                self.answer(items, given + items)
            return
        if kind is list or kind is tuple or kind is dict or kind is set or kind is frozenset:
            size = len(items)
            start = self._turn % size if ANSWER_ITEMS < size <= LARGEST_TABLE else 0
            self._turn += ANSWER_ITEMS
            for item in list(islice(items, start, start + ANSWER_ITEMS)):
                self.answer(given, item)

    def add(self, value: Any) -> None:
        """Notes a string, bytes or number of exact type."""
        kind = type(value)
        if kind is str or kind is bytes:
            if not 0 < len(value) < NOTED_LENGTH:
                return
        elif kind is not int and kind is not float:
            return
        _note(self.latest, (kind, value))

    def add_both(self, lesser: int, greater: int) -> None:
        """Notes the operands of an ordering that are no small numbers, of which there are enough anyhow."""
        for value in (lesser, greater):
            if not -NEAR <= value <= NEAR:
                _note(self.latest, (int, value))

    def add_items(self, items: Any) -> None:
        """Notes a string or bytes, or the first items of a container."""
        kind = type(items)
        if kind is list or kind is tuple or kind is dict or kind is set or kind is frozenset:
            for item in list(islice(items, NOTED_ITEMS)):
                self.add(item)
        else:
            self.add(items)


Key = TypeVar("Key")


def _note(values: dict[Key, None], key: Key) -> None:
    if key not in values:
        if len(values) >= NOTED:
            del values[next(iter(values))]
        values[key] = None


def ordering(notes: Notes) -> tuple[Measured, Measured]:
    """``<`` and ``<=``; the operands of ``>`` and ``>=`` come in the other order."""

    def lt(state: State, slot: int, result: Result, lesser: object, greater: object, _spent: None, /) -> Result:
        """``lesser < greater``, or ``greater > lesser``."""
        if result is True:
            state[slot] = 0.0
            other = slot + 1
            least = state[other]
            if not least:
                state[slot + 2] = 1
            elif type(lesser) is int is type(greater):
                distance: float = greater - lesser
                if distance < least:
                    state[other] = distance if distance < LARGEST_INT else LARGEST_INT
                    if distance > NEAR and notes.orders and notes.on:
                        notes.add_both(lesser, greater)
            else:
                try:
                    distance = to_equal_or_less(lesser, greater)
                except RecursionError:
                    distance = OPAQUE
                if distance < least:
                    state[other] = distance
        elif result is False:
            state[slot + 1] = 0.0
            least = state[slot]
            if not least:
                state[slot + 2] = 1
            elif type(lesser) is int is type(greater):
                distance = lesser - greater
                if distance < least:  # 1 is added only where it is stored; a tie is stored again
                    state[slot] = distance + 1 if distance < LARGEST_INT else LARGEST_INT
                    if distance > NEAR and notes.orders and notes.on:
                        notes.add_both(lesser, greater)
            else:
                try:
                    distance = beyond_equal(lesser, greater)
                except RecursionError:
                    distance = OPAQUE
                if distance < least:
                    state[slot] = distance
        return result

    def le(state: State, slot: int, result: Result, lesser: object, greater: object, _spent: None, /) -> Result:
        """``lesser <= greater``, or ``greater >= lesser``."""
        if result is True:
            state[slot] = 0.0
            other = slot + 1
            least = state[other]
            if not least:
                state[slot + 2] = 1
            elif type(lesser) is int is type(greater):
                distance: float = greater - lesser
                if distance < least:
                    state[other] = distance + 1 if distance < LARGEST_INT else LARGEST_INT
                    if distance > NEAR and notes.orders and notes.on:
                        notes.add_both(lesser, greater)
            else:
                try:
                    distance = beyond_equal(lesser, greater)
                except RecursionError:
                    distance = OPAQUE
                if distance < least:
                    state[other] = distance
        elif result is False:
            state[slot + 1] = 0.0
            least = state[slot]
            if not least:
                state[slot + 2] = 1
            elif type(lesser) is int is type(greater):
                distance = lesser - greater
                if distance < least:
                    state[slot] = distance if distance < LARGEST_INT else LARGEST_INT
                    if distance > NEAR and notes.orders and notes.on:
                        notes.add_both(lesser, greater)
            else:
                try:
                    distance = to_equal_or_less(lesser, greater)
                except RecursionError:
                    distance = OPAQUE
                if distance < least:
                    state[slot] = distance
        return result

    return lt, le


def equality(notes: Notes) -> tuple[Measured, Measured]:
    """``==`` and ``!=``."""

    def eq(state: State, slot: int, result: Result, given: object, wanted: object, _spent: None, /) -> Result:
        if result is not False:
            return flag(state, slot, result)
        state[slot + 1] = 0.0
        try:
            if notes.on:
                notes.add(wanted)
                if notes.answering:
                    notes.answer(given, wanted)
            least = state[slot]
            if not least:
                state[slot + 2] = 1
            else:
                distance = _to_equal(given, wanted)
                if distance < least:
                    state[slot] = distance
        except RecursionError:
            record(state, slot, False, OPAQUE)
        return result

    def ne(state: State, slot: int, result: Result, given: object, wanted: object, _spent: None, /) -> Result:
        if result is not True:
            return flag(state, slot, result)
        state[slot] = 0.0
        try:
            if notes.on:
                notes.add(wanted)
                if notes.answering:
                    notes.answer(given, wanted)
            least = state[slot + 1]
            if not least:
                state[slot + 2] = 1
            else:
                distance = _to_equal(given, wanted)
                if distance < least:
                    state[slot + 1] = distance
        except RecursionError:
            record(state, slot, True, OPAQUE)
        return result

    return eq, ne


def _to_equal(given: object, wanted: object) -> float:
    if type(given) is str is type(wanted) and len(given) <= REMEMBERED and len(wanted) <= REMEMBERED:
        return remembered_difference(given, wanted)
    return to_equal(given, wanted)


def _nearer_member(state: State, slot: int, other: int, item: object, items: object, notes: Notes) -> None:
    if notes.on:
        notes.add_items(items)
        notes.add(item)
        if notes.answering:
            notes.answer_items(item, items)
    least = state[other]
    if not least:
        state[slot + 2] = 1
        return
    if type(item) is str is type(items) and len(item) <= REMEMBERED and len(items) <= REMEMBERED:
        distance = remembered_containment(item, items)
    else:
        distance = to_member(item, items)
    if distance < least:
        state[other] = distance


def membership(notes: Notes) -> tuple[Measured, Measured]:
    """``in`` and ``not in``."""

    def in_(state: State, slot: int, result: Result, item: object, items: object, _spent: None, /) -> Result:
        if result is False:
            state[slot + 1] = 0.0
            try:
                _nearer_member(state, slot, slot, item, items, notes)
            except RecursionError:
                record(state, slot, False, MISMATCH)
            return result
        return flag(state, slot, result)

    def not_in(state: State, slot: int, result: Result, item: object, items: object, _spent: None, /) -> Result:
        if result is True:
            state[slot] = 0.0
            try:
                _nearer_member(state, slot, slot + 1, item, items, notes)
            except RecursionError:
                record(state, slot, True, MISMATCH)
            return result
        return flag(state, slot, result)

    return in_, not_in


def affix(notes: Notes, at_start: bool) -> Measured:
    """``startswith`` or ``endswith``."""

    def probe(state: State, slot: int, result: Result, text: object, wanted: object, _spent: None, /) -> Result:
        if result is not False:
            return flag(state, slot, result)
        try:
            if notes.on:
                notes.add_items(wanted)
                if notes.answering:
                    _answer_affix(notes, text, wanted, at_start)
            distance = to_affix(text, wanted, at_start)
        except RecursionError:
            distance = OPAQUE
        record(state, slot, False, distance)
        return result

    return probe


def _answer_affix(notes: Notes, text: Any, wanted: Any, at_start: bool) -> None:
    """A text with the wanted beginning (or end) in place of its own."""
    kind = type(text)
    if kind is not str and kind is not bytes:
        return
    for affix in wanted[:ANSWER_ITEMS] if type(wanted) is tuple else (wanted,):
        if type(affix) is kind:
            size = len(affix)
            notes.answer(text, affix + text[size:] if at_start else text[: len(text) - size] + affix)
            notes.answer(text[:size] if at_start else text[-size:], affix)
