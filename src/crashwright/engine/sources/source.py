"""What proposes tests, and what of it stands in the table (``sources.table``).

A *source* is a class whose instances have one method, :meth:`Source.tests`. It is made anew for each search, without arguments, so
that it may remember what it has proposed; all that is known comes with each call: the *subject*, which was read once for all forks
and never changes, and *so far*, the state of this search.

A source says nothing of when it is asked, how much of the budget it has, what becomes of its tests, or what switches it off. That
stands in its row of the table, and one runner (``sources.runner``) sees to it. So to add one is a file and a line. What the runner
promises:

- Each source draws from a ``Random`` of its own (seed and name): one more, or one less, leaves the draws of the others alone.
- Tests are taken from the iterator as they are run, so many at a time as the row says, and no more once the share is used up or the
  search is over: an endless iterator is fine. It is closed then, and its ``finally`` runs.
- When the iterator goes on, ``so_far.latest`` has what became of the tests that it has given since it went on last. A source that
  has to see what becomes of each says 1 ``at_once``, or runs them itself by ``so_far.run`` until ``so_far.is_spent``.
- ``so_far.moment`` says for which of its moments it is asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import Enum, Flag, auto
from random import Random
from typing import NamedTuple, Protocol, TypeVar

from crashwright.engine.testcase.testcase import TestCase

K = TypeVar("K", contravariant=True)
F = TypeVar("F", contravariant=True)


class When(Flag):
    """The moments at which a source is asked; it may have several."""

    COLD = auto()
    """First of all: some run while the subject is cold, as in a fresh interpreter, and then it is warmed up with them."""
    AHEAD = auto()
    """Before the first generation, of a subject that was looked round in. What was asked when it was cold is asked again, since
    more is known, and its tests join the first generation."""
    BETWEEN = auto()
    """Between any two generations."""
    STANDSTILL = auto()
    """Between two generations, when the search has found nothing better for long."""


class Fate(Enum):
    """What becomes of the tests."""

    ALL = "all"
    """They are run, and compete for a place in the population."""
    MADE = "made"
    """Likewise; those that were made to crash and say something quite different there do not compete."""
    NEW = "new"
    """They are run, and those that reached something new compete."""
    BEST = "best"
    """They are run; the best of them join the first generation."""
    LATER = "later"
    """They join the first generation, and are run there."""


class Share(NamedTuple):
    """How much of the budget a source has each time that it is asked."""

    part: float = 1.0
    """Of the whole budget at most ..."""
    tests: float = math.inf
    """... and so many tests ..."""
    turn: float = math.inf
    """... or so many each time that it is asked between two generations ..."""
    fruitless: float = math.inf
    """... and so many in a row that reached nothing new."""
    runs: int = 0
    """Runs beside the tests that only listen, each time that it is asked (for a suite: of each callable) ..."""
    runs_again: int = 0
    """... and at a standstill."""
    at_once: int = 25
    """Tests that are run before one looks at what became of them."""
    cold: float = 3
    """Of those that come first of all: how many are run in a cold subject, one by one and without the time limit of a test."""
    after: float = 0
    """At a standstill: the evaluations without anything better after which it is asked ..."""
    earned: bool = False
    """Whether turns between two generations depend on what it reached, if that was asked for (``sources.turns``)."""
    longer: float = 2.0
    """... and what that is multiplied with each time. 0: it is asked at every generation from then on."""


class Source(Protocol[K, F]):
    """Proposes tests. ``K`` is what it has to know of the subject, ``F`` of the search so far."""

    def tests(self, subject: K, so_far: F, rng: Random) -> Iterable[TestCase]:
        """Tests, the most promising ones first."""
