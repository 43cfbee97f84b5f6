"""Which ways to make and change an object are tried, and in which order: by what contradicts the others, or as the paper has it."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator
from enum import StrEnum
from itertools import islice
from typing import Final, NamedTuple, Protocol

from crashwright.core.terms import Term
from crashwright.symbolic.composition.makers import Makers, MakingWay, WrittenForm

_NUMBER: Final = re.compile(r"-?\d+")
MOST_CHANGES: Final = 2
"""Of one object."""
CHANGES: Final = (1, 3, 6)
"""Likewise, in one search after the other."""
_CONTENTS: Final = frozenset({"size", "elements", "keys", "mappings"})
MOST_WAYS: Final = 6
"""To make one object, or to change it, that are tried."""
MOST_CANDIDATES: Final = 24
"""Of the paper's strategy."""


class Strategy(StrEnum):
    """Their names."""

    CORES = "cores"
    PAPER = "paper"


class WantedObject(NamedTuple):
    """An object that has to be made: its class, the arrays that the conditions speak of, what a model says of its attributes (where
    that is a constant), and how many statements change it already."""

    address: str
    names: frozenset[str]
    state: frozenset[tuple[str, Term]]
    changes: int


Attempt = Callable[[MakingWay], frozenset[str] | None]
"""Put one way before the statements that there are, and go on. Returns the names of arrays that a contradiction is about; None
where there is none."""


class Choice(Protocol):
    """``pins``: the object gets the very attributes that the model has, and no others."""

    @property
    def pins(self) -> bool: ...
    def tries(self) -> Iterator[None]:
        """Searches that may be made one after the other, until one finds something: each goes further than that before."""

    def bring_about(self, wanted: WantedObject, attempt: Attempt) -> None:
        """Attempt ways, one after the other."""


class ByCores:
    """Constructors first; the cores of what contradicts them name the attributes that something else has to bring about."""

    pins = False

    def __init__(self, makers: Makers) -> None:
        self._makers = makers
        self._most = CHANGES[0]
        self._is_cut_off = False

    def tries(self) -> Iterator[None]:
        """See :class:`Choice`. With more changes of an object, where these are what the search wanted."""
        for self._most in CHANGES:
            self._is_cut_off = False
            yield
            if not self._is_cut_off:
                return

    def bring_about(self, wanted: WantedObject, attempt: Attempt) -> None:
        """See :class:`Choice`."""
        contradictions: set[str] = set()
        failed: set[tuple[tuple[str, str], ...]] = set()
        for way in islice(self._makers.of(wanted.address, wanted.names), MOST_WAYS):
            if any(_effects(way, {name for name, _ in known}) == known for known in failed):
                continue  # it leaves these attributes as they were when they were contradicted
            core = attempt(way)
            if core:
                contradictions |= core
                failed |= {effects} if (effects := _effects(way, core)) else set()
        # What one statement writes another need not write again.
        most = max(self._most, MOST_CHANGES) if contradictions & _CONTENTS else self._most
        if contradictions and wanted.changes >= most:
            self._is_cut_off = True
        elif contradictions:
            for way in islice(self._makers.changing(wanted.address, frozenset(contradictions), wanted.names), MOST_WAYS):
                attempt(way)


class ByPriority:
    """The paper's (section 5): one model is split into the states of single objects. What writes an attribute of the state is a
    candidate, by a priority that does not change: few ways through it, few parameters, many attributes written. Of its ways one
    that asks less is tried first; where it fails, those that ask the same and more are left out. States that were not brought about
    are remembered, with all that ask for more.

    Deviation: none from the letter, which is unsound here. A way may fail because of what was decided elsewhere (the model that was
    pinned, the statements behind it), and what asks for more could still succeed with another of these.
    """

    pins = True

    def __init__(self, makers: Makers) -> None:
        self._makers = makers
        self._failed: list[tuple[str, frozenset[tuple[str, Term]]]] = []

    def tries(self) -> Iterator[None]:
        """See :class:`Choice`. There is one."""
        yield

    def bring_about(self, wanted: WantedObject, attempt: Attempt) -> None:
        """See :class:`Choice`."""
        if any(address == wanted.address and state <= wanted.state for address, state in self._failed):
            return
        succeeded = False
        failed: list[tuple[str, frozenset[Term]]] = []
        for way in islice(self._candidates(wanted), MOST_CANDIDATES):
            conditions = frozenset(way.summary.conditions)
            if any(name == way.name and weaker <= conditions for name, weaker in failed):
                continue
            if attempt(way) is None:
                succeeded = True
            else:
                failed.append((way.name, conditions))
        if not succeeded:
            self._failed.append((wanted.address, wanted.state))

    def _candidates(self, wanted: WantedObject) -> Iterator[MakingWay]:
        fields = frozenset(name for name, _ in wanted.state)
        making = list(self._makers.of(wanted.address, wanted.names))
        changing = (
            [one for one in self._makers.changing(wanted.address, fields) if one.form is WrittenForm.METHOD] if fields else []
        )
        ways = [*making, *(changing if wanted.changes < MOST_CHANGES else [])]
        paths = {name: sum(one.name == name for one in ways) for name in {one.name for one in ways}}
        yield from sorted(
            ways, key=lambda one: (paths[one.name], len(one.parameters), -_written(one, fields), len(one.summary.conditions))
        )


def _effects(way: MakingWay, names: Container[str]) -> tuple[tuple[str, str], ...]:
    """What becomes of some arrays, as text without numbers: those of objects and unknowns differ from way to way."""
    return tuple(
        [(name, _NUMBER.sub("", repr(term))) for name, term in sorted(way.summary.effects, key=lambda one: one[0]) if name in names]
    )


def _written(way: MakingWay, fields: Iterable[str]) -> int:
    return len(set(fields) & {name for name, _ in way.summary.effects})


def choice_of(strategy: Strategy, makers: Makers) -> Choice:
    """The one of that name."""
    return ByPriority(makers) if strategy is Strategy.PAPER else ByCores(makers)
