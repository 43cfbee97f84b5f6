"""How many real crashes ``crashwright reproduce`` turns into tests: a table for each crash of a pack.

python benchmarks/reproduction.py --pack FOLDER --venvs FOLDER [--ids ID,ID] [--seeds 1,2,3] [--budget SECONDS] [--evaluations N]
    [--jobs N] [--name NAME]    prints the table and writes benchmarks/results/NAME.json (default: reproduction)

A pack is a folder with a folder for each crash: ``traceback.txt`` and ``crash.json`` (its ``difficulty`` is shown where it is
there). ``VENVS/ID/bin/python`` is the interpreter that can import the crashing package. Levels are those of the command's own
judge, on the printed file in fresh interpreters: 4 is the crash of the report.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from record import save

COMMAND = str(Path(sys.executable).with_name("crashwright"))
PATIENCE = 60.0
"""Seconds beyond the budget after which a command is given up."""


@dataclass(frozen=True, slots=True)
class Run:
    """One command. ``level`` is -1 where it ended without a result."""

    id: str
    seed: int
    level: int
    verdict: str
    seconds: float
    evaluations: int
    furthest: str


def run(folder: Path, python: Path, seed: int, budget: Sequence[str], patience: float | None) -> Run:
    """Reproduce the crash in ``folder`` once."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [COMMAND, "reproduce", str(folder / "traceback.txt"), "--python", str(python), "--seed", str(seed), "--json"]
        command += ["--no-cache", *budget, "--keep-best", "--output", f"{scratch}/test_crash.py"]
        try:
            done = subprocess.run(command, capture_output=True, cwd=scratch, timeout=patience, check=False)
            told = json.loads(done.stdout)
        except (subprocess.TimeoutExpired, json.JSONDecodeError) as error:
            return Run(folder.name, seed, -1, type(error).__name__, 0.0, 0, "")
    if "target" not in told:
        return Run(folder.name, seed, -1, told["verdict"], 0.0, 0, told["error"]["message"])
    level = told["test"]["level"] if told["test"] else 0
    return Run(folder.name, seed, level, told["verdict"], told["timing"]["total"], told["evaluations"], told["furthest"])


def rows(runs: Sequence[Run], pack: Path) -> list[dict[str, object]]:
    """A row for each crash."""
    table: list[dict[str, object]] = []
    for name in dict.fromkeys(one.id for one in runs):
        of_it = [one for one in runs if one.id == name]
        facts = pack / name / "crash.json"
        solved = [one for one in of_it if one.level == 4]
        table.append(
            {
                "id": name,
                "difficulty": json.loads(facts.read_text()).get("difficulty", "") if facts.exists() else "",
                "levels": [one.level for one in of_it],
                "seconds": round(statistics.median(one.seconds for one in solved), 1) if solved else None,
                "evaluations": round(statistics.median(one.evaluations for one in solved)) if solved else None,
                "furthest": "" if solved else max(of_it, key=lambda one: one.level).furthest,
            }
        )
    return table


def main() -> None:
    """Prints and saves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument("--venvs", type=Path, required=True)
    parser.add_argument("--ids", default="")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--budget", type=float)
    parser.add_argument("--evaluations", type=int)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--name", default="reproduction")
    options = parser.parse_args()
    seconds = options.budget if options.budget is not None or options.evaluations is not None else 60.0
    budget = [] if seconds is None else ["--budget", f"{seconds:g}"]
    budget += [] if options.evaluations is None else ["--evaluations", str(options.evaluations)]
    wanted = set(filter(None, options.ids.split(",")))
    folders = sorted(path.parent for path in options.pack.glob("*/traceback.txt") if not wanted or path.parent.name in wanted)
    work = [(folder, int(seed)) for folder in folders for seed in options.seeds.split(",")]
    runs: list[Run] = []

    def one(job: tuple[Path, int]) -> Run:
        folder, seed = job
        patience = None if seconds is None else seconds + PATIENCE
        return run(folder, options.venvs / folder.name / "bin" / "python", seed, budget, patience)

    with ThreadPoolExecutor(options.jobs) as pool:
        for done in pool.map(one, work):
            runs.append(done)
            spent = f"{done.seconds:6.1f} s {done.evaluations:8} tests"
            print(f"{done.id:40} seed {done.seed}  level {done.level:2}  {spent}  {done.furthest}")
            sys.stdout.flush()
    total = max(1, len(runs))
    figures = {
        "seeds": options.seeds,
        "budget_seconds": seconds,
        "evaluations": options.evaluations,
        "runs": len(runs),
        "level_4": round(sum(one.level == 4 for one in runs) / total, 3),
        "level_1_or_more": round(sum(one.level >= 1 for one in runs) / total, 3),
        "crashes": rows(runs, options.pack),
        "every_run": [asdict(one) for one in runs],
    }
    print(f"level 4: {figures['level_4']:.1%} of {len(runs)} runs; level 1 or more: {figures['level_1_or_more']:.1%}")
    save(
        options.name,
        f"python benchmarks/reproduction.py --pack PACK --venvs VENVS --seeds {options.seeds} {' '.join(budget)}",
        figures,
    )


if __name__ == "__main__":
    main()
