"""Values that answer what the code asks of those that nothing describes (docs/decisions/0020)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from random import Random

from crashwright.core.mechanisms import Mechanism
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject, needed_by
from crashwright.engine.sources.path_words import tabled_keys
from crashwright.engine.sources.recording_runs import RecordingNeeds, RecordingRuns
from crashwright.engine.sources.source import When
from crashwright.engine.sources.values.frame_types import owners_by_method
from crashwright.engine.testcase.testcase import TestCase

BEGUN_WITH = 2
"""Tests of each kind (echoed calls, usage examples) whose values they begin with ..."""
SURVIVORS = 3
"""... and of the best tests, when it stands still."""


class Answers:
    """See ``sources.source.Source``."""

    def __init__(self) -> None:
        self._asking: RecordingRuns | None = None

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterable[TestCase]:
        """Tests with real values for what others, and ahead of the search random ones, pass."""
        if self._asking is None:
            uses = subject.start.settings.search.uses(Mechanism.GUIDANCE)
            keys = tabled_keys(subject.start.target, subject.sources, subject.path[1]) if uses else ()
            self._asking = RecordingRuns(around_of(subject, so_far), so_far.factory, needed_by(so_far.factory), rng, keys)
        if so_far.moment is When.AHEAD:
            return self._asking.built(so_far.begun_with(BEGUN_WITH), so_far.runs)
        return self._asking.built(so_far.survivors()[:SURVIVORS], so_far.runs, only=True)


def around_of(subject: CrashSubject, so_far: CrashSoFar) -> RecordingNeeds:
    """What probing runs need."""
    target = subject.start.target
    modules = tuple(dict.fromkeys(frame.key.module for frame in target.package_frames))
    on_the_path = owners_by_method(target)

    def classes(names: Collection[str]) -> tuple[type, ...]:
        wanted = [on_the_path[name] for name in names if name in on_the_path]
        near = dict.fromkeys((*wanted, *subject.used.classes_with(modules, names)))
        return tuple(near) or (() if subject.wanted is None else subject.wanted.classes_with(names))

    return RecordingNeeds(
        runner=so_far.bench.executor,
        tracer=subject.recorder,
        meter=so_far.meter,
        quarantine=so_far.quarantine,
        used=subject.used.hints,
        classes=classes,
        quoted=so_far.seeds.quoted,
    )
