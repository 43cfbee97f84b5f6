"""Rows that the code looks for in its database (``sources.answered_rows``), for crashes and for suites: which tests have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from crashwright.core.preparation import Preparation
from crashwright.core.target import CrashTarget
from crashwright.engine.frameworks import sqlalchemy, sqlite
from crashwright.engine.frameworks.registry import stores_of
from crashwright.engine.frameworks.sqlite import Sqlite
from crashwright.engine.frameworks.store import Store
from crashwright.engine.sources.answered_rows import BASES, AnsweredRows
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.source import When
from crashwright.engine.sources.suite_so_far import SuiteSoFar
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.testcase import TestCase

MOST_HEARD = 24
"""Usage examples and requests that are listened to."""
COLLISION = "IntegrityError"
"""How all drivers (PEP 249), and what wraps them, call the refusal to store what has to be alone."""


class _Stores:
    """Those that the subject uses, and the tests that were answered."""

    def __init__(self) -> None:
        self._used: list[Store] | None = None
        self._done: set[int] = set()

    def used(self, preparation: Preparation) -> list[Store]:
        """They are looked for once."""
        if self._used is None:
            self._used = [sqlalchemy.SqlAlchemy()] if sqlalchemy.is_used() else []
            self._used += stores_of(preparation)
            # What these store in is often SQLite as well.
            self._used = self._used or ([Sqlite()] if sqlite.is_used() else [])
        return self._used

    def new(self, bases: Iterable[TestCase], quarantine: Quarantine) -> list[TestCase]:
        """Those that were not answered yet."""
        found = [one for one in bases if one.key() not in self._done and not quarantine.holds(one)]
        self._done.update(one.key() for one in found)
        return found


class StoredRows:
    """See ``sources.source.Source``."""

    def __init__(self) -> None:
        self._stores = _Stores()

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002
        """The tests so far, with rows before their calls."""
        # What would be refused for another reason never comes to collide with anything.
        bases = [*so_far.completed(), *so_far.survivors()[:BASES]]
        if so_far.moment is When.AHEAD:
            bases += [*so_far.echoed[:BASES], *so_far.given.get("examples", [])[:MOST_HEARD]]
        new = self._stores.new(bases, so_far.quarantine)
        collides = any(name.endswith(COLLISION) for name in _exceptions(subject.start.target))
        entries = (*so_far.factory.entry, *subject.clients)
        for store in self._stores.used(subject.start.settings.preparation):
            answered = AnsweredRows(store, subject.api, subject.recorder, entries, collides, so_far)
            for base, noted in answered.telling(new):
                yield from answered.tests(base, noted)


class SuiteStoredRows:
    """The same for a suite: what finds its rows goes where nothing goes without them. Tests whose database has no tables yet are
    left alone: what makes them is an object of the library that all tests share, and what is bred from such a test may clear it."""

    def __init__(self) -> None:
        self._stores = _Stores()

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002
        """Stories and the tests of the archive, with rows before the last call of the module."""
        stores = self._stores.used(subject.start.settings.preparation)
        new = self._stores.new((*so_far.stories, *so_far.archived), so_far.quarantine) if stores else []
        for store in stores:
            answered = AnsweredRows(store, subject.api, subject.recorder, subject.callables, False, so_far)
            for base, noted in answered.telling(new):
                if not noted.lacks_tables:
                    yield from answered.tests(base, noted)


def _exceptions(target: CrashTarget) -> Iterator[str]:
    """The names of those that the report has in a row."""
    yield target.exception
    yield from (one.type for one in target.outer)
    if target.cause is not None:
        yield from _exceptions(target.cause)
