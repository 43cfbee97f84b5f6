"""How long a user waits: for ``--help``, and from the start of the command to the first test that runs.

python benchmarks/startup.py [--repeat N]    prints the figures and writes benchmarks/results/startup.json

The subject of the second figure takes no time to import, so the figure is what comes on top of a subject's own import: our start,
the report, its resolution, the interpreter and the engine. Medians: processor seconds of the process for ``--help`` (and on the
clock), seconds on the clock for the first test, since several processes take part.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from record import save

SUBJECTS = Path(__file__).parent / "subjects"
COMMAND = str(Path(sys.executable).with_name("crashwright"))
TARGETS = {"help": 0.3, "first_test": 1.0}


def help_seconds() -> tuple[float, float]:
    """One run of ``crashwright --help``: processor seconds, seconds on the clock."""
    start, before = time.monotonic(), _spent_by_children()
    subprocess.run([COMMAND, "--help"], check=True, capture_output=True)
    return _spent_by_children() - before, time.monotonic() - start


def _spent_by_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def first_test_seconds(folder: Path) -> float:
    """From the start of ``crashwright reproduce`` to the first call of the subject."""
    source = SUBJECTS / "first_call.py"
    line = next(number for number, text in enumerate(source.read_text().splitlines(), 1) if "raise KeyError" in text)
    report = folder / "crash.txt"
    report.write_text(
        "Traceback (most recent call last):\n"
        '  File "main.py", line 1, in <module>\n    greet("you")\n'
        f'  File "{source}", line {line}, in greet\n    raise KeyError(name)\n'
        "KeyError: 'you'\n"
    )
    place = folder / "first"
    place.unlink(missing_ok=True)
    command = [COMMAND, "reproduce", str(report), "--path", str(SUBJECTS), "--json", "--no-cache"]
    command += ["--allow", f"write:{folder}", "--output", str(folder / "test_it.py")]
    start = time.monotonic()
    done = subprocess.run(command, env={**os.environ, "CRASHWRIGHT_FIRST_CALL": str(place)}, capture_output=True, check=False)
    if not place.exists():
        sys.exit(f"the subject was never called: {done.stdout.decode()}{done.stderr.decode()}")
    return float(place.read_text()) - start


def main() -> None:
    """Prints and saves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=9)
    repeat = parser.parse_args().repeat
    with tempfile.TemporaryDirectory() as name:
        helps = [help_seconds() for _ in range(repeat)]
        firsts = [first_test_seconds(Path(name)) for _ in range(repeat)]
    figures = {
        "help": {
            "cpu_seconds": round(statistics.median(cpu for cpu, _ in helps), 3),
            "wall_seconds": round(statistics.median(wall for _, wall in helps), 3),
            "target": TARGETS["help"],
        },
        "first_test": {"wall_seconds": round(statistics.median(firsts), 3), "target": TARGETS["first_test"]},
    }
    print(json.dumps(figures, indent=1))
    save("startup", f"python benchmarks/startup.py --repeat {repeat}", figures)


if __name__ == "__main__":
    main()
