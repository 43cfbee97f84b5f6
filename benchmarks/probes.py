"""Probes in C beside their twin in Python: what one costs, what they add to a module, tests per second of crash and suite searches.

``python -m benchmarks.probes [--repeat N]`` prints the tables and writes them to results/probes.md. Both twins take turns in one
run, so that what else the machine does befalls both. Seconds are CPU seconds; figures are medians over the repeats.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import instrumentation
from benchmarks.record import machine
from benchmarks.suite_speed import searched
from crashwright.core.settings import Budget
from crashwright.engine.instrument.compiled import CHOICE, PYTHON, CompiledProbes, choice
from crashwright.engine.instrument.interface import Probes
from crashwright.engine.instrument.layout import ProbeLayout
from crashwright.engine.instrument.python_probes import PythonProbes

HERE = Path(__file__).resolve().parent
RESULT = HERE / "results" / "probes.md"
TWINS = {"in Python": PYTHON, "compiled": ""}
SUBJECTS = ("trivial", "shlex", "textwrap", "difflib")
MODULES = ("shlex", "textwrap", "difflib")
CRASH_TESTS, SUITE_TESTS = 10_000, 2_000
CALLS = 100_000
OPERANDS: dict[str, tuple[str, tuple[object, ...]]] = {
    "int < int": ("lt", (3, True, 3, 9, None)),
    "int == int": ("eq", (3, False, 3, 9, None)),
    "str == str": ("eq", (3, False, "abc", "abd", None)),
    "float < float": ("lt", (3, True, 3.5, 9.0, None)),
    "str in tuple": ("in_", (3, False, "x", ("a", "b", "c"), None)),
    "truth of a list": ("truth", (3, True, [1, 2], None)),
    "isinstance": ("isinstance_", (3, False, 3, str, None)),
    "startswith": ("startswith", (3, False, "hello", "ab", None)),
}


def one_probe() -> Iterator[tuple[str, float, float]]:
    """Nanoseconds of each probe, called from Python, with either twin."""
    layouts = [ProbeLayout(0, 3, 2, ())]
    module = choice().module
    if module is None:
        raise SystemExit("the compiled probes are not there: python scripts/build_probes.py")
    twins: tuple[Probes, Probes] = (PythonProbes(layouts, 2000), CompiledProbes(layouts, 2000, module))
    for label, (name, arguments) in OPERANDS.items():
        first, second = (min(_nanoseconds(getattr(twin, name), arguments) for _ in range(5)) for twin in twins)
        yield label, first, second


def _nanoseconds(probe: Callable[..., object], arguments: tuple[object, ...]) -> float:
    state = [1, 0, 0, *(float("inf"), float("inf"), 0) * 2]
    began = time.process_time()
    for _ in range(CALLS):
        probe(state, *arguments)
    return (time.process_time() - began) / CALLS * 1e9


def overhead() -> dict[str, float]:
    """CPU time of each module with probes at all predicates, relative to the plain code."""
    return {name: row["all"] for name, row in instrumentation.measure(11).items()}


def crash_speed(subject: str, seed: int) -> float:
    """Tests per CPU second of a crash search, in a process of its own."""
    command = [sys.executable, str(HERE / "engine_throughput.py"), "--one", subject]
    command += ["--evaluations", str(CRASH_TESTS), "--seed", str(seed)]
    return float(json.loads(subprocess.run(command, check=True, capture_output=True).stdout)[0])


def suite_speed(module: str, seed: int) -> float:
    """Tests per CPU second of a search for a suite, all criteria."""
    _, seconds, evaluations, _, _ = searched(module, Budget(None, SUITE_TESTS), seed=seed)
    return evaluations / seconds


def part(name: str, seed: int) -> dict[str, float]:
    """One part, with the probes that the environment asks for."""
    if name == "overhead":
        return overhead()
    speed, subjects = (crash_speed, SUBJECTS) if name == "crash" else (suite_speed, MODULES)
    return {subject: speed(subject, seed) for subject in subjects}


def paired(name: str, repeat: int) -> dict[str, dict[str, float]]:
    """By subject and twin: the median over the repeats."""
    found: dict[str, dict[str, list[float]]] = {}
    for seed in range(1, repeat + 1):
        for twin, chosen in TWINS.items():
            command = [sys.executable, "-m", "benchmarks.probes", "--part", name, "--seed", str(seed)]
            done = subprocess.run(command, check=True, capture_output=True, env={**os.environ, CHOICE: chosen})
            for subject, figure in json.loads(done.stdout.splitlines()[-1]).items():
                found.setdefault(subject, {}).setdefault(twin, []).append(figure)
    return {subject: {twin: statistics.median(figures) for twin, figures in row.items()} for subject, row in found.items()}


def tables(repeat: int) -> Iterator[str]:
    """The lines of the report, as they are found."""
    yield "# Probes in C beside those in Python\n"
    yield f"`python -m benchmarks.probes --repeat {repeat}`; Python {sys.version.split()[0]}; {machine()}.\n"
    yield "## One probe, called from Python\n\n| | in Python, ns | compiled, ns |\n|---|--:|--:|"
    for label, first, second in one_probe():
        yield f"| `{label}` | {first:.0f} | {second:.0f} |"
    parts = (
        ("overhead", "CPU time of a module with probes at all predicates, relative to plain code", ".2f"),
        ("crash", f"Tests per CPU second, crash search, {CRASH_TESTS} tests", ".0f"),
        ("suite", f"Tests per CPU second, suite search, all criteria, {SUITE_TESTS} tests", ".0f"),
    )
    for name, title, form in parts:
        yield f"\n## {title}\n\n| | {' | '.join(TWINS)} |\n|---|--:|--:|"
        for subject, row in paired(name, repeat).items():
            yield f"| {subject} | {' | '.join(format(row[twin], form) for twin in TWINS)} |"


def main() -> None:
    """Print and write, or measure one part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--part", choices=("overhead", "crash", "suite"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.part:
        print(json.dumps(part(options.part, options.seed)))
        return
    lines = []
    for line in tables(options.repeat):
        print(line, flush=True)
        lines.append(line)
    RESULT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
