"""The protocol of all experiments on one page, from what they are made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from benchmarks.evidence import crash_runs, flag_gradient, smart_selection, timed_selection
from benchmarks.evidence.block_coverage import BlockCoverage
from benchmarks.evidence.crash_runs import CrashExperiment
from benchmarks.evidence.each_frame import EachFrame
from benchmarks.evidence.experiment import Contrast
from benchmarks.evidence.flag_gradient import FlagGradient
from benchmarks.evidence.flags_on_crashes import FlagsOnCrashes
from benchmarks.evidence.guided_operators import GuidedOperators
from benchmarks.evidence.report import HOW
from benchmarks.evidence.smart_selection import SmartSelection
from benchmarks.evidence.suite_runs import SuiteExperiment
from benchmarks.evidence.timed_selection import TimedSelection
from benchmarks.suites.modules import LARGE
from benchmarks.suites.text import table

COMMAND: Final = """\
```
git worktree add ../campaign 937f1e4    # the frozen program: runs of another one are not mixed with these
cd ../campaign && pip install -e '.[experiments]'
python -m benchmarks.evidence --store evidence.sqlite --add .../campaign/evidence.json --commit 937f1e4 \\
    --pack PACK --venvs VENVS --python PYTHON --corpus CORPUS.json --wall-limit 3600 --output REPORT
```

It makes the runs that are missing, for as long as it is let, and goes on where it was killed. `PACK` has a folder for each crash
with its `traceback.txt`; `VENVS/CRASH/bin/python` can import what crashes; `PYTHON` can import the modules of `CORPUS.json`. The
experiments that 937f1e4 does not know are run by the present program in the same way, with a store of their own and
`--experiment 000-frames,003-crashes`; `--experiment 004-time` counts seconds of the processor.
`python -m benchmarks.evidence.pages` computes these pages and plots from the runs."""


class Planned(NamedTuple):
    """An experiment, and its size."""

    number: str
    title: str
    method: str
    subjects: str
    seeds: int
    budget: str
    contrasts: int


def planned() -> Iterator[Planned]:
    """All of them."""

    def row(
        one: type[CrashExperiment | SuiteExperiment], subjects: str, seeds: int, budget: str, contrasts: tuple[Contrast, ...]
    ) -> Planned:
        return Planned(one.number, one.title, one.method, subjects, seeds, budget, len(contrasts))

    crashes = (f"{crash_runs.CRASHES} crashes", crash_runs.SEEDS, f"{crash_runs.EVALUATIONS:,} evaluations")
    yield row(BlockCoverage, *crashes, BlockCoverage.contrasts)
    yield row(EachFrame, *crashes, EachFrame.contrasts)
    yield row(GuidedOperators, *crashes, GuidedOperators.contrasts)
    flags = (f"{flag_gradient.FUNCTIONS} functions", flag_gradient.SEEDS, f"{flag_gradient.EVALUATIONS:,} evaluations")
    yield row(FlagGradient, *flags, FlagGradient.contrasts)
    yield row(FlagsOnCrashes, *crashes, FlagsOnCrashes.contrasts)
    modules = f"{len(LARGE)} modules"
    counted = (modules, smart_selection.SEEDS, f"{smart_selection.EVALUATIONS:,} evaluations")
    yield row(SmartSelection, *counted, SmartSelection.contrasts)
    by_time = (modules, timed_selection.SEEDS, f"{timed_selection.SECONDS} seconds")
    yield row(TimedSelection, *by_time, timed_selection.contrasts(timed_selection.SECONDS))


def protocol() -> str:
    """The page."""
    every = list(planned())
    heads = ["experiment", "subjects", "seeds", "budget of a run", "contrasts"]
    rows = [[f"{one.number} {one.title}", one.subjects, str(one.seeds), one.budget, str(one.contrasts)] for one in every]
    asked = [f"- **{one.number}.** {one.method}" for one in every]
    parts = [
        "# The protocol",
        "Written by `python -m benchmarks.evidence.pages` from what the experiments are made of.",
        table(heads, rows),
        "## What is compared",
        "\n".join(asked),
        "## How",
        HOW,
        "## One command",
        COMMAND,
        "Paper 002 is not compared by pairs of runs: [its page](002-star.md) names the benchmarks behind each claim.",
    ]
    return "\n\n".join(parts) + "\n"
