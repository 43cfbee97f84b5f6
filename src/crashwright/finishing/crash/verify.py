"""Judges the printed file: it is run in fresh interpreters without instrumentation, and the crash it raises is compared with the
report.

Only the text that the user gets counts (docs/decisions/0003).
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from crashwright.core.target import CrashTarget
from crashwright.finishing.preparation_lines import plugins_for
from crashwright.finishing.running.agreement import Agreement, agreement, nothing_raised
from crashwright.finishing.running.at_once import in_order
from crashwright.finishing.running.fresh_runner import FreshRunner, Manner
from crashwright.supervision.fresh import FreshRun

LONGEST_RUN = 60.0
"""Seconds that one fresh run may take where the budget has no end."""
UNJUDGED = "no fresh run finished in the time left"
_MORE_ATTEMPTS = 2
_MANNER = Manner(("--tb=no", "--runxfail"))
"""Nothing of the project's plugins has a say in what a file does, but what the file asks for by name."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What the fresh runs of a printed file came to. ``levels`` has one level for each run that came to its end or to the crash: a
    run that the clock cut off before (``cut_off``) says nothing of the test. ``runner`` is ``pytest`` or ``stand-in``; ``output``
    the last lines of the last run, for a bug report."""

    levels: tuple[int, ...]
    agreement: Agreement
    runner: str
    output: str = ""
    cut_off: bool = False

    @property
    def level(self) -> int:
        """The least level of all runs: an unstable test is worth its worst run."""
        return min(self.levels, default=0)

    def followed_by(self, other: Verification) -> Verification:
        """This one and further runs of the same text as one."""
        worse = other if other.levels and other.level < self.level else self
        output, cut_off = other.output or self.output, self.cut_off or other.cut_off
        return Verification(self.levels + other.levels, worse.agreement, self.runner, output, cut_off)

    @property
    def missing(self) -> str:
        """What is missing to a reproduction, in words; empty where nothing is."""
        return self.agreement.missing if self.levels else UNJUDGED


@dataclass(frozen=True, slots=True)
class Verifier:
    """Runs printed files, and compares what they raise with the crash. ``on_run`` is told the level and number of each run."""

    target: CrashTarget
    runner: FreshRunner
    on_run: Callable[[int, int], None] = field(default=lambda _level, _run: None)

    def verify(self, text: str, name: str, runs: int, seconds: Callable[[], float], before: int = 0) -> Verification:
        """Run ``text`` as a file called ``name`` ``runs`` times, after ``before`` earlier runs of it. ``seconds()`` is the time
        left: each run takes no more, and none starts once it is used up. Runs are beside each other where there are processors for
        them. Nothing counts that comes after the first run below the level of the first, which cannot rise again."""
        levels: list[int] = []
        worst: Agreement | None = None
        output, cut_off = "", False

        def one(place: int) -> tuple[Agreement, FreshRun] | None:
            left = seconds()
            return None if left <= 0 else self._run(text, name, min(left, LONGEST_RUN), place)

        for number, ended in enumerate(in_order(one, runs, self.runner.at_once), 1):
            if ended is None:
                break
            found, run = ended
            output = run.output
            cut_off = run.code is None and found.level < (levels[0] if levels else 1)
            if cut_off:
                break
            if worst is None or found.level < worst.level:
                worst = found
            levels.append(found.level)
            self.on_run(found.level, before + number)
            if found.level < levels[0] or found.level == 0:
                break
        output = self.runner.sift(output[-4000:])[-1000:]
        return Verification(tuple(levels), worst or nothing_raised(self.target), self.runner.name, output, cut_off)

    def _run(self, text: str, name: str, seconds: float, place: int) -> tuple[Agreement, FreshRun]:
        """One run. Where the interpreter is killed from outside, that says nothing of the test: it is run again."""
        begin = time.monotonic()
        best, run = self._attempt(text, name, seconds, place)
        for _ in range(_MORE_ATTEMPTS):
            left = seconds - (time.monotonic() - begin)
            if run.code != -signal.SIGKILL or left <= 0:
                break
            best, run = self._attempt(text, name, left, place)
        return best, run

    def _attempt(self, text: str, name: str, seconds: float, place: int) -> tuple[Agreement, FreshRun]:
        bench = self.runner.bench(place)
        test = bench.work / name
        test.write_text(text, encoding="utf-8")
        run, record = self.runner.run_alone(bench, test, manner_of(text), seconds)
        best = max(
            (agreement(self.target, one.raised, name) for one in record.raised),
            key=lambda one: (one.level, one.frames, one.type_agrees, one.same_values),
            default=nothing_raised(self.target),
        )
        return best, run


def manner_of(text: str) -> Manner:
    """How a printed file is run."""
    return Manner((*_MANNER.options, *(option for one in plugins_for(text) for option in ("-p", one))))
