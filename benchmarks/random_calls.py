"""10^5 random calls into os, shutil, pathlib, subprocess and socket, in a confined engine and without the audit hook: what changed?

python benchmarks/random_calls.py [--calls N]    prints what was found and writes benchmarks/results/random_calls.json

The same calls as in tests/integration/test_random_calls.py, only more of them. Folders in several file systems and a process are
looked at before and after. Ends with status 1 where anything outside the scratch folder changed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from record import save

TESTS = Path(__file__).resolve().parent.parent / "tests" / "integration"
sys.path.insert(0, str(TESTS))

from bystanders import Bystanders  # noqa: E402
from engine_story import SESSION, make_start  # noqa: E402

from crashwright.core.messages import Failed, Found, Incident, IncidentKind  # noqa: E402
from crashwright.core.settings import LimitSettings  # noqa: E402
from crashwright.supervision.engine_process import EngineProcess  # noqa: E402

BATCH = 50
MOST_ROUNDS = 4


def in_engine(calls: int) -> dict[str, object]:
    """As the subject of an engine, with everything that confines it. Batches that a call cuts short are not counted."""
    with tempfile.TemporaryDirectory() as root, Bystanders(Path(root)) as bystanders:
        os.environ["WILD"] = bystanders.token
        counts: Counter[str] = Counter()
        incidents: Counter[str] = Counter()
        begin = time.monotonic()
        for number in range(MOST_ROUNDS):
            if counts.total() < calls:
                seeds = range(number * calls, number * calls + (calls - counts.total()) // BATCH + 1)
                one_engine([("calls", bystanders.spec(seed, BATCH)) for seed in seeds], counts, incidents)
        seconds = round(time.monotonic() - begin, 1)
        del os.environ["WILD"]
        changes = bystanders.changes()
        return {"calls": counts.total(), **counts, "incidents": dict(incidents), "seconds": seconds, "changes": changes}


def one_engine(plan: list[tuple[str, str]], counts: Counter[str], incidents: Counter[str]) -> None:
    """Run a plan from start to end, and add up what is told."""
    limits = LimitSettings(test_seconds=0.5, memory_mib=512, import_seconds=15.0)
    with EngineProcess(sys.executable, make_start("wild", plan, limits=limits), SESSION) as engine:
        for message in engine.messages(time.monotonic() + 600):
            if isinstance(message, Found) and message.test["error"] == "Made":
                counts.update(json.loads(message.test["message"]))
            elif isinstance(message, Incident) and message.kind is not IncidentKind.REFUSED:
                incidents[message.text] += 1
            elif isinstance(message, Failed):
                sys.exit(f"{message.text}\n{message.detail}")


def by_kernel_alone(calls: int) -> dict[str, object]:
    """In disposable children confined by Landlock and seccomp, without the audit hook; calls that end the process included."""
    with tempfile.TemporaryDirectory() as root, Bystanders(Path(root)) as bystanders:
        begin = time.monotonic()
        told = bystanders.run(1, calls, ("Landlock", "seccomp"))
        return {**told, "seconds": round(time.monotonic() - begin, 1), "changes": bystanders.changes()}


def main() -> None:
    """Prints and saves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=100_000)
    calls = parser.parse_args().calls
    figures = {"engine": in_engine(calls), "kernel_alone": by_kernel_alone(calls)}
    print(json.dumps(figures, indent=1))
    save("random_calls", f"python benchmarks/random_calls.py --calls {calls}", figures)
    if any(figure["changes"] for figure in figures.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
