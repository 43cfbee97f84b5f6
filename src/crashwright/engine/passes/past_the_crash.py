"""What comes after the crash is made to work.

With the bug fixed, a run goes on where it ended before, with whatever else the test passes. A test whose other values are any that
came by ends there with another exception then, and never turns green. There is no fixed version to try, but there are runs that get
past the crash: one change (another key, a number that is not zero) takes the cause away. If such a run comes to its end, the test
is as it should be. If it ends in another exception, the test is changed until it does not, and the cause is put back in: as long as
that crashes as before, it is the better test.

# Deviation: none of the papers does this; to them every test that crashes is as good.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Container, Iterator
from itertools import chain, islice, zip_longest
from random import Random
from typing import NamedTuple, cast

from crashwright.engine.search.after_crash import Seen
from crashwright.engine.search.behaviour import COMPLETED, TIMED_OUT, RunEnding
from crashwright.engine.search.complaints import Complaint
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.binding import bound
from crashwright.engine.testcase.editing.neighbourhood import KNOWN, KnownValues, neighbourhood
from crashwright.engine.testcase.editing.record_steps import record_steps
from crashwright.engine.testcase.editing.substitution import in_places
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.statements import Display, Literal, Statement, Value, Variable, same_value
from crashwright.engine.testcase.structure.documents import document_of, text_of
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined

RUNS = 700
"""Tests that are run for one."""
FIRST, EACH = 300, 160
"""Changes that may take the cause away, and changes of each test that got past it."""
PLACES, EACH_PLACE, DEPTH = 12, 2, 5
"""Exceptions after the crash that are looked at, tests that end in each, and how many of them one after the other."""
LONGER = 40
"""So many more after one has got further."""
STEPS, DRAWN = 60, 2
_VALUES = (Literal, st.Reference, st.FileFixture)
"""What may be the cause: a call that is made otherwise is another test."""


class _Part(NamedTuple):
    """Where two values differ: the way there (positions in containers, those of values in dicts), what stands there in either."""

    way: tuple[int, ...]
    before: Value
    after: Value


class _Cause(NamedTuple):
    """What was changed to get past the crash, as it was and as it is; ``part`` of it, if there is such."""

    before: Statement
    after: Statement
    part: _Part | None


class _State(NamedTuple):
    """A test that gets past the crash, and how that ends."""

    test: TestCase
    cause: _Cause
    found: Seen
    depth: int


class PastTheCrash:
    """For one search. ``proposed`` gives tests in which what a complaint names is put where it is looked for; literals of ``kept``
    stay."""

    def __init__(
        self,
        factory: Factory,
        kept: Container[Variable],
        rng: Random,
        proposed: Callable[[Complaint], list[TestCase]],
    ) -> None:
        self._factory = factory
        self._kept = kept
        self._rng = rng
        self._proposed = proposed
        self._runs = 0

    def made_of(
        self, test: TestCase, good: Callable[[TestCase], bool], see: Callable[[TestCase], Seen], goes_on: Callable[[], bool]
    ) -> TestCase:
        """``test``, which is good, or a good one that is rather green with the fix."""
        own = see(test)
        known = KnownValues({cls: self._factory.pool.likeliest(cls, KNOWN) for cls in (str, int, float)}, self._kept)
        self._runs = 0
        waiting: list[_State] = []
        for one, cause in self._past(test, own.complaint, known):
            found = self._seen(one, see, goes_on)
            if found is None or (found.reached and found.ending == COMPLETED):
                return test
            if _is_past(found, own):
                waiting.append(_State(one, cause, found, 1))
        # A small part that was changed can be put back where more than that is wrong.
        waiting.sort(key=lambda state: state.cause.part is None)
        places = Counter((_place(own), _place(own)))
        while waiting:
            state = waiting.pop(0)
            places[_place(state.found)] += 1
            if places[_place(state.found)] > EACH_PLACE or len(places) > PLACES:
                continue
            further: dict[object, _State] = {}
            until = math.inf
            for number, one in enumerate(self._mended(state, known)):
                found = self._seen(one, see, goes_on) if number < until else None
                if found is None:
                    break
                is_further = _is_past(found, own) and not places[_place(found)] and state.depth < DEPTH
                if not (found.ending == COMPLETED or is_further):
                    continue
                back = next((other for other in _undone(one, state.cause) if other.is_valid() and good(other)), None)
                if back is None:
                    continue
                if found.ending == COMPLETED:
                    return back
                if _place(found) not in further:
                    until = min(until, number + LONGER)
                    further[_place(found)] = _State(one, state.cause, found, state.depth + 1)
            waiting[:0] = further.values()
        return test

    def _seen(self, test: TestCase, see: Callable[[TestCase], Seen], goes_on: Callable[[], bool]) -> Seen | None:
        """None where there is no time for it."""
        self._runs += 1
        return see(test) if self._runs <= RUNS and goes_on() else None

    def _past(self, test: TestCase, complaint: Complaint | None, known: KnownValues) -> Iterator[tuple[TestCase, _Cause]]:
        """With one literal, or one name, changed."""
        fresh = self._factory.new
        ways = (
            [] if complaint is None else self._proposed(complaint),
            record_steps(test, self._kept, fresh, STEPS),
            neighbourhood(test, known._replace(kept=()), fresh, FIRST),
        )
        for one in _in_turn(ways, test):
            cause = _cause(test, one)
            if cause is not None:
                yield one, cause

    def _mended(self, state: _State, known: KnownValues) -> Iterator[TestCase]:
        test = state.test
        ways = (
            [] if state.found.complaint is None else self._proposed(state.found.complaint),
            self._other_arguments(test),
            neighbourhood(test, known, self._factory.new, EACH),
        )
        yield from islice(_in_turn(ways, test), 2 * EACH)

    def _other_arguments(self, test: TestCase) -> Iterator[TestCase]:
        """With another argument, made for its parameter, the last calls first."""
        for _ in range(DRAWN):
            for place in reversed(range(len(test.statements))):
                one = test.statements[place]
                if not isinstance(one, st.Call | st.MethodCall | st.CallValue) or one.callee is None:
                    continue
                for parameter, passed in bound(one.callee, one.arguments.positional, one.arguments.keywords):
                    if passed in self._kept:
                        continue
                    before = list(test.statements[:place])
                    made = self._factory.parameter(before, one.callee, parameter, self._rng)
                    arguments = one.arguments._replace(
                        positional=tuple(made if other == passed else other for other in one.arguments.positional),
                        keywords=tuple((name, made if other == passed else other) for name, other in one.arguments.keywords),
                    )
                    yield TestCase((*before, one._replace(arguments=arguments), *test.statements[place + 1 :]))


def _is_past(found: Seen, own: Seen) -> bool:
    """It ended after the crash: having come by its line, or further down in one of the functions that lead to it."""
    if found.ending in (COMPLETED, TIMED_OUT):
        return False
    if found.reached:
        return True
    for (name, line), (other, there) in zip(found.raised, own.raised, strict=False):
        if name != other:
            return False
        if line != there:
            return line > there
    return False


def _place(found: Seen) -> tuple[RunEnding, tuple[Value, ...]]:
    return found.ending, found.complaint.named if found.complaint is not None else ()


def _in_turn(ways: tuple[Iterator[TestCase] | list[TestCase], ...], test: TestCase) -> Iterator[TestCase]:
    tried = {shape_of(test)}
    for one in chain.from_iterable(zip_longest(*ways)):
        if one is not None and one.is_valid() and (shape := shape_of(one)) not in tried:
            tried.add(shape)
            yield one


def _cause(test: TestCase, changed: TestCase) -> _Cause | None:
    """The one statement that is another; None where there is more to it."""
    if len(test.statements) != len(changed.statements):
        return None
    pairs = [(one, other) for one, other in zip(test.statements, changed.statements, strict=True) if not st.same(one, other)]
    if len(pairs) != 1 or type(pairs[0][0]) not in _VALUES or defined(pairs[0][0]) != defined(pairs[0][1]):
        return None
    before, after = pairs[0]
    old, new = _held(before), _held(after)
    return _Cause(before, after, None if old is None or new is None else _difference(old, new))


def _undone(test: TestCase, cause: _Cause) -> Iterator[TestCase]:
    """``test`` with the cause put back in: at its place within the value, in the place of what it became, or as the statement."""
    variable, part = defined(cause.before), cause.part
    place = next((at for at, one in enumerate(test.statements) if defined(one) == variable), None)
    if place is not None and part is not None:
        put = _put(_held(test.statements[place]), part.way, part.before)
        if put is not None:
            yield TestCase((*test.statements[:place], _holding(test.statements[place], put), *test.statements[place + 1 :]))
        yield from in_places(test, part.after, part.before)
    yield TestCase(tuple(cause.before if defined(one) == variable else one for one in test.statements))


def _held(statement: Statement) -> Value | None:
    if isinstance(statement, st.FileFixture):
        return statement.content
    return statement.value if isinstance(statement, Literal) else None


def _holding(statement: Statement, value: Value) -> Statement:
    if isinstance(statement, st.FileFixture) and isinstance(value, str | bytes):
        return statement._replace(content=value)
    return statement._replace(value=value) if isinstance(statement, Literal) else statement


def _difference(one: Value, other: Value, way: tuple[int, ...] = ()) -> _Part | None:
    """None where there is more than one, or where what differs could not be found again."""
    if type(one) is str and type(other) is str:
        documents = document_of(one), document_of(other)
        if documents[0] is not None and documents[1] is not None:
            return _difference(*documents, way)
        if not way:
            words = _other_words(one, other)
            return _Part(way, *words) if all(words) else None
    if isinstance(one, Display) and isinstance(other, Display) and one.kind == other.kind and len(one.items) == len(other.items):
        places = [at for at, pair in enumerate(zip(one.items, other.items, strict=True)) if repr(pair[0]) != repr(pair[1])]
        if len(places) != 1:
            return None
        first, second = one.items[places[0]], other.items[places[0]]
        if type(first) is tuple and type(second) is tuple:
            same_key = same_value(first[0], second[0])
            return _difference(first[1], second[1], (*way, places[0])) if same_key else None
        return _difference(cast(Value, first), cast(Value, second), (*way, places[0]))
    return _Part(way, one, other) if way else None


def _other_words(one: str, other: str) -> tuple[str, str]:
    """The words in which they differ."""
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    end = 0
    while end < min(len(one), len(other)) - start and one[-1 - end] == other[-1 - end]:
        end += 1
    while start and one[start - 1].isalnum():
        start -= 1
    while end and one[len(one) - end].isalnum():
        end -= 1
    return one[start : len(one) - end], other[start : len(other) - end]


def _put(value: Value | None, way: tuple[int, ...], part: Value) -> Value | None:
    """``value`` with ``part`` at that place; None where there is no such place. At the end of the way a text is another one."""
    if not way:
        return None if isinstance(value, str) and document_of(value) is None else part
    document = document_of(value) if type(value) is str else None
    if document is not None:
        changed = _put(document, way, part)
        return None if changed is None else text_of(changed)
    if not isinstance(value, Display) or way[0] >= len(value.items):
        return None
    item = value.items[way[0]]
    inner = item[1] if type(item) is tuple else item
    changed = part if len(way) == 1 else _put(cast(Value, inner), way[1:], part)
    if changed is None and len(way) > 1:
        return None
    new = (item[0], changed) if type(item) is tuple else changed
    return value._replace(items=(*value.items[: way[0]], new, *value.items[way[0] + 1 :]))
