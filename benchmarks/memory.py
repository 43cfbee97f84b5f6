"""How much memory an engine needs above its subject, and whether that stays bounded in a long search.

python benchmarks/memory.py [--evaluations N] [--subject NAME ...]    prints a table and writes benchmarks/results/memory.json

Subjects and crashes are those of ``engine_throughput.py``: none can be reproduced, so each search runs to its end. ``above_mib`` is
the peak resident size of the engine's process less that of a plain interpreter that has imported the same subject. ``growth_mib``
is how much larger the process was on average in the last tenth of the search than in the third tenth.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from engine_throughput import SUBJECTS, target_of
from record import save

from crashwright.core.messages import Failed, Finished, Start
from crashwright.core.settings import Budget, EngineSettings
from crashwright.supervision.engine_process import EngineProcess

FOLDER = Path(__file__).parent / "subjects"
TARGET_MIB = 150
LOOK_SECONDS = 0.2


def resident_mib(pid: int, field: str) -> float:
    """``VmRSS`` or ``VmHWM`` of a process; 0 where it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(field + ":")), 0.0)


def plain_mib(subject: str) -> float:
    """An interpreter that has only imported ``subject``."""
    code = f"import sys; sys.path.insert(0, {str(FOLDER)!r}); import {subject}; print(open('/proc/self/status').read())"
    lines = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


def engine_mib(subject: str, evaluations: int) -> tuple[float, list[float], float]:
    """The peak of the engine, its size over time, and the seconds it took."""
    settings = EngineSettings(budget=Budget(None, evaluations), path=(str(FOLDER),))
    sizes: list[float] = []
    peak = 0.0
    begin = time.monotonic()
    with EngineProcess(sys.executable, Start(settings, target_of(subject))) as engine:
        while engine.running:
            message = engine.next(LOOK_SECONDS)
            for pid in _children(engine.pid):
                peak = max(peak, resident_mib(pid, "VmHWM"))
                sizes.append(resident_mib(pid, "VmRSS"))
            if isinstance(message, Failed):
                sys.exit(f"{subject}: {message.text}")
            if isinstance(message, Finished):
                break
    return peak, [size for size in sizes if size], time.monotonic() - begin


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def main() -> None:
    """Prints and saves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evaluations", type=int, default=100_000)
    parser.add_argument("--subject", action="append", choices=SUBJECTS)
    options = parser.parse_args()
    if not os.path.exists("/proc/self/status"):
        sys.exit("memory is read from /proc, which this system does not have")
    sys.path.insert(0, str(FOLDER))
    figures = {}
    for subject in options.subject or SUBJECTS:
        plain = plain_mib(subject)
        peak, sizes, seconds = engine_mib(subject, options.evaluations)
        tenth = max(1, len(sizes) // 10)
        growth = statistics.mean(sizes[-tenth:]) - statistics.mean(sizes[2 * tenth : 3 * tenth] or sizes)
        figures[subject] = {
            "above_mib": round(peak - plain, 1),
            "target_mib": TARGET_MIB,
            "subject_mib": round(plain, 1),
            "growth_mib": round(growth, 1),
            "evaluations": options.evaluations,
            "seconds": round(seconds, 1),
        }
        print(subject, json.dumps(figures[subject]))
    save("memory", f"python benchmarks/memory.py --evaluations {options.evaluations}", figures)


if __name__ == "__main__":
    main()
