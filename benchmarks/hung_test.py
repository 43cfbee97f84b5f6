"""What a test that hangs costs beyond its limit, in a real engine: a loop in Python, a sleep, a loop in C.

python benchmarks/hung_test.py    prints a table and writes benchmarks/results/hung_test.json

The limit is processor time (``test_seconds``), for a test that uses none five times as much on the clock. A loop in Python is ended
by a signal in the engine; one in C by its parent, which kills the engine and starts another from the last checkpoint: that is in
the figure. Wall seconds from the beginning of the test to the moment when the next one can run, medians.
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path

from record import save

from crashwright.core.messages import Finished, Incident, IncidentKind, Start
from crashwright.core.settings import Budget, EngineSettings, LimitSettings
from crashwright.core.target import CrashTarget
from crashwright.engine.execution.limits import WALL_FACTOR
from crashwright.supervision.engine_process import EngineProcess

HERE = Path(__file__).parent
LIMIT = 0.1
TARGET = 0.1
KINDS = {"loop": LIMIT, "sleep": LIMIT * WALL_FACTOR, "inside_c": LIMIT}


def costs(kind: str) -> list[float]:
    """Wall seconds of each hang."""
    settings = EngineSettings(budget=Budget(60.0), limits=LimitSettings(test_seconds=LIMIT), path=(str(HERE / "subjects"),))
    start = Start(settings, CrashTarget("hangs", "ValueError", kind, ()))
    found: list[float] = []
    began = 0.0
    with EngineProcess(sys.executable, start, str(HERE / "hang_session.py")) as engine:
        for message in engine.messages():
            if isinstance(message, Incident) and message.kind is IncidentKind.NOTED:
                when, seconds = message.text.split()
                if when == "before":
                    began = float(seconds)
                else:
                    found.append(float(seconds) - began)
            elif isinstance(message, Finished):
                return found
    sys.exit(f"{kind}: the engine ended early")


def main() -> None:
    """Prints and saves."""
    figures = {}
    for kind, limit in KINDS.items():
        cost = statistics.median(costs(kind))
        figures[kind] = {"limit": limit, "seconds": round(cost, 3), "beyond": round(cost - limit, 3), "target": TARGET}
    print(json.dumps(figures, indent=1))
    save("hung_test", "python benchmarks/hung_test.py", figures)


if __name__ == "__main__":
    main()
