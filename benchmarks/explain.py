"""How long ``crashwright explain`` takes beyond its imports.

python benchmarks/explain.py [--repeat N] [--pack FOLDER --venvs FOLDER]    prints the figures, and writes results/explain.json

Seconds on the clock, the interpreter that is asked for its path included, after one run that loads the modules. The subjects: a
made-up package of some hundred files whose target frame is private, so that callers are looked for in all of them; and, where they
are given, the crashes of a pack (FOLDER/ID/traceback.txt) with their interpreters (FOLDER/ID/bin/python).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from record import save

from crashwright.workflows.inquiries.explain import ExplainRequest, explain

TARGET = 0.5
FILES = 300
FUNCTIONS = 40


def made_up(folder: Path) -> ExplainRequest:
    """A package in which the target frame is reached through a chain of private functions of other modules."""
    package = folder / "warehouse"
    package.mkdir()
    (package / "__init__.py").touch()
    for number in range(FILES):
        lines = [f"from warehouse import _part{number - 1}" if number else "import math"]
        for index in range(FUNCTIONS):
            lines += ["", "", f"def helper_{number}_{index}(first, second=None):", "    return [first, second, math_like(first)]"]
        if number < 4:
            inner = f"_part{number - 1}._step{number - 1}(value)" if number else "1 / value"
            lines += ["", "", f"def _step{number}(value):", f"    return {inner}"]
        if number == 4:
            lines += ["", "", "class Door:", "    def enter(self, value):", "        return _part3._step3(value)"]
        (package / f"_part{number}.py").write_text("\n".join(lines) + "\n")
    (package / "door.py").write_text("from warehouse._part4 import Door\n\n\ndef enter(value):\n    return Door().enter(value)\n")
    source = (package / "_part0.py").read_text().splitlines()
    line = source.index("    return 1 / value") + 1
    report = (
        "Traceback (most recent call last):\n"
        f'  File "/srv/warehouse/_part0.py", line {line}, in _step0\n    return 1 / value\n           ~~^~~~~~~\n'
        "ZeroDivisionError: division by zero\n"
    )
    return ExplainRequest(report, python=sys.executable, path=(str(folder),))


def seconds(request: ExplainRequest, repeat: int) -> float:
    """The median."""
    found = []
    for _ in range(repeat):
        begin = time.perf_counter()
        explain(request)
        found.append(time.perf_counter() - begin)
    return statistics.median(found)


def main() -> None:
    """Prints and saves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--pack", type=Path)
    parser.add_argument("--venvs", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        request = made_up(Path(name))
        plan = explain(request).search
        if plan is None or plan.entry != "warehouse.door.enter":
            sys.exit(f"the way in was not found: {plan}")
        figures: dict[str, object] = {"made_up_package": {"seconds": round(seconds(request, options.repeat), 3), "target": TARGET}}
    if options.pack is not None and options.venvs is not None:
        times = {
            folder.name: seconds(
                ExplainRequest((folder / "traceback.txt").read_text(), python=str(options.venvs / folder.name / "bin" / "python")),
                1,
            )
            for folder in sorted(options.pack.iterdir())
            if (folder / "traceback.txt").is_file() and os.access(options.venvs / folder.name / "bin" / "python", os.X_OK)
        }
        slowest = max(times, key=lambda crash: times[crash])
        figures["pack"] = {
            "crashes": len(times),
            "median_seconds": round(statistics.median(times.values()), 3),
            "most_seconds": round(times[slowest], 3),
            "slowest": slowest,
            "target": TARGET,
        }
    print(json.dumps(figures, indent=1))
    save("explain", f"python benchmarks/explain.py --repeat {options.repeat}", figures)


if __name__ == "__main__":
    main()
