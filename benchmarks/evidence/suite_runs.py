"""Experiments whose runs are searches for suites (003 and 004): what they have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.comparison.runs import Limits
from benchmarks.evidence.experiment import Contrast, Job, Stop, Tallied, Value
from benchmarks.store import Store
from benchmarks.suites.analysis import AREA, TESTS, Results
from benchmarks.suites.campaign import Search, told
from benchmarks.suites.configurations import Configuration
from benchmarks.suites.runs import FORM, Key, Place, Row, run
from crashwright.core.suite import CRITERIA

SUITE_FORM = replace(FORM, table="suite_runs")
STATEMENTS, CPU, SPEED = "statements", "CPU seconds", "tests per CPU second"


@dataclass(frozen=True, slots=True)
class SuitePlace:
    """Where runs are kept and made: by which program, in which interpreter, with which wall limit in seconds."""

    store: Store[Key, Row]
    place: Place
    program: str
    wall: float
    search: Search = run


class SuiteExperiment(ABC):
    """See ``Experiment``."""

    number: str
    title: str
    method: str
    contrasts: tuple[Contrast, ...]
    replay: bool
    """Suites are made, and measured on all criteria."""

    def __init__(self, at: SuitePlace, configurations: Mapping[str, Configuration], seeds: int, evaluations: int) -> None:
        self.at = at
        self.configurations = configurations
        self.seeds = seeds
        self.evaluations = evaluations

    @abstractmethod
    def subjects(self) -> Sequence[str]:
        """What is compared so far: modules, or functions (``module:function``)."""

    @abstractmethod
    def planned(self) -> int:
        """How many runs there are to be."""

    def details(self) -> str:
        """See ``Experiment``."""
        return ""

    def screened(self) -> list[Row]:
        """Runs that chose subjects."""
        return []

    def next(self) -> Job | None:
        """See ``Experiment``."""
        key = self.missing()
        return None if key is None else self.job(key, self.configurations[key.configuration])

    def missing(self) -> Key | None:
        """The first run that was not made."""
        return next((key for key in self.keys() if self.at.store.get(key) is None), None)

    @abstractmethod
    def order(self) -> Iterator[tuple[str, str]]:
        """Subjects and configurations of one seed."""

    def keys(self) -> Iterator[Key]:
        """All runs, in order."""
        for seed in range(1, self.seeds + 1):
            for subject, name in self.order():
                yield self.key(subject, name, seed, self.evaluations)

    def key(self, subject: str, configuration: str, seed: int, evaluations: int) -> Key:
        """Of a run."""
        return Key(subject, configuration, seed, evaluations, self.at.program)

    def job(self, key: Key, configuration: Configuration) -> Job:
        """To make a run."""

        def make(stop: Stop) -> str | None:
            row = self.at.search(self.at.place, configuration, key, Limits(self.at.wall, stop), self.replay)
            if row is None:
                return None
            self.at.store.add(row)
            return told(row)

        return Job(f"{key.module} {key.configuration} seed {key.seed}", make)

    def made(self) -> list[Row]:
        """The runs that were made."""
        return [row for key in self.keys() if (row := self.at.store.get(key)) is not None]

    def spent(self) -> float:
        """See ``Experiment``."""
        return sum(row.cpu or row.seconds for row in (*self.made(), *self.screened()))

    def values(self) -> list[Value]:
        """See ``Experiment``."""
        rows = self.made()
        results = Results(rows, 1)
        return [Value(row.key.module, row.key.configuration, row.key.seed, measured(results, row)) for row in rows if row.good]

    def tallied(self) -> Tallied:
        """See ``Experiment``."""
        rows = self.made()
        notes = Counter(f"{row.key.module}: {row.note}" for row in rows if row.note)
        said = [f"{note} ({count} runs)" for note, count in sorted(notes.items())]
        return Tallied(
            Counter(row.ended for row in rows),
            self.planned(),
            max((row.key.seed for row in rows), default=0),
            len(self.screened()),
            said,
        )


def measured(results: Results, row: Row) -> dict[str, float]:
    """By measure. What a subject has of goals is the most that any of its runs knew."""
    found = {criterion: results.value(row, criterion) for criterion in CRITERIA if criterion in row.coverage}
    found |= {AREA: results.value(row, AREA)} if row.key.evaluations else {}
    found |= {TESTS: row.tests, STATEMENTS: row.statements, CPU: row.cpu}
    return found | ({SPEED: row.used / row.cpu} if row.cpu else {})
