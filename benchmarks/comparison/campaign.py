"""The stages of the comparison, on a pool of threads that each watch one engine: screening, whole blocks, and r_max."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from benchmarks.comparison.configurations import CONFIGURATIONS, Configuration
from benchmarks.comparison.crashes import Aim, Aims, Crash
from benchmarks.comparison.plan import Kind, Run, Screening, Selection, block, cost, select
from benchmarks.comparison.runs import Key, Limits, Row, run
from benchmarks.store import Store


@dataclass(frozen=True, slots=True)
class Scope:
    """What is compared, and what a run may take. ``probes`` is the number of seeds that look for a lower target frame."""

    configurations: tuple[str, ...]
    seeds: int
    evaluations: int
    commit: str
    draw: int = 10
    draw_seed: int = 1
    probes: int = 2
    screening: Screening = field(default_factory=Screening)


@dataclass(slots=True)
class Campaign:
    """Makes the runs that the store does not have. ``stopped`` may be set by anyone, from any thread."""

    scope: Scope
    crashes: Sequence[Crash]
    store: Store[Key, Row]
    aims: Aims
    jobs: int
    wall: float
    deadline: float
    """On the monotonic clock."""
    tell: Callable[[str], None]
    search: Callable[[Aim, Configuration, Key, Limits], Row | None] = run
    stopped: bool = False
    problems: dict[str, str] = field(default_factory=dict)

    def prepare(self) -> None:
        """Place every crash in its interpreter; those that cannot be are named in ``problems``."""
        with ThreadPoolExecutor(self.jobs) as pool:
            found = list(pool.map(self.aims.problem, self.crashes))
        self.problems = {crash.name: problem for crash, problem in zip(self.crashes, found, strict=True) if problem}
        self.crashes = [crash for crash in self.crashes if crash.name not in self.problems]

    def over(self) -> bool:
        """No run may begin, and those under way are to be dropped."""
        return self.stopped or time.monotonic() >= self.deadline

    # Stages

    def screen(self) -> None:
        """Make the screening runs, crash by crash."""
        with ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(self._screen, self.crashes))

    def main(self, selection: Selection) -> None:
        """Make whole blocks at the outermost frame, in the order of the selection."""
        crashes = {crash.name: crash for crash in self.crashes}
        runs = block(self.scope.configurations, self.scope.seeds)
        work = [(crashes[name], self.outermost(crashes[name]), one) for name in selection.chosen for one in runs]
        self._make_all(work)

    def r_max(self, selection: Selection) -> None:
        """Where no configuration reproduces the outermost frame: the next frames down, until one is reproduced."""
        crashes = {crash.name: crash for crash in self.crashes}
        for name in selection.chosen:
            crash = crashes[name]
            runs = block(self.scope.configurations, self.scope.seeds)
            rows = self._rows(crash, self.outermost(crash), runs)
            if any(row is None or row.success is not None for row in rows):
                continue
            for frame in range(self.outermost(crash) - 1, 0, -1):
                # Deviation: frames are probed with a few seeds, where paper 000 makes every run at every frame.
                probes = block(self.scope.configurations, min(self.scope.probes, self.scope.seeds))
                self._make_all([(crash, frame, one) for one in probes])
                if any(row is not None and row.success is not None for row in self._rows(crash, frame, probes)):
                    self._make_all([(crash, frame, one) for one in runs])
                    break
                if self.over():
                    return

    # What is known

    def outermost(self, crash: Crash) -> int:
        """The number of the package's outermost frame."""
        return self.aims.aim(crash).frame

    def kinds(self) -> dict[str, Kind]:
        """What screening says of each crash that it has settled."""
        verdicts = {crash.name: self.scope.screening.verdict(self._row_of(crash)) for crash in self.crashes}
        return {name: verdict for name, verdict in verdicts.items() if isinstance(verdict, Kind)}

    def selection(self) -> Selection:
        """What the main stage is made of. Nothing is drawn while a crash is not screened: the draw would change."""
        kinds = self.kinds()
        open_ones = {crash.name: "not screened" for crash in self.crashes if crash.name not in kinds}
        selection = select(kinds, 0 if open_ones else self.scope.draw, self.scope.draw_seed, self.cost)
        return Selection(selection.chosen, {**selection.left_out, **open_ones})

    def named(self) -> Selection:
        """All crashes, as where the user named them."""
        names = sorted((crash.name for crash in self.crashes), key=self.cost)
        return Selection(dict.fromkeys(names, "named by the user"), {})

    def cost(self, name: str) -> float:
        """Core seconds of the whole block of a crash, by its screening runs."""
        crash = next(crash for crash in self.crashes if crash.name == name)
        rows = [row for one in self.scope.screening.runs() if (row := self._row_of(crash)(one)) is not None]
        return cost(rows, len(self.scope.configurations) * self.scope.seeds)

    def estimate(self, selection: Selection) -> float:
        """Core seconds that the main stage still takes."""
        crashes = {crash.name: crash for crash in self.crashes}
        runs = block(self.scope.configurations, self.scope.seeds)
        total = 0.0
        for name in selection.chosen:
            rows = self._rows(crashes[name], self.outermost(crashes[name]), runs)
            missing = sum(row is None for row in rows)
            total += cost([row for row in rows if row is not None], missing)
        return total

    def key(self, crash: Crash, frame: int, one: Run) -> Key:
        """The key of a run."""
        return Key(crash.name, frame, *one, self.scope.evaluations, self.scope.commit)

    # Making runs

    def _row_of(self, crash: Crash) -> Callable[[Run], Row | None]:
        frame = self.outermost(crash)
        return lambda one: self.store.get(self.key(crash, frame, one))

    def _rows(self, crash: Crash, frame: int, runs: Sequence[Run]) -> list[Row | None]:
        return [self.store.get(self.key(crash, frame, one)) for one in runs]

    def _screen(self, crash: Crash) -> None:
        frame = self.outermost(crash)
        while not self.over():
            verdict = self.scope.screening.verdict(self._row_of(crash))
            if isinstance(verdict, Kind):
                return
            self._make(crash, frame, verdict)

    def _make_all(self, work: Sequence[tuple[Crash, int, Run]]) -> None:
        with ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(lambda item: self._make(*item), work))

    def _make(self, crash: Crash, frame: int, one: Run) -> None:
        """Make one run, if it is missing and there is time."""
        key = self.key(crash, frame, one)
        if self.over() or self.store.get(key) is not None:
            return
        aim, configuration = self.aims.aim(crash, frame), CONFIGURATIONS[key.configuration]
        if configuration.engine != "search":
            aim = self.aims.walked(aim)
        row = self.search(aim, configuration, key, Limits(self.wall, self.over))
        if row is not None:
            self.store.add(row)
            self.tell(told(row))


def told(row: Row) -> str:
    """A row as a line of progress."""
    result = f"reproduced at {row.success:,}" if row.success is not None else f"level {row.level} ({row.ended}{_note(row)})"
    which = f"{row.key.crash:40} {f'frame {row.key.frame}/{row.total}':12} {row.key.configuration:17} seed {row.key.seed:2}"
    return f"{which} {row.seconds:6.1f} s {row.used:7,}  {result}"


def _note(row: Row) -> str:
    return f": {row.note}" if row.note else ""
