"""Tests per second on the clock with one engine and with several (``--jobs``), migration included.

python benchmarks/islands.py [--seconds N] [--jobs N] [--repeat N]    prints a table and writes benchmarks/results/islands.json

The crashes are those of engine_throughput.py, which cannot happen, so that no search ends early. A run is counted from the moment
the first engine has imported the subject until the budget is used up: what it costs to start the others is in the figures.
``apart`` is the same number of engines that know nothing of each other: what this machine can do at best. It is to be run on an
idle machine; medians of ``--repeat`` rounds, in each of which the three take turns.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
from pathlib import Path

from engine_throughput import target_of
from record import save

from crashwright.core.messages import Failed, Finished, Start
from crashwright.core.settings import Budget, EngineSettings, SearchSettings
from crashwright.supervision.engine_process import EngineProcess
from crashwright.supervision.islands import Islands
from crashwright.workflows.reproduce.islands import EPOCH, FirstWins

SUBJECTS = ("shlex", "textwrap", "difflib")
TARGET = 1.8


def tests_per_second(subject: str, jobs: int, seconds: float, seed: int) -> float:
    """One run with ``jobs`` engines."""
    settings = EngineSettings(search=SearchSettings(seed=seed), budget=Budget(seconds))
    target = target_of(subject)
    islands = Islands(
        lambda one, seeds: EngineProcess(sys.executable, Start(one, target, seeds=seeds)), settings, FirstWins(), EPOCH, jobs
    )
    try:
        while islands.running:
            message = islands.next(1.0)
            if isinstance(message, Failed):
                sys.exit(f"{subject}: {message.text}")
            if isinstance(message, Finished):
                return message.evaluations / message.seconds
    finally:
        islands.stop()
    sys.exit(f"{subject}: no result")


def apart(subject: str, jobs: int, seconds: float, seed: int) -> float:
    """As many runs with one engine each at the same time, added up."""
    speeds: list[float] = []

    def run(number: int) -> None:
        speeds.append(tests_per_second(subject, 1, seconds, seed + 1000 * number))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(speeds)


def measure(subject: str, jobs: int, seconds: float, repeat: int) -> dict[str, float]:
    """The figures of one subject; ``ratio`` is the median of the rounds' ratios."""
    rounds = [
        (
            tests_per_second(subject, 1, seconds, seed),
            tests_per_second(subject, jobs, seconds, seed),
            apart(subject, jobs, seconds, seed),
        )
        for seed in range(1, repeat + 1)
    ]
    one, many, best = (statistics.median(column) for column in zip(*rounds, strict=True))
    return {
        "one": round(one),
        "islands": round(many),
        "apart": round(best),
        "ratio": round(statistics.median(row[1] / row[0] for row in rounds), 2),
        "ratio_apart": round(statistics.median(row[2] / row[0] for row in rounds), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent / "subjects"))
    rows = {subject: measure(subject, options.jobs, options.seconds, options.repeat) for subject in SUBJECTS}
    print(
        f"{'subject':10}  {'1 job':>8}  {f'{options.jobs} jobs':>8}  {'apart':>8}  ratio  apart   (tests/s; ratio {TARGET} wanted)"
    )
    for subject, row in rows.items():
        print(
            f"{subject:10}  {row['one']:8,}  {row['islands']:8,}  {row['apart']:8,}  {row['ratio']:5.2f}  {row['ratio_apart']:5.2f}"
        )
    command = f"python benchmarks/islands.py --seconds {options.seconds:g} --jobs {options.jobs} --repeat {options.repeat}"
    save("islands", command, {"target_ratio": TARGET, **rows})


if __name__ == "__main__":
    main()
