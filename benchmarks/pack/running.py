"""One tool on one case: the command, started from an empty folder, and what the judge says of the file it wrote."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.pack.board import Row
from benchmarks.pack.cases import Case
from benchmarks.pack.homes import Homes
from benchmarks.pack.judging import Verdict, agrees_with_fix, verdict
from benchmarks.pack.witness import run_test

#: Seconds over the budget that a tool may take to start and to end.
GRACE = 10.0


@dataclass(frozen=True, slots=True)
class Tool:
    """How a tool is started: {trace}, {python}, {budget}, {seed} and {out} are filled in."""

    command: str
    name: str
    version: str
    budget: float


def judged(case: Case, test: Path, homes: Homes) -> tuple[Verdict, bool | None]:
    """What a printed test shows on the version that crashes, and, if it reproduces the crash, on the fixed one."""
    found = verdict(case.crash(), run_test(test, homes.python(case.pins(case.version)), case.modules).crashes)
    if not found.reproduced or case.fixed is None:
        return found, None
    return found, agrees_with_fix(case.on_fixed, run_test(test, homes.python(case.pins(case.fixed)), case.modules).outcome)


def attempt(case: Case, tool: Tool, seed: int, homes: Homes, keep: Path | None = None) -> Row:
    """A run of the tool. What takes longer than the budget and its grace is stopped and counts as not found."""
    python = homes.python(case.pins(case.version))
    with tempfile.TemporaryDirectory() as folder:
        test = Path(folder) / "test_crash.py"
        blanks = {"trace": case.trace.resolve(), "python": python, "budget": f"{tool.budget:g}", "seed": seed, "out": test}
        words = [word.format(**blanks) for word in shlex.split(tool.command)]
        problem, found, agrees = "", Verdict(total=len(case.crash().frames)), None
        start = time.monotonic()
        try:
            subprocess.run(words, cwd=folder, capture_output=True, timeout=tool.budget + GRACE, check=False)
        except subprocess.TimeoutExpired:
            problem = "late"
        seconds = time.monotonic() - start
        if test.exists() and not problem:
            found, agrees = judged(case, test, homes)
            if keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{case.name}-{seed}.py").write_text(test.read_text())
    return Row(
        tool=tool.name,
        version=tool.version,
        budget=tool.budget,
        case=case.name,
        half=case.half,
        seed=seed,
        score=found.score,
        frames=found.frames,
        total=found.total,
        agrees=agrees,
        seconds=round(seconds, 2),
        problem=problem,
    )
