"""Experiments whose runs are searches for crashes (000 and 001): what they have in common.

All searches are pure: EvoCrash's main loop, operators and schedule, and none of the mechanisms that we have added. Crashes are
looked at in an order drawn by seed; short runs with a seed of their own say whether one can show a difference.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from benchmarks.comparison.campaign import told
from benchmarks.comparison.configurations import Configuration
from benchmarks.comparison.crashes import Aim, Aims, Crash
from benchmarks.comparison.runs import FAILED, FORM, WALL_LIMIT, Key, Limits, Row, run
from benchmarks.evidence.experiment import Contrast, Job, Measure, Stop, Tallied, Value
from benchmarks.store import Store
from crashwright.cli.published import PUBLISHED
from crashwright.core.mechanisms import Mechanism

CRASH_FORM = replace(FORM, table="crash_runs")
SEEDS, EVALUATIONS, CRASHES = 30, 5_000, 20
SCREENING_SEED, SCREENING_EVALUATIONS = 0, 1_000
SUCCESS, EFFORT, FITNESS, FRAMES = "success", "evaluations", "fitness", "frames"
MEASURES = (
    Measure(SUCCESS, "points", 100.0, binary=True),
    Measure(EFFORT, "evaluations"),
    Measure(FITNESS, "fitness"),
)
Search = Callable[[Aim, Configuration, Key, Limits], Row | None]


def pure(fitness: str, secondary: str, operators: str = "evocrash") -> Configuration:
    """A search as it was published."""
    name = f"{fitness}/{secondary}" if operators == "evocrash" else f"{fitness}/{secondary}/{operators}"
    return Configuration(
        name, "guided", fitness, secondary, tuple(Mechanism), operators=operators, schedule="restart", flags="none"
    )


def published(fitness: str, secondary: str) -> Configuration:
    """The same without our sources that belong to no mechanism, as ``--published`` has it."""
    one = pure(fitness, secondary)
    return replace(one, name=f"{one.name}/published", without_rows=PUBLISHED["evocrash"].without_rows)


@dataclass(frozen=True, slots=True)
class CrashPlace:
    """Where runs are kept and made: for which crashes, by which program, with which wall limit in seconds."""

    store: Store[Key, Row]
    crashes: Sequence[Crash]
    aims: Aims
    program: str
    wall: float
    search: Search = run


class CrashExperiment(ABC):
    """See ``Experiment``."""

    number: str
    title: str
    method: str
    contrasts: tuple[Contrast, ...]
    screening: tuple[Configuration, ...]

    def __init__(
        self,
        at: CrashPlace,
        configurations: Sequence[Configuration],
        crashes: int = CRASHES,
        seeds: int = SEEDS,
        evaluations: int = EVALUATIONS,
    ) -> None:
        self.at = at
        self.configurations = {one.name: one for one in configurations}
        self._wanted = crashes
        self.seeds = seeds
        self.evaluations = evaluations
        self._drawn = sorted(at.crashes, key=lambda crash: crash.name)
        random.Random(SCREENING_SEED).shuffle(self._drawn)
        self._named = {crash.name: crash for crash in at.crashes}

    @abstractmethod
    def qualifies(self, rows: Sequence[Row]) -> bool:
        """Whether the crash with these screening runs is compared."""

    @abstractmethod
    def details(self) -> str:
        """See ``Experiment``."""

    def next(self) -> Job | None:
        """Screening and runs that are compared have half of the time each: what screening counts is a result, too, and crashes that
        it has found are to have some seeds before all others are looked at."""
        key = next((key for key in self.keys() if self.at.store.get(key) is None), None)
        if key is None or cost(self.screened()) <= cost(self.made()):
            screen = self._next_to_screen()
            if screen is not None:
                return self.job(*screen)
        return None if key is None else self.job(key, self.configurations[key.configuration])

    def keys(self) -> Iterator[Key]:
        """All runs, in order."""
        for seed in range(1, self.seeds + 1):
            for crash in self.subjects():
                for name in self.configurations:
                    yield self.key(crash, name, seed, self.evaluations)

    def key(self, crash: str, configuration: str, seed: int, evaluations: int) -> Key:
        """Of a run."""
        frame = self.at.aims.aim(self._named[crash]).frame
        return Key(crash, frame, configuration, seed, evaluations, self.at.program)

    def job(self, key: Key, configuration: Configuration) -> Job:
        """To make a run."""

        def make(stop: Stop) -> str | None:
            crash = self._named[key.crash]
            outermost = self.at.aims.aim(crash)
            aim = outermost if key.frame == outermost.frame else self.at.aims.aim(crash, key.frame)
            row = self.at.search(aim, configuration, key, Limits(self.at.wall, stop))
            if row is None:
                return None
            self.at.store.add(row)
            return told(row)

        return Job(f"{key.crash} {key.configuration} seed {key.seed}", make)

    def subjects(self) -> Sequence[str]:
        """The crashes that screening has chosen."""
        rows = ((crash.name, self._screening_rows(crash.name)) for crash in self._screenable())
        found = [name for name, some in rows if len(some) == len(self.screening) and self.qualifies(some)]
        return found[: self._wanted]

    def made(self) -> list[Row]:
        """The runs that were made."""
        return [row for key in self.keys() if (row := self.at.store.get(key)) is not None]

    def screened(self) -> list[Row]:
        """Runs that chose crashes."""
        return [row for crash in self._screenable() for row in self._screening_rows(crash.name)]

    def spent(self) -> float:
        """See ``Experiment``."""
        return cost((*self.made(), *self.screened()))

    def values(self) -> list[Value]:
        """See ``Experiment``. A run that came to its wall limit has not reproduced its crash; one whose engine failed is none."""
        return [
            Value(row.key.crash, row.key.configuration, row.key.seed, measured(row)) for row in self.made() if row.ended != FAILED
        ]

    def tallied(self) -> Tallied:
        """See ``Experiment``."""
        rows = self.made()
        notes = Counter(f"{row.key.crash}: {row.note}" for row in (*self.screened(), *rows) if row.note)
        said = [f"{note} ({count} runs)" for note, count in sorted(notes.items())]
        crashes = len(self.subjects()) if self._next_to_screen() is None else self._wanted
        planned = crashes * len(self.configurations) * self.seeds
        return Tallied(
            Counter(row.ended for row in rows), planned, max((row.key.seed for row in rows), default=0), len(self.screened()), said
        )

    def screens(self) -> dict[str, list[Row]]:
        """The screening runs of each crash that has all of them."""
        rows = {crash.name: self._screening_rows(crash.name) for crash in self._screenable()}
        return {name: some for name, some in rows.items() if len(some) == len(self.screening)}

    def left_out(self, crash: Crash) -> bool:
        """It is not looked at."""
        return bool(self.at.aims.problem(crash))

    def _screenable(self) -> list[Crash]:
        """Up to the first crash that was not screened, so that what was screened is a random sample of the pack."""
        found: list[Crash] = []
        for crash in self._drawn:
            if self.left_out(crash):
                continue
            found.append(crash)
            if len(self._screening_rows(crash.name)) < len(self.screening):
                break
        return found

    def _screening_rows(self, crash: str) -> list[Row]:
        keys = (self._screening_key(crash, one) for one in self.screening)
        return [row for key in keys if (row := self.at.store.get(key)) is not None]

    def _screening_key(self, crash: str, one: Configuration) -> Key:
        return self.key(crash, one.name, SCREENING_SEED, SCREENING_EVALUATIONS)

    def _next_to_screen(self) -> tuple[Key, Configuration] | None:
        if len(self.subjects()) >= self._wanted:
            return None
        crashes = self._screenable()
        for one in self.screening if crashes else ():
            key = self._screening_key(crashes[-1].name, one)
            if self.at.store.get(key) is None:
                return key, one
        return None


def cost(rows: Iterable[Row]) -> float:
    """CPU seconds."""
    return sum(row.cpu or row.seconds for row in rows)


def measured(row: Row) -> dict[str, float]:
    """By measure. Evaluations are those to success, all of them where there was none."""
    effort = row.key.evaluations if row.success is None else row.success
    found = {SUCCESS: float(row.success is not None), EFFORT: float(effort), FRAMES: float(row.frames)}
    return found | ({FITNESS: row.fitness} if row.fitness >= 0 else {})


def is_hopeless(row: Row) -> bool:
    """Nothing can be learnt from more such runs: the engine failed, or came to no end."""
    return row.ended in (FAILED, WALL_LIMIT)
