"""What the host is told of a crash search: how far its best test gets, and of tests that raise what the report shows."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from crashwright.core.messages import EndReason, Finished, Found, Progress
from crashwright.core.target import CrashTarget
from crashwright.engine.search.crash_goals import frames_entered
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.crash_search import CrashSearch
from crashwright.engine.search.diagnosis import furthest_point
from crashwright.engine.search.missed import Unmet
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.legality import judged_arguments
from crashwright.engine.testcase.testcase import TestCase


@dataclass(frozen=True, slots=True)
class CrashTelling:
    """``origin`` says which seed a test came from."""

    target: CrashTarget
    setup: Setup
    origin: Callable[[TestCase], str]
    is_legal: Callable[[TestCase], bool]

    def progress(self, search: CrashSearch) -> Progress | None:
        """Where the best test stands."""
        best, meter = search.scorer.best, self.setup.meter
        if best is None:
            return None
        return Progress(
            seconds=meter.seconds,
            evaluations=meter.evaluations,
            frames=frames_entered(self.target, best.score.frames),
            frames_total=len(self.target.package_frames),
            distance=best.score.fitness,
            furthest=furthest_point(self.target, best.score),
            population=search.algorithm.population_size,
            warm_up=self.setup.warm_up.spent,
            ties=search.algorithm.ties,
            stops=tuple(search.scorer.endings.told()),
        )

    def found(self, search: CrashSearch, evaluation: Evaluation, minimised: bool) -> Found:
        """A test that raises the right exception, or the best one made smaller."""
        test, score, scorer = evaluation.test, evaluation.score, search.scorer
        original = scorer.best_exception if minimised else None
        judged = judged_arguments(test)
        return Found(
            test=encode(test),
            level=score.level,
            frames=score.agreeing,
            distance=score.fitness,
            evaluations=self.setup.meter.evaluations if minimised else scorer.at,
            seconds=self.setup.meter.seconds,
            legal=self.is_legal(test),
            unchecked=judged.arguments - judged.declared,
            arguments=judged.arguments,
            origin=self.origin(test if original is None else original.test),
            minimised=minimised,
            settled=minimised or score.fitness == 0,
            slept=evaluation.slept or (0.0 if original is None else original.slept),
            ties=search.algorithm.ties,
        )

    def finished(self, search: CrashSearch, reason: EndReason, told: tuple[str, ...], unmet: Unmet | None = None) -> Finished:
        """The end of the search, and where it is not that of the crash, what stopped its tests."""
        meter, endings = self.setup.meter, search.scorer.endings
        if reason is EndReason.REPRODUCED:
            return Finished(reason, meter.evaluations, meter.seconds, told)
        stop, best = endings.stop, search.scorer.best
        blocked = endings.refused or (stop is not None and not (best is not None and best.score.level))
        told = (*endings.told(), *told) if blocked else (*told, *endings.told())
        return Finished(
            reason,
            meter.evaluations,
            meter.seconds,
            told,
            endings.refused,
            endings.allowances(),
            stopped_at=stop.place if stop is not None else unmet.place if unmet is not None else "",
            unprepared=stop is not None and stop.always and not self._is_own(stop.file),
        )

    def _is_own(self, file: str) -> bool:
        """Whether a file is the package's; what has no file is not asked for anything."""
        top = self.target.package.partition(".")[0]
        return not file or f"{os.sep}{top}{os.sep}" in file or os.path.basename(file) == f"{top}.py"
