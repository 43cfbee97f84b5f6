"""One example: tests are composed for its crash as the product does it, and judged by running them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.examples.examples import SUBJECTS, Example
from crashwright.core.target import CrashTarget
from crashwright.crash.readers.registry import read_reports
from crashwright.crash.resolve import resolve
from crashwright.engine.testcase.codec import decode
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.environment.imported_sources import with_imported
from crashwright.environment.interpreter import inspect_interpreter
from crashwright.symbolic.composition.composition_job import ComposedTest, Composition, Order

JUDGE: Final = Path(__file__).with_name("judge.py")


@dataclass(frozen=True, slots=True)
class Solved:
    """``seconds``: from the start of the process to the first test that crashes as the report says, by legal use (None: there is
    none), and those that it had ``computed`` by then; ``misuse``: to the first that does so otherwise; ``tests`` that were composed
    in ``whole`` seconds; ``test``: its text."""

    example: str
    asked: float
    computed: float | None
    seconds: float | None
    misuse: float | None
    tests: int
    whole: float
    test: str
    note: str = ""

    @property
    def in_time(self) -> bool:
        """Whether it was solved as it is asked, on a machine that does nothing else."""
        return self.computed is not None and self.computed <= self.asked


def target_of(example: Example) -> CrashTarget:
    """What the report says, read as the product reads it."""
    statements = f"from {example.module} import *\n{example.crash}"
    environment = {**os.environ, "PYTHONPATH": str(SUBJECTS), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", statements], env=environment, capture_output=True, text=True, check=False)
    return resolve(read_reports(done.stderr)[-1], inspect_interpreter(sys.executable), None, None).target


def solved(example: Example, limit: float) -> Solved:
    """Compose for so many seconds at most."""
    target = target_of(example)
    begin = time.monotonic()
    sources = with_imported({one.key.module: one.path for one in target.package_frames})
    found: list[tuple[float, float, str]] = []
    with Composition(Order(target, sources, (sys.version_info[0], sys.version_info[1]), limit), niceness=0) as composition:
        for one in composition.found():
            if isinstance(one, ComposedTest) and not one.partial:
                printed = print_test(decode(one.test))
                text = "\n".join([*printed.imports, "", *printed.body])
                found.append((time.monotonic() - begin, computed_by_children(), text))
        _, reason = composition.ending
    whole = time.monotonic() - begin
    texts = [text for *_, text in found]
    legal, any_way = (judged(texts, target, condition) for condition in (example.legal, "True"))
    first = next((place for place, one in enumerate(legal) if one), None)
    other = next((place for place, one in enumerate(any_way) if one and not legal[place]), None)
    return Solved(
        example.name,
        example.asked,
        None if first is None else round(found[first][1], 2),
        None if first is None else round(found[first][0], 2),
        None if other is None else round(found[other][0], 2),
        len(found),
        round(whole, 2),
        "" if first is None else found[first][2],
        reason.strip().rpartition("\n")[2],
    )


def computed_by_children() -> float:
    """Seconds of processors that the processes under this one have had, where the system tells."""
    seconds = 0.0
    for listed in Path("/proc/self/task").glob("*/children"):
        for process in listed.read_text().split():
            fields = Path("/proc", process, "stat").read_text().rpartition(")")[2].split()
            seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return seconds


def judged(tests: Sequence[str], target: CrashTarget, legal: str) -> list[bool]:
    """Which of the tests crash as the target says."""
    frames = [[one.key.qualname.rpartition(".")[2], one.line] for one in target.package_frames]
    request = {
        "folder": str(SUBJECTS),
        "tests": list(tests),
        "wanted": [target.exception.rpartition(".")[2], frames],
        "legal": legal,
    }
    with tempfile.TemporaryDirectory() as folder:
        (file := Path(folder, "request.json")).write_text(json.dumps(request))
        done = subprocess.run([sys.executable, "-B", str(JUDGE), str(file)], capture_output=True, text=True, check=True)
    answers: list[bool] = json.loads(done.stdout)
    return answers
