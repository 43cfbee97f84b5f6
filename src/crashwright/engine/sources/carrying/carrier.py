"""What an inner frame needs, carried into a test that enters its function from further out: part by part, to where in that test
each part came from, until no part differs.

A run says what arrives. What arrives otherwise than needed is followed to where in the test it is: as the same object, as an equal
scalar, as an attribute or an item, as a part of a text, or beside what the test gave its siblings. There the needed value is put;
where a text is read on the way, it is written anew by what undoes that. The next run says what became of it.

# Deviation: STAR (section 5) composes preconditions outwards by symbolic summaries; here what flows is read from runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest
from typing import NamedTuple, cast

from crashwright.engine.sources.carrying.arrivals import Arrival, ArrivedValue, PathStep, Spot
from crashwright.engine.sources.carrying.placing import placed
from crashwright.engine.sources.carrying.supplies import Supply, supplied
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.introspection import identities
from crashwright.engine.testcase.editing.substitution import in_places, substituted
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.statements import Arguments, Call, Literal, Ref, Value, Variable
from crashwright.engine.testcase.testcase import TestCase

ROUNDS = 8
"""Tests that are gone on from, one after the other."""
EACH_ROUND = 24
"""Tests that are made of one of them."""
EACH_WAY = 4
"""Ways of putting one part."""
MARKS, TEXTS = 6, 3
_TEXTS = identities(str, int, float)
_NUMBERS = identities(int, float)
_WRITTEN = identities(str, bytes)


class Needed(NamedTuple):
    """What an inner test hands to its frame: by name, with what makes it there."""

    test: TestCase
    arguments: Mapping[str, ArrivedValue]


class Difference(NamedTuple):
    """What arrives and what is needed in its place; ``spots``: where the test has it, the surest first."""

    arriving: ArrivedValue | None
    needed: ArrivedValue
    spots: tuple[Spot, ...]


class Carrier:
    """``arrive`` runs a test and gives what then arrives, nothing where the search is over; ``fresh`` gives new variables."""

    def __init__(
        self,
        arrive: Callable[[TestCase], Sequence[Arrival] | None],
        fresh: Callable[[], Variable],
        marks: Callable[[], Sequence[str]],
        inverses: Sequence[Callee] = (),
    ) -> None:
        """``marks`` are what the code may take texts apart by, ``inverses`` what undoes its conversions."""
        self._inverses = inverses
        self._arrive = arrive
        self._fresh = fresh
        self._marks = marks
        self._tried = set[int]()

    def carry(self, needed: Needed, bases: Sequence[TestCase], most: int) -> int:
        """Into the ``bases`` that enter the function, by ``most`` runs; how many it took. What comes nearer has been run then."""
        left = most
        for base in bases:
            if left <= 0:
                break
            if (shape := shape_of(base)) in self._tried:
                continue
            self._tried.add(shape)
            left -= 1
            arrivals = self._arrive(base)
            if arrivals is None:
                self._tried.discard(shape)
                return most - left
            if arrivals:
                left -= self._nearer(needed, base, arrivals, left)
        return most - left

    def _nearer(self, needed: Needed, base: TestCase, arrivals: Sequence[Arrival], most: int) -> int:
        spent = 0
        arrival, least = _nearest(needed, arrivals)
        for _ in range(ROUNDS):
            best: tuple[float, TestCase, Arrival] | None = None
            for test in islice(self.variants(needed, base, arrival), EACH_ROUND):
                shape = shape_of(test)
                if shape in self._tried:
                    continue
                if spent >= most:
                    return spent
                self._tried.add(shape)
                spent += 1
                found = self._arrive(test)
                if found is None:
                    self._tried.discard(shape)
                    return most
                if found:
                    other, distance = _nearest(needed, found)
                    if distance < least and (best is None or distance < best[0]):
                        best = distance, test, other
                        if distance == 0:
                            break
            if best is None:
                return spent
            least, base, arrival = best
        return spent

    def variants(self, needed: Needed, base: TestCase, arrival: Arrival) -> Iterator[TestCase]:
        """``base`` with what is needed in the place of what arrives: all of it, then each part."""
        wholes = [
            Difference(arrival.arguments.get(name), node, _spots(arrival.arguments.get(name)))
            for name, node in needed.arguments.items()
            if _distance(arrival.arguments.get(name), node) > 0
        ]
        wholes += [one._replace(needed=other) for one in wholes for other in _as_arriving(one.arriving, one.needed)]
        parts = [one for whole in wholes for one in _differences(whole, ())]
        for several in (wholes, parts):  # all at once
            if len(several) > 1:
                test = base
                for one in several:
                    test = next(iter(self._ways(needed, test, one)), test)
                if test is not base:
                    yield test
        ways = [islice(self._ways(needed, base, one), EACH_WAY * 4) for one in dict.fromkeys((*parts, *wholes))]
        yield from (one for one in chain.from_iterable(zip_longest(*ways)) if one is not None)

    def _ways(self, needed: Needed, test: TestCase, one: Difference) -> Iterator[TestCase]:
        supply = supplied(one.needed, needed.test.statements[:-1], self._fresh)
        if supply is None:
            return
        for spot in one.spots:
            yield from islice(placed(test, spot, supply, self._fresh), EACH_WAY)
        yield from self._in_texts(test, one, supply)
        if one.arriving is None or not one.arriving.same:
            yield from self._produced(test, supply)

    def _produced(self, test: TestCase, supply: Supply) -> Iterator[TestCase]:
        """What the code makes it of, produced from it in the place of a text or of bytes."""
        for place, literal in reversed(list(enumerate(test.statements))):
            if not isinstance(literal, Literal) or id(type(literal.value)) not in _WRITTEN:
                continue
            for inverse in self._inverses:
                own = supply.copied(self._fresh)
                given = own.value.variable if type(own.value) is Ref else self._fresh()
                value = () if type(own.value) is Ref else (Literal(given, own.value),)
                call = Call(literal.variable, inverse, Arguments((given,)))
                yield TestCase((*test.statements[:place], *own.statements, *value, call, *test.statements[place + 1 :]))

    def _in_texts(self, test: TestCase, one: Difference, supply: Supply) -> Iterator[TestCase]:
        old, new = one.arriving, one.needed
        if old is None or not (old.is_scalar and new.is_scalar) or supply.statements:
            return
        for before, after in _forms(old.value, new.value):
            put = substituted if type(before) is bytes else in_places
            yield from islice(put(test, before, after), EACH_WAY)
        if type(old.value) is str and type(new.value) is str and new.value:
            yield from self._beside(test, new.value)

    def _beside(self, test: TestCase, new: str) -> Iterator[TestCase]:
        """At the ends of a text, behind what the code may take it apart by."""
        places = [(place, one) for place, one in enumerate(test.statements) if isinstance(one, Literal) and type(one.value) is str]
        for mark in (*self._marks()[:MARKS], ""):
            for place, one in reversed(places[-TEXTS:]):
                text = cast(str, one.value)
                for other in (f"{text}{mark}{new}", f"{new}{mark}{text}"):
                    yield TestCase((*test.statements[:place], Literal(one.variable, other), *test.statements[place + 1 :]))


def _forms(old: object, new: object) -> Iterator[tuple[Value, Value]]:
    """How a scalar may be written within a literal of the test."""
    if type(old) is str and type(new) is str and old:
        yield old, new
        yield old.encode("utf-8", "replace"), new.encode("utf-8", "replace")
    elif type(old) is bytes and type(new) is bytes and old:
        yield old, new
        yield old.decode("latin-1"), new.decode("latin-1")
    elif id(type(old)) in _TEXTS and id(type(new)) in _TEXTS and str(old):
        yield str(old), str(new)
        yield str(old).encode(), str(new).encode()


def _as_arriving(old: ArrivedValue | None, new: ArrivedValue) -> Iterator[ArrivedValue]:
    """A scalar of another type as one of the type that arrives: a frame that converts takes either."""
    if old is None or not (old.is_scalar and new.is_scalar) or old.cls is new.cls or new.value is None:
        return
    text = new.value.decode("utf-8", "replace") if type(new.value) is bytes else str(new.value)
    if old.cls is str:
        yield ArrivedValue(str, True, text)
    elif old.cls is bytes:
        yield ArrivedValue(bytes, True, text.encode("utf-8", "replace"))
    elif old.cls is int or old.cls is float:
        try:
            yield ArrivedValue(old.cls, True, old.cls(text))
        except (ValueError, OverflowError):
            return


def _spots(node: ArrivedValue | None) -> tuple[Spot, ...]:
    return () if node is None else (*node.same, *node.alike)


def _differences(whole: Difference, beside: Sequence[Spot]) -> Iterator[Difference]:
    """The parts that differ, where both hold parts of a kind; else the whole."""
    old, new = whole.arriving, whole.needed
    if old is None or old.is_scalar or new.is_scalar or not _are_alike(old, new) or not new.parts or not old.parts:
        yield whole._replace(spots=tuple(dict.fromkeys((*whole.spots, *beside))))
        return
    homes = [spot for step, part in old.parts for spot in _spots(part) if spot.path and _like(spot.path[-1], step)]
    siblings = list(dict.fromkeys(spot._replace(path=spot.path[:-1]) for spot in homes))
    for step, part in new.parts:
        arriving = old.part(step)
        if _distance(arriving, part) == 0:
            continue
        inner = [spot._replace(path=(*spot.path, step)) for spot in old.same]
        inner += [spot._replace(path=(*spot.path, PathStep("item", step.key))) for spot in siblings]
        inner += [spot._replace(path=(*spot.path, PathStep("attribute", step.key))) for spot in siblings if type(step.key) is str]
        own = _spots(arriving)
        found = tuple(dict.fromkeys((*own, *inner)))
        yield from _differences(Difference(arriving, part, found), ())
    if len(old.parts) > len(new.parts):
        yield whole


def _like(own: PathStep, other: PathStep) -> bool:
    return type(own.key) is type(other.key) and own.key == other.key


def _nearest(needed: Needed, arrivals: Sequence[Arrival]) -> tuple[Arrival, float]:
    found = [(_far(needed, one) + 2 * (not one.rightly), place, one) for place, one in enumerate(arrivals)]
    distance, _, arrival = min(found, key=lambda entry: entry[:2])
    return arrival, distance


def _far(needed: Needed, arrival: Arrival) -> float:
    return sum(_distance(arrival.arguments.get(name), node) for name, node in needed.arguments.items())


def _distance(old: ArrivedValue | None, new: ArrivedValue) -> float:
    """From 0, alike, to 1."""
    if old is None or old.is_scalar is not new.is_scalar:
        return 1.0
    if old.is_scalar:
        return _between(old.value, new.value)
    if not _are_alike(old, new):
        return 1.0
    if not new.parts:
        return 0.5 * bool(old.parts)
    steps = {step[:2]: step for step, _ in (*(old.parts if new.whole else ()), *new.parts)}
    far = [_part_distance(old.part(step), new.part(step)) for step in steps.values()]
    return 0.9 * sum(far) / len(far)


def _are_alike(old: ArrivedValue, new: ArrivedValue) -> bool:
    """Of one class, or objects both: what is read of them are attributes."""
    return old.cls is new.cls or not (old.whole or new.whole)


def _part_distance(old: ArrivedValue | None, new: ArrivedValue | None) -> float:
    return 1.0 if new is None else _distance(old, new)


def _between(old: object, new: object) -> float:
    if type(old) is type(new) and repr(old) == repr(new):
        return 0.0
    if id(type(old)) in _NUMBERS and id(type(new)) in _NUMBERS:
        apart = abs(cast(float, old) - cast(float, new))
        return 0.2 + 0.6 * (apart / (apart + 1) if apart == apart else 1)
    if type(old) is str and type(new) is str:
        shared = len(set(old) & set(new)) / (len(set(old) | set(new)) or 1)
        return 0.8 - 0.5 * shared
    return 0.8 if type(old) is type(new) else 1.0
