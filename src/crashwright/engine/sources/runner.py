"""Asks the sources of the table in their order, each within its share, and sees to what becomes of their tests."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from crashwright.engine.sources.so_far import SoFar
from crashwright.engine.sources.source import Fate, Share, Source, When
from crashwright.engine.sources.turns import BEFORE, SEARCH, Turns
from crashwright.engine.testcase.testcase import TestCase

K = TypeVar("K")
F = TypeVar("F", bound=SoFar[Any])
Tests = Generator[TestCase, None, None]
WARM_UPS = 4
"""Tests of each source with which the subject is warmed up."""


class PlannedSource(Protocol):
    """What the row of a source says."""

    @property
    def name(self) -> str: ...
    @property
    def when(self) -> When: ...
    @property
    def kept(self) -> Fate: ...
    @property
    def share(self) -> Share: ...
    @property
    def instead_of(self) -> str: ...


class _Patience:
    """Says when the search stands still: ``after`` evaluations without anything better, then after more and more."""

    def __init__(self, share: Share) -> None:
        self._after = share.after
        self._longer = share.longer
        self._best = math.inf
        self._since = 0

    def is_over(self, best: float, evaluations: int, sooner: float) -> bool:
        """``sooner``: so many times."""
        if best < self._best:
            self._best, self._since = best, evaluations
        return best < math.inf and (evaluations - self._since) * sooner >= self._after

    def begin_again(self, evaluations: int) -> None:
        if self._longer:
            self._since = evaluations
            self._after *= self._longer


class _Asked(Generic[K, F]):
    """A source with its row and what it draws from."""

    def __init__(self, row: PlannedSource, source: Source[K, F], rng: Random) -> None:
        self.row = row
        self.source = source
        self.rng = rng
        self.patience = _Patience(row.share)


class SourceRun(Generic[K, F]):
    """Of one search. ``draws`` gives each source its random numbers, by its name. ``earned``: see ``Share.earned``."""

    def __init__(
        self,
        sources: Iterable[tuple[PlannedSource, Source[K, F]]],
        subject: K,
        so_far: F,
        draws: Callable[[str], Random],
        earned: bool = False,
    ) -> None:
        self._sources = [_Asked(row, source, draws(row.name)) for row, source in sources]
        self._subject = subject
        self._so_far = so_far
        self._turns = Turns([one.row.name for one in self._sources if earned and one.row.share.earned])

    def begin(self) -> list[TestCase]:
        """All that comes before the first generation, which gets what is returned."""
        tests = [] if self._cold() else self._ahead()
        self._turns.settle(BEFORE, self._so_far.meter.evaluations, self._so_far.gained)
        return tests

    def between(self) -> None:
        """Between two generations."""
        so_far, turns = self._so_far, self._turns
        meter = so_far.meter
        turns.settle(SEARCH, meter.evaluations, so_far.gained)
        for asked in self._of(When.BETWEEN):
            name = asked.row.name
            if turns.has_one(name):
                self._run(asked, self._tests(asked, When.BETWEEN))
                turns.settle(name, meter.evaluations, so_far.gained)
            if so_far.is_over:
                return
        for asked in self._of(When.STANDSTILL):
            name, share = asked.row.name, asked.row.share
            times = turns.times(name)
            is_endless = share.turn == math.inf
            if asked.patience.is_over(so_far.best, meter.evaluations, times if is_endless else 1.0):
                self._run(asked, self._tests(asked, When.STANDSTILL, times))
                turns.settle(name, meter.evaluations, so_far.gained)
                asked.patience.begin_again(meter.evaluations)
                if so_far.is_over:
                    return

    def begin_anew(self) -> None:
        """What is better is measured otherwise from now on."""
        self._so_far.anew += 1
        for asked in self._sources:
            asked.patience = _Patience(asked.row.share)

    # Its parts

    def _of(self, when: When) -> list[_Asked[K, F]]:
        return [one for one in self._sources if when in one.row.when]

    def _tests(self, asked: _Asked[K, F], when: When, times: float = 1.0) -> Tests:
        share = asked.row.share
        self._so_far.begin(when, share if times == 1.0 else share._replace(turn=share.turn * times))
        return _drawn(asked.source.tests(self._subject, self._so_far, asked.rng))

    def _cold(self) -> bool:
        """The first tests of each source, in a cold subject; then it is warmed up, and the others are run. Whether that was all."""
        so_far = self._so_far
        first: list[TestCase] = []
        waiting: list[tuple[_Asked[K, F], Tests]] = []
        for asked in self._of(When.COLD):
            tests = self._tests(asked, When.COLD)
            ran: list[TestCase] = []
            while len(ran) < asked.row.share.cold and not so_far.is_over and (test := next(tests, None)) is not None:
                with so_far.patiently():
                    self._compete(asked, self._evaluate(asked, [test]))
                ran.append(test)
            if so_far.is_over:
                tests.close()
                return True
            following = list(islice(tests, max(0, WARM_UPS - len(ran)))) if ran else []
            first += [*ran, *following][:WARM_UPS]
            waiting.append((asked, _drawn(following, tests)))
        so_far.warm_up(first)
        so_far.go_on()
        for asked, tests in waiting:
            if asked.row.kept is not Fate.LATER and not so_far.is_over:
                so_far.begin(When.COLD, asked.row.share)
                self._run(asked, tests)
        return so_far.is_over

    def _ahead(self) -> list[TestCase]:
        so_far = self._so_far
        so_far.look_round()
        ahead = self._of(When.AHEAD)
        for asked in ahead:
            if When.COLD in asked.row.when:
                so_far.given[asked.row.name] = so_far.joins(list(self._tests(asked, When.AHEAD)))
        so_far.warm_up([test for tests in so_far.given.values() for test in tests[:WARM_UPS]])
        for asked in ahead:
            if When.COLD not in asked.row.when and so_far.is_early:
                self._bring(asked)
                if so_far.is_over:
                    break
        given = so_far.given
        so_far.plant([test for tests in (*given.values(), so_far.reached) for test in tests])
        # There are tests to go on with, where a fork has ended before.
        return [] if so_far.resumes else [test for tests in given.values() for test in tests if test.is_valid()]

    def _bring(self, asked: _Asked[K, F]) -> None:
        """What a source brings ahead of the first generation: for that, or run at once."""
        so_far, row = self._so_far, asked.row
        tests = self._tests(asked, When.AHEAD)
        if row.kept is Fate.LATER:
            so_far.given[row.name] = list(_some(tests, row.share.tests))
        elif row.kept is Fate.BEST:
            best = so_far.best_of(_some(tests, row.share.tests), lambda batch: self._evaluate(asked, batch))
            so_far.given[row.name] = best
            if best and row.instead_of:
                so_far.given.pop(row.instead_of, None)
        else:
            so_far.reached += self._run(asked, tests)

    def _run(self, asked: _Asked[K, F], tests: Tests) -> list[TestCase]:
        """Within the share; those that compete."""
        so_far, share = self._so_far, asked.row.share
        barren = 0
        kept: list[TestCase] = []
        while barren < share.fruitless and not so_far.is_spent and (batch := list(islice(tests, share.at_once))):
            competing, new = self._compete(asked, self._evaluate(asked, batch))
            kept += competing
            barren = 0 if new else barren + len(batch)
        tests.close()
        return kept

    def _evaluate(self, asked: _Asked[K, F], batch: list[TestCase]) -> list[Any]:
        so_far = self._so_far
        if so_far.is_spent:
            return []
        so_far.latest = so_far.run(batch, once=asked.row.kept is Fate.NEW or len(batch) == 1)
        return list(so_far.latest)

    def _compete(self, asked: _Asked[K, F], scores: list[Any]) -> tuple[list[TestCase], bool]:
        """The tests that do, and whether one of all reached something new."""
        so_far = self._so_far
        new = any(map(so_far.is_new, scores))
        competing = [one for one in scores if so_far.competes(one, asked.row.kept)]
        if competing:
            so_far.tell(competing)
        return [so_far.test_of(one) for one in competing], new


def _some(tests: Iterator[TestCase], most: float) -> Iterator[TestCase]:
    return tests if most == math.inf else islice(tests, int(most))


def _drawn(*parts: Iterable[TestCase]) -> Generator[TestCase, None, None]:
    """All of them, one by one; closing it closes what is drawn from."""
    for part in parts:
        yield from part
