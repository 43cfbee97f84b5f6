"""One tool on one case: the command, started from an empty folder, and what the judge says of the file it wrote."""

from __future__ import annotations

import shlex
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.pack.board import Row
from benchmarks.pack.cases import Case
from benchmarks.pack.homes import Homes
from benchmarks.pack.judging import Verdict, agrees_with_fix, verdict
from benchmarks.pack.processes import run
from benchmarks.pack.witness import run_test

#: Seconds over the budget that a tool may take to start and to end.
GRACE = 10.0
#: Exit codes of a tool that did its work: it wrote a test, or found none.
ORDERLY = (0, 1)


@dataclass(frozen=True, slots=True)
class Tool:
    """How a tool is started: {trace}, {python}, {budget}, {seed} and {out} are filled in."""

    command: str
    name: str
    version: str
    budget: float


def complaint(command: str) -> str:
    """Why the command cannot be a tool's, or nothing. Without this, a mistyped one reproduces none of the cases."""
    try:
        words = _filled(command, trace="", python=sys.executable, budget="", seed="", out="")
    except (KeyError, IndexError, ValueError) as error:
        return f"--tool cannot be filled in ({error}): in braces are trace, python, budget, seed and out, and nothing else"
    if "{trace}" not in command or "{out}" not in command:
        return "--tool needs {trace} and {out}: what it reads, and where it writes the test"
    if shutil.which(words[0]) is None:
        return f"--tool names {words[0]}, and no such command can be started"
    return ""


def _filled(command: str, **blanks: str) -> list[str]:
    return [word.format(**blanks) for word in shlex.split(command)]


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
        words = _filled(
            tool.command, trace=str(case.trace.resolve()), python=python, budget=f"{tool.budget:g}", seed=str(seed), out=str(test)
        )
        words[0] = str(Path(shutil.which(words[0]) or words[0]).absolute())  # The tool starts in another folder.
        found, agrees = Verdict(total=len(case.crash().frames)), None
        start = time.monotonic()
        done = run(words, folder, tool.budget + GRACE)
        seconds = time.monotonic() - start
        problem = "late" if done is None else ""
        if done is not None and done.code not in ORDERLY and not test.exists():
            problem = f"exit {done.code}"
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
