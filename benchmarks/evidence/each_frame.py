"""Paper 000 by the protocol of Botsing: each frame of the package is the target in turn, from the outermost in, and a crash is
compared at the outermost frame that any run of any configuration reproduces (r_max)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from benchmarks.comparison.crashes import Crash
from benchmarks.comparison.runs import FAILED, Key, Row
from benchmarks.evidence.block_coverage import FITNESSES, LITERAL, NONE
from benchmarks.evidence.crash_runs import (
    CRASHES,
    EVALUATIONS,
    MEASURES,
    SEEDS,
    CrashExperiment,
    CrashPlace,
    measured,
    published,
)
from benchmarks.evidence.experiment import Contrast, Tallied, Value
from benchmarks.suites.text import table
from crashwright.engine.subject.api.inner_frames import inner_frames


class EachFrame(CrashExperiment):
    """See the module."""

    number = "000-frames"
    title = "Basic block coverage, each frame as the target (paper 000)"
    method = (
        "Crashes with two frames or more that a test can enter by, in an order drawn by seed. Each such frame is the target, "
        "from the outermost in, until a run reproduces the crash from there; frames further in count for nothing then, so they "
        "are not run. A crash is compared at the outermost frame from which any run reproduces it. Searches as they were "
        "published (`--published`). Success: level 4 from that frame, all frames inwards and the message; evaluations: to "
        "success, all where there was none; fitness: of the best test, on its function's scale."
    )
    contrasts = tuple(Contrast(published(fitness, LITERAL).name, published(fitness, NONE).name, MEASURES) for fitness in FITNESSES)
    screening = ()

    def __init__(self, at: CrashPlace, crashes: int = CRASHES, seeds: int = SEEDS, evaluations: int = EVALUATIONS) -> None:
        configurations = [published(fitness, secondary) for fitness in FITNESSES for secondary in (NONE, LITERAL)]
        super().__init__(at, configurations, crashes, seeds, evaluations)
        self._frames: dict[str, tuple[int, ...]] = {}

    def qualifies(self, rows: Sequence[Row]) -> bool:  # noqa: ARG002 (nothing is screened)
        """All do."""
        return True

    def subjects(self) -> Sequence[str]:
        """The first of those that have several frames."""
        found: list[str] = []
        for crash in self._drawn:
            if len(found) < self._wanted and not self.at.aims.problem(crash) and len(self.frames(crash)) > 1:
                found.append(crash.name)
        return found

    def screened(self) -> list[Row]:
        """Nothing is."""
        return []

    def frames(self, crash: Crash) -> tuple[int, ...]:
        """Those that are targets, the outermost first."""
        if crash.name not in self._frames:
            aim = self.at.aims.aim(crash)
            inner = [one for one in inner_frames(aim.target) if not self.at.aims.problem(crash, one)]
            self._frames[crash.name] = (aim.frame, *inner)
        return self._frames[crash.name]

    def keys(self) -> Iterator[Key]:
        """Seed by seed, crash by crash; inwards to the frame that any run so far reproduces. What has to be run depends on what
        was found: the first key that is missing is right, those after it are a guess."""
        for seed in range(1, self.seeds + 1):
            for crash in self.subjects():
                for frame in self.frames(self._named[crash]):
                    for name in self.configurations:
                        yield self._at(crash, frame, name, seed)
                    if self._reproduced(crash, frame, seed):
                        break

    def _at(self, crash: str, frame: int, name: str, seed: int) -> Key:
        return Key(crash, frame, name, seed, self.evaluations, self.at.program)

    def _reproduced(self, crash: str, frame: int, seed: int) -> bool:
        tried = product(self.configurations, range(1, seed + 1))
        rows = (self.at.store.get(self._at(crash, frame, name, one)) for name, one in tried)
        return any(row is not None and row.success is not None for row in rows)

    def outermost_reproduced(self) -> dict[str, int]:
        """By crash, the frame at which it is compared; crashes that nobody has reproduced are left out."""
        found: dict[str, int] = {}
        for row in self.made():
            if row.success is not None:
                found[row.key.crash] = max(found.get(row.key.crash, 0), row.key.frame)
        return found

    def values(self) -> list[Value]:
        """At that frame."""
        chosen = self.outermost_reproduced()
        return [
            Value(row.key.crash, row.key.configuration, row.key.seed, measured(row))
            for row in self.made()
            if row.key.frame == chosen.get(row.key.crash) and row.ended != FAILED
        ]

    def tallied(self) -> Tallied:
        """At most as many are planned as there are frames."""
        rows = self.made()
        frames = sum(len(self.frames(self._named[one])) for one in self.subjects())
        notes = Counter(f"{row.key.crash}: {row.note}" for row in rows if row.note)
        said = [f"{note} ({count} runs)" for note, count in sorted(notes.items())]
        highest = max((row.key.seed for row in rows), default=0)
        planned = frames * len(self.configurations) * self.seeds
        return Tallied(Counter(row.ended for row in rows), planned, highest, 0, said)

    def details(self) -> str:
        """From which frame each crash is reproduced, by whom."""
        rows, chosen = self.made(), self.outermost_reproduced()
        told = []
        for crash in dict.fromkeys(row.key.crash for row in rows):
            own = [row for row in rows if row.key.crash == crash]
            best = {
                name: max((row.key.frame for row in own if row.key.configuration == name and row.success is not None), default=0)
                for name in self.configurations
            }
            frames = self.frames(self._named[crash])
            told.append(
                [crash, ", ".join(map(str, frames)), str(chosen.get(crash, "none")), *(str(one or "") for one in best.values())]
            )
        heads = ["crash", "frames", "compared at", *self.configurations]
        return (
            f"{len(told)} crashes have runs, {len(chosen)} of them are reproduced from some frame. Frames are counted from the "
            f"crash; the outermost that each configuration reproduces:\n\n{table(heads, told)}"
        )
