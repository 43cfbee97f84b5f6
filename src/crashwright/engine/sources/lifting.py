"""What an inner frame needs, put into tests that enter further out.

A test that makes the crash from an inner frame holds the values that are needed there, and the statements that make them. Each of
these takes the place of each value of an outer test that it may stand for: of the same object, an argument of its constructor, an
element, an item, a part of a text. What happened before the inner call may have to happen before the outer one.

# Deviation: STAR (section 5) composes preconditions outwards by symbolic summaries; here a concrete test is carried outwards, and
# running it says what fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice, zip_longest
from typing import NamedTuple

from crashwright.engine.sources.carrying.supplies import making
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.substitution import with_part
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.slices import graft
from crashwright.engine.testcase.statements import Display, Literal, Ref, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined, map_used, used

MOST = 150
"""Tests that are made of one inner test."""
EACH = 16
"""Places of one outer test that one value is put in."""
_CALLS = (st.Call, st.MethodCall, st.CallValue)


class _Part(NamedTuple):
    """Statements that make a value, of ``kind`` if that is known, and which of them defines it."""

    statements: tuple[Statement, ...]
    place: int
    kind: type | None


class Lifting:
    """``fresh`` gives new variables, ``kind`` the class that a statement's value is known to have (None: not known)."""

    def __init__(self, fresh: Callable[[], Variable], kind: Callable[[Statement], type | None]) -> None:
        self._fresh = fresh
        self._kind = kind

    def lifted(self, inner: TestCase, outer: Sequence[TestCase], most: int = MOST) -> list[TestCase]:
        """``outer`` tests with what ``inner`` passes in its last call: of each of them one place after the other, in turns."""
        needed = self._needed(inner)
        before = inner.statements[:-1]
        ways = [islice(self._in_one(test, needed, before), most) for test in outer]
        found: dict[int, TestCase] = {}
        for one in chain.from_iterable(zip_longest(*ways)):
            if one is not None and one.is_valid():
                found.setdefault(shape_of(one), one)
                if len(found) >= most:
                    break
        return list(found.values())

    def _needed(self, inner: TestCase) -> list[_Part]:
        """What makes each value that the last call is given, its receiver included, the largest first: they say most; then what
        makes the values within these."""
        *before, last = inner.statements
        if not isinstance(last, _CALLS):
            return []
        passed = list(dict.fromkeys(used(last)))
        inside = [variable for one in before if (variable := defined(one)) is not None and variable not in passed]
        making = [part for variable in passed if (part := self._making(before, variable)) is not None]
        within = [part for variable in inside if (part := self._making(before, variable)) is not None]
        return [*sorted(making, key=lambda part: -len(part.statements)), *within]

    def _making(self, statements: Sequence[Statement], variable: Variable) -> _Part | None:
        """What makes the value, and what changes it later."""
        chosen = making(statements, variable)
        if chosen is None:
            return None
        place = max(place for place, one in enumerate(chosen) if defined(one) == variable)
        return _Part(chosen, place, self._kind(chosen[place]))

    def _in_one(self, test: TestCase, needed: Sequence[_Part], before: Sequence[Statement]) -> Iterator[TestCase]:
        for part in needed:
            yield from islice(self._put(test, part), EACH)
        if before:
            copied = graft(before, iter(self._fresh, None))
            yield TestCase((*copied, *test.statements))
            for one in self._given(test, copied):
                yield TestCase((*copied, *one.statements))

    def _given(self, test: TestCase, copied: Sequence[Statement]) -> Iterator[TestCase]:
        """``test`` with an object that was made before it in the place of one of the same class."""
        made = [(variable, kind) for one in copied if (variable := defined(one)) is not None and (kind := self._kind(one))]
        for place, statement in enumerate(test.statements):
            variable, own = defined(statement), self._kind(statement)
            for other, kind in made:
                if variable is not None and own is kind and not isinstance(statement, Literal):
                    yield _renamed(test, place, variable, other)

    def _put(self, test: TestCase, part: _Part) -> Iterator[TestCase]:
        """In the place of each value of its class first, then within what holds others, then in the place of other values."""
        same: list[TestCase] = []
        others: list[TestCase] = []
        for place in reversed(range(len(test.statements) - 1)):
            statement = test.statements[place]
            variable = defined(statement)
            if variable is not None:
                made = self._instead(test, place, variable, part)
                (same if part.kind is not None and self._kind(statement) is part.kind else others).append(made)
        yield from same
        yield from self._within(test, part)
        yield from others

    def _instead(self, test: TestCase, place: int, variable: Variable, part: _Part) -> TestCase:
        copied, new = self._copied(part)
        changed = _renamed(test, place, variable, new).statements
        without = TestCase((*changed[:place], *copied, *changed[place + 1 :]))
        return without if without.is_valid() else TestCase((*changed[:place], *copied, *changed[place:]))

    def _copied(self, part: _Part) -> tuple[list[Statement], Variable]:
        copied = graft(part.statements, iter(self._fresh, None))
        new = defined(copied[part.place])
        assert new is not None
        return copied, new

    def _within(self, test: TestCase, part: _Part) -> Iterator[TestCase]:
        """As an item of a container, alone or beside those there, in the place of one of them, or as a part of a text."""
        copied, new = self._copied(part)
        only = part.statements[0]
        plain = only.value if len(part.statements) == 1 and isinstance(only, Literal) else None
        item: Value = Ref(new) if plain is None else plain
        first = () if plain is not None else tuple(copied)
        for place, statement in reversed(list(enumerate(test.statements))):
            if not isinstance(statement, Literal):
                continue
            for value in _holding(statement.value, item):
                literal = Literal(statement.variable, value)
                yield TestCase((*test.statements[:place], *first, literal, *test.statements[place + 1 :]))
        for one in with_part(test, (), item, EACH):
            yield TestCase((*first, *one.statements))


def _holding(value: Value, item: Value) -> Iterator[Value]:
    """``value`` with ``item`` in it: more of it, or nothing else."""
    if isinstance(value, Display):
        if value.kind == "dict":
            return
        yield value._replace(items=(*value.items, item))
        yield value._replace(items=(item,))
    elif type(value) is str and type(item) is str and item:
        yield value + item
        yield item + value
        yield f"{value}\n{item}\n"
    elif type(value) is bytes and type(item) is bytes and item:
        yield value + item
        yield item + value
    elif value is None:
        yield Display("list", (item,))


def _renamed(test: TestCase, place: int, old: Variable, new: Variable) -> TestCase:
    """``new`` wherever ``old`` is used behind ``place``."""
    behind = (map_used(one, lambda variable: new if variable == old else variable) for one in test.statements[place + 1 :])
    return TestCase((*test.statements[: place + 1], *behind))
