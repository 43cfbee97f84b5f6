"""Objects of libraries that a call is given are mocks where their answers decide what comes of it, for crashes and for suites.

``commands_in(parser: ConfigParser)`` can be given a parser, but one that has nothing in it; what fills it is its library's affair,
and for a connection, an archive or a socket nobody has the other end. What the code does with the answers says what they are to be:
in a few runs an object stands in the place of the argument that notes what is asked of it (``execution.recording``), and from that
mocks are made, with the class for their ``spec`` (``making.doubles``). Only where the search stands still: what real objects reach
they reach better.

# Deviation: the papers' tools have objects that constructors and methods make.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

from crashwright.engine.sources.answers import around_of
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject, needed_by
from crashwright.engine.sources.recording_runs import RecordingNeeds, RecordingRuns, Site
from crashwright.engine.sources.suite_answers import called, most_open, needs_of
from crashwright.engine.sources.suite_so_far import SuiteSoFar
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.introspection import class_home, loaded_dict, same_package
from crashwright.engine.subject.project import is_installed
from crashwright.engine.subject.usage.caught import waited_for
from crashwright.engine.testcase.making.demands import Demand, DemandKind
from crashwright.engine.testcase.making.doubles import Doubles, Library
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.mocked import mocked_class
from crashwright.engine.testcase.testcase import TestCase

VARIANTS = 8
"""Tests with mocks, of one test of a suite."""
BASES = 3
"""Tests of the archive that call a callable, or of those of a crash, besides new ones."""


class CrashMocks:
    """See ``sources.source.Source``."""

    def __init__(self) -> None:
        self._runs: _MockingRuns | None = None

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterable[TestCase]:
        """Of the best tests so far, and of new ones, with mocks for what a library has to make. What the project makes is real: the
        bug may be there."""
        factory = so_far.factory
        if self._runs is None:
            needs, needed = around_of(subject, so_far), needed_by(factory)
            self._runs = _MockingRuns(needs, factory, needed, rng, Library(), own=False)
        return self._runs.built(so_far.survivors()[:BASES], so_far.runs)


class SuiteMocks:
    """See ``sources.source.Source``."""

    def __init__(self) -> None:
        self._done: set[int] = set()

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Iterator[TestCase]:
        """Of the tests of each callable with open branches, as long as they are new, with mocks for what a library has to make."""
        factory = so_far.factory
        callables = (*factory.entry, *factory.relatives)
        library = Library((), waited_for(subject.source.tree, loaded_dict(subject.source.module)))
        needs = needs_of(subject, so_far, VARIANTS)
        runs = _MockingRuns(needs, factory, callables, rng, library, True, so_far.answers.learn)
        so_far.bench.executor.keep_variables()
        for callee in most_open(subject, so_far):
            for base in _bases(callee, so_far, rng):
                if base.key() not in self._done:
                    self._done.add(base.key())
                    yield from runs.built([base], so_far.runs, only=True)


class _MockingRuns(RecordingRuns):
    teaches = False

    def __init__(
        self,
        around: RecordingNeeds,
        factory: Factory,
        callables: Sequence[Callee],
        rng: Random,
        library: Library,
        own: bool,
        learn: Callable[[Sequence[Demand]], None] | None = None,
    ) -> None:
        """``own``: whether mocks answer for objects of the project, too. ``learn`` is told of what was asked."""
        super().__init__(around, factory, callables, rng)
        self._learns = learn
        self._own = own
        self._library = library

    def _is_asked(self, site: Site) -> bool:
        return _mocked(site, self._own) is not None

    def _demand(self, site: Site) -> Demand:
        return Demand(site.parameter.name, 0, DemandKind.OBJECT, _mocked(site, self._own))

    def _learn(self, demands: Sequence[Demand]) -> None:
        if self._learns is not None:
            self._learns(demands)

    def _maker(self, number: int) -> Doubles:
        return Doubles(self._factory, self._factory.names, self._rng, self._library, number == 0)


def _mocked(site: Site, own: bool) -> type | None:
    """The class that a mock may answer for there; with ``own``, one of the project too."""
    cls = mocked_class(site.parameter.hint, site.callee.module)
    return cls if cls is not None and (own or is_of_library(cls, site.callee.module)) else None


def is_of_library(cls: type, module: str) -> bool:
    """Whether somebody else has written it than what is in ``module``."""
    home = class_home(cls)
    path = loaded_dict(home).get("__file__")
    return not same_package(home, module) and (type(path) is not str or is_installed(path))


def _bases(callee: Callee, so_far: SuiteSoFar, rng: Random) -> list[TestCase]:
    """Tests that call it last: the longest ones of the archive, and a new one."""
    calling = [test for test in so_far.archived if test.last_callee() == callee]
    return [*sorted(calling, key=len, reverse=True)[:BASES], called(callee, so_far.factory, rng)]
