"""Speed of the search for suites: tests per second, time of a generation by open goals, memory for a module of many branches.

``python -m benchmarks.suite_speed`` prints tables; ``--write`` keeps them in results/suite_speed.md. Seconds are CPU seconds of the
process that runs the tests, so that a busy machine matters little; the search runs as in ``generate``, confined and isolated.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import Failed, Incident, IncidentKind, StartSuite, Suite
from crashwright.core.settings import Budget, EngineSettings, SearchSettings, SuiteSettings
from crashwright.core.suite import ModuleTarget
from crashwright.engine.goals.coverage.goal import Goals
from crashwright.engine.search.suite.mosa import mosa
from crashwright.engine.search.suite.problem import Ran
from crashwright.supervision.engine_process import EngineProcess

MODULES = ("shlex", "textwrap", "difflib")
OPEN_GOALS = (10, 20, 50, 100, 200, 500, 1000, 2000)
GENERATIONS = 5
BRANCHES = 2000
RESULT = Path(__file__).parent / "results" / "suite_speed.md"
SESSION = Path(__file__).resolve().with_name("suite_speed_session.py")


def searched(module: str, budget: Budget, path: tuple[str, ...] = (), seed: int = 1) -> tuple[float, float, int, float, str]:
    """CPU seconds before and in the search, evaluations, peak MiB, coverage."""
    settings = EngineSettings(SearchSettings(algorithm="dynamosa", seed=seed, without=(Mechanism.SURVIVORS,)), budget, path=path)
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    start = StartSuite(settings, ModuleTarget(module))
    found = (0.0, 0.0, 0, 0.0)
    with EngineProcess(sys.executable, start, session=str(SESSION), environment=environment) as process:
        for message in process.messages():
            if isinstance(message, Incident) and message.kind is IncidentKind.NOTED:
                before, seconds, evaluations, peak = message.text.split()
                found = float(before), float(seconds), int(evaluations), float(peak) / 1024
            elif isinstance(message, Failed):
                raise SystemExit(f"{module}: {message.text}")
            elif isinstance(message, Suite):
                branches = next(one for one in message.coverage if one.criterion == "branch")
                return *found, f"{branches.covered}/{branches.total}"
    raise SystemExit(f"{module}: no suite")


class ManyGoals:
    """A problem of which no goal is ever covered; the footprint of a test is a row of distances."""

    def unlocked(self, covered: Goals) -> Goals:  # noqa: ARG002 (the protocol names it)
        return -1

    def distances(self, footprint: Sequence[float], goals: Sequence[int]) -> list[float]:
        return [footprint[goal] for goal in goals]

    def suite_distance(self, footprints: Sequence[Sequence[float]], goals: Goals) -> float:  # noqa: ARG002
        return 1.0

    def secondary(self, one: Sequence[float], other: Sequence[float], goal: int) -> int:  # noqa: ARG002
        return 0


class Numbered:
    """Operators whose tests are numbers that never come again."""

    def __init__(self) -> None:
        self._last = 0

    def sample(self, rng: random.Random) -> int:  # noqa: ARG002
        self._last += 1
        return self._last

    def mutate(self, individual: int, rng: random.Random) -> int:  # noqa: ARG002
        return self.sample(rng)

    def crossover(self, one: int, other: int, rng: random.Random) -> tuple[int, int]:  # noqa: ARG002
        return one, other

    def identity(self, individual: int) -> int:
        return individual


def generation_seconds(goals: int) -> float:
    """Of selection and breeding, without running tests: with distances as runs have them, most of them the same."""
    rng = random.Random(goals)
    search = mosa(ManyGoals(), Numbered(), SuiteSettings(), random.Random(1), lambda: (1 << goals) - 1)

    def run(test: int) -> Ran[int, Sequence[float]]:
        near = {rng.randrange(goals): rng.choice((0.25, 0.5, 0.6, 0.75)) for _ in range(max(3, goals // 10))}
        return Ran(test, [near.get(goal, 1.0) for goal in range(goals)], 0, rng.randrange(20, 200))

    seconds = []
    for _ in range(GENERATIONS):
        began = time.process_time()
        asked = search.ask()
        seconds.append(time.process_time() - began)
        runs = [run(test) for test in asked]
        began = time.process_time()
        search.tell(runs)
        seconds[-1] += time.process_time() - began
    return sorted(seconds)[len(seconds) // 2]


def many_branches(branches: int) -> str:
    """A module with so many branches (two for each ``if``): functions of ten conditions each."""
    lines = []
    for function in range(branches // 20):
        lines += [f"def function_{function}(a: int, b: str) -> int:", "    found = 0"]
        for number in range(10):
            condition = f"a * {number + 2} > {function * 7}" if number % 2 else f'b.startswith("{chr(97 + number)}{function}")'
            lines += [f"    if {condition}:", f"        found += {number + 1}"]
        lines += ["    return found", "", ""]
    return "\n".join(lines)


def tables(modules: Sequence[str], evaluations: int) -> Iterator[str]:
    """The lines of the report, as they are found."""
    yield f"# Speed of suite search ({sys.implementation.name} {sys.version.split()[0]})\n"
    yield "Regenerate with `python -m benchmarks.suite_speed --write`.\n"
    yield f"## Tests per CPU second, all criteria, {evaluations} tests, seed 1\n"
    yield "| module | preparing s | searching s | tests/s | branches |\n|---|--:|--:|--:|--:|"
    for module in modules:
        before, seconds, count, _, branches = searched(module, Budget(None, evaluations))
        yield f"| {module} | {before:.2f} | {seconds:.2f} | {count / seconds:.0f} | {branches} |"
    yield "\n## A generation by open goals (selection and breeding)\n"
    yield "| open goals | ms | us a goal |\n|--:|--:|--:|"
    for goals in OPEN_GOALS:
        seconds = generation_seconds(goals)
        yield f"| {goals} | {seconds * 1e3:.2f} | {seconds / goals * 1e6:.1f} |"
    yield f"\n## Memory: a module of {BRANCHES} branches\n"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "manifold.py").write_text(many_branches(BRANCHES))
        before, seconds, count, peak, branches = searched("manifold", Budget(None, evaluations // 4), (folder,))
    speed = f"{count / seconds:.0f} tests/s, {before:.1f} s to prepare"
    yield f"{peak:.0f} MiB at the end of {count} tests ({speed}; {branches} branches)."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", default=MODULES)
    parser.add_argument("--evaluations", type=int, default=20_000)
    parser.add_argument("--write", action="store_true", help=f"keep the tables in {RESULT.name}")
    arguments = parser.parse_args()
    lines = []
    for line in tables(arguments.modules, arguments.evaluations):
        print(line, flush=True)
        lines.append(line)
    if arguments.write:
        RESULT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
