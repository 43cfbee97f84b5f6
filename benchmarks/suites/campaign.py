"""The runs of an experiment that are missing, on a pool of threads that each watch one engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from benchmarks.comparison.runs import Limits
from benchmarks.store import Store
from benchmarks.suites.configurations import Configuration
from benchmarks.suites.runs import Key, Place, Row, run

Search = Callable[[Place, Configuration, Key, Limits, bool], Row | None]


@dataclass(frozen=True, slots=True)
class Scope:
    """What is compared. ``replay``: suites are made, and measured on all criteria."""

    modules: tuple[str, ...]
    configurations: Mapping[str, Configuration]
    seeds: int
    evaluations: int
    commit: str
    replay: bool

    def runs(self) -> Iterator[Key]:
        """All runs, module by module: whenever time is up, most modules are whole. In a module seed by seed."""
        for module in self.modules:
            for seed in range(1, self.seeds + 1):
                for name in self.configurations:
                    yield Key(module, name, seed, self.evaluations, self.commit)


@dataclass(slots=True)
class Campaign:
    """Makes the runs that the store does not have. ``stopped`` may be set by anyone, from any thread. ``wall`` is in seconds;
    ``deadline`` on the monotonic clock."""

    scope: Scope
    place: Place
    store: Store[Key, Row]
    jobs: int
    wall: float
    deadline: float
    tell: Callable[[str], None]
    search: Search = run
    stopped: bool = False

    def over(self) -> bool:
        """No run may begin, and those under way are to be dropped."""
        return self.stopped or time.monotonic() >= self.deadline

    def make(self) -> None:
        """All runs, until time is up."""
        with ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(self._make, self.scope.runs()))

    def rows(self) -> list[Row]:
        """Those of this scope that were made."""
        return [row for key in self.scope.runs() if (row := self.store.get(key)) is not None]

    def estimate(self) -> tuple[int, float]:
        """How many runs are missing, and the core seconds that they will take by those that were made (0 where none was)."""
        rows, wanted = self.rows(), list(self.scope.runs())
        mean = sum(min(row.seconds, 2 * row.cpu or row.seconds) for row in rows) / len(rows) if rows else 0.0
        return len(wanted) - len(rows), mean * (len(wanted) - len(rows))

    def _make(self, key: Key) -> None:
        """One run, if it is missing and there is time."""
        if self.over() or self.store.get(key) is not None:
            return
        limits = Limits(self.wall, self.over)
        row = self.search(self.place, self.scope.configurations[key.configuration], key, limits, self.scope.replay)
        if row is not None:
            self.store.add(row)
            self.tell(told(row))


def told(row: Row) -> str:
    """A row as a line of progress."""
    met, known = row.coverage.get("branch", (0, 0))
    note = f": {row.note}" if row.note else ""
    which = f"{row.key.module:32} {row.key.configuration:30} seed {row.key.seed:2}"
    return f"{which} {row.seconds:6.1f} s {row.used:7,}  branches {met:4}/{known:<4} {row.tests:3} tests  {row.ended}{note}"
