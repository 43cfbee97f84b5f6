"""One search by a real engine for the crash of a small subject, bounded in evaluations: the same result on any machine. And whether
one of some seeds finds it, which the gate asks, and whether most of them do, which is asked at night."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import pytest

from crashwright.core.messages import Failed, Finished, Found, Insight, Ready, Start, StartSuite, Suite
from crashwright.core.precondition import Precondition, WrittenPreconditions, written
from crashwright.core.settings import Budget, EngineSettings, LimitSettings, SearchSettings
from crashwright.core.suite import ModuleTarget
from crashwright.core.target import CrashTarget
from crashwright.crash.readers.registry import read_reports
from crashwright.crash.resolve import resolve
from crashwright.environment.interpreter import inspect_interpreter
from crashwright.supervision.engine_process import EngineProcess

SUBJECTS = Path(__file__).parent / "subjects"
SUITE_SUBJECTS = Path(__file__).parent / "suite_subjects"
DEFAULT = SearchSettings()
ONCE_AND_OFTEN = pytest.mark.parametrize(
    "often", [pytest.param(False, id="once"), pytest.param(True, id="often", marks=pytest.mark.nightly)]
)
"""In the gate one of the seeds has to find it, at night as many as the test says: one search or two instead of five."""


@dataclass(frozen=True, slots=True)
class Trial:
    """``evaluations`` until the end of the search, which is the crash where ``level`` is 4."""

    seed: int
    level: int
    evaluations: int


@lru_cache
def target_of(name: str, depth: int = 0) -> CrashTarget:
    """The crash of ``subjects/NAME.txt``; with a ``depth``, as if it had been entered by the function of so many from the crash."""
    text = (SUBJECTS / f"{name}.txt").read_text()
    head, *frames = re.split(r"(?m)^(?=  File )", text)
    functions = [place for place, frame in enumerate(frames) if "<" not in frame.split("\n")[0].split(" in ")[1]]
    report = read_reports(head + "".join(frames[functions[-depth] if depth else 0 :]))[-1]
    return resolve(report, inspect_interpreter(sys.executable, (str(SUBJECTS),)), None, None).target


class Searches:
    """Searches for one crash, as ``chosen`` says but for the seed, one after the other in one engine: it imports the subject once,
    and forks for each. The hash seed is that of the first. ``depth``: see :func:`target_of`; ``later``: preconditions come when the
    engine is ready. An engine that fails is an error of the test."""

    def __init__(
        self,
        name: str,
        evaluations: int,
        chosen: SearchSettings = DEFAULT,
        preconditions: Sequence[Precondition] = (),
        later: bool = False,
        depth: int = 0,
    ) -> None:
        self._name = name
        self._evaluations = evaluations
        self._chosen = chosen
        self._known = written(preconditions)
        self._later = later
        self._target = target_of(name, depth)
        self._engine: EngineProcess | None = None

    def __enter__(self) -> Searches:
        return self

    def __exit__(self, *_: object) -> None:
        if self._engine is not None:
            self._engine.stop()

    def search(self, seed: int, chosen: SearchSettings | None = None) -> Trial:
        """Search once; as ``chosen`` says, if that is given."""
        level = 0
        for message in self._begun(replace(chosen or self._chosen, seed=seed)).messages():
            if isinstance(message, Ready) and self._later and self._engine is not None:
                self._engine.send(Insight(self._known))
            elif isinstance(message, Found):
                level = max(level, message.level)
            elif isinstance(message, Finished):
                return Trial(seed, level, message.evaluations)
            elif isinstance(message, Failed):
                raise AssertionError(f"{self._name}, seed {seed}: {message.text}\n{message.detail}")
        raise AssertionError(f"{self._name}, seed {seed}: the engine ended without a word")

    def _begun(self, chosen: SearchSettings) -> EngineProcess:
        settings = EngineSettings(
            chosen,
            Budget(None, self._evaluations),
            # Evaluations decide, so a busy machine must not turn a slow test into a worse one.
            LimitSettings(test_seconds=2.0),
            (str(SUBJECTS),),
        )
        known = WrittenPreconditions() if self._later else self._known
        start = Start(settings, self._target, (), known, insights=self._later)
        if self._engine is None:
            self._engine = EngineProcess(sys.executable, start)
        else:
            assert self._engine.go_on(start)
        return self._engine


def search(
    name: str, seed: int, evaluations: int, chosen: SearchSettings = DEFAULT, preconditions: Sequence[Precondition] = ()
) -> Trial:
    """Search once, in an engine of its own."""
    with Searches(name, evaluations, chosen, preconditions) as searches:
        return searches.search(seed)


@dataclass(slots=True)
class Asked:
    """The answer, and the searches that it took."""

    found: bool
    trials: list[Trial] = field(default_factory=list)


def most_find(
    least: int,
    name: str,
    seeds: Sequence[int],
    evaluations: int,
    chosen: SearchSettings = DEFAULT,
    preconditions: Sequence[Precondition] = (),
    later: bool = False,
    depth: int = 0,
) -> Asked:
    """Whether the searches of at least so many of these seeds end with the crash, in all its frames."""
    trials: list[Trial] = []
    with Searches(name, evaluations, chosen, preconditions, later, depth) as searches:

        def finds(seed: int) -> bool:
            trials.append(searches.search(seed))
            return trials[-1].level == 4

        return Asked(holds_for(least, seeds, finds), trials)


def takes_all_branches(target: ModuleTarget, search: SearchSettings, evaluations: int) -> bool:
    """Whether a search for a suite of a module in ``suite_subjects`` takes each branch that is asked for."""
    settings = EngineSettings(search, Budget(None, evaluations), LimitSettings(test_seconds=2.0), (str(SUITE_SUBJECTS),))
    with EngineProcess(sys.executable, StartSuite(settings, target), "crashwright.engine.sessions.suite") as engine:
        for message in engine.messages():
            if isinstance(message, Suite):
                branches = message.coverage[0]
                return branches.covered == branches.total
            if isinstance(message, Failed):
                raise AssertionError(f"{message.text}\n{message.detail}")
    raise AssertionError(f"seed {search.seed}: the engine ended without a word")


def holds_for(least: int, seeds: Sequence[int], holds: Callable[[int], bool]) -> bool:
    """Whether something holds for at least so many of the seeds. Seeds that could not change the answer any more are not asked."""
    held = 0
    for asked, seed in enumerate(seeds, 1):
        held += holds(seed)
        if held >= least:
            return True
        if held + len(seeds) - asked < least:
            return False
    raise AssertionError(f"{least} of {len(seeds)} seeds")
