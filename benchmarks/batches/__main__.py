"""`crashwright batch` over a pack of crashes, each in an environment of its own, killed on the way, beside `reproduce` one by one.

python -m benchmarks.batches folder --pack FOLDER --venvs FOLDER --work FOLDER [--judge verify.py] [...]    one mixed folder
python -m benchmarks.batches log    --pack FOLDER --venvs FOLDER --work FOLDER [...]                        one log file
python -m benchmarks.batches alone  --pack FOLDER --venvs FOLDER --work FOLDER [...]                        one by one

Each writes its part of benchmarks/results/batches.json, and batches.md of all that is there. VENVS/CRASH/bin/python imports what
crashes. The batch is killed with -9 --kills times, with crashes under way, and run again by the same command; then it is checked
that every crash has one answer, the one that was told when it came, that no answer was worked out twice, that no test is missing or
nobody's, and that no process is left. Exits with 1 where that is not so. The judge is a script that scores a test from 0 to 4, as
``verify.py CRASH TEST --python EXE``. Needs the extra ``experiments``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.batches.killed import faults, run_killed
from benchmarks.batches.prepared import Form, prepared
from benchmarks.batches.report import BY_TESTS, report
from benchmarks.comparison.crashes import Crash, find_crashes
from benchmarks.comparison.provenance import commit
from benchmarks.record import RESULTS, save

ALONE = "alone"
_PROGRAM = (sys.executable, "-m", "crashwright")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.batches", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=(*Form, ALONE))
    parser.add_argument("--pack", type=Path, required=True, help="a folder with a folder for each crash")
    parser.add_argument("--venvs", type=Path, required=True, help="VENVS/CRASH/bin/python can import what crashes")
    parser.add_argument("--work", type=Path, required=True, help="a folder that is there neither before nor needed after")
    parser.add_argument("--judge", type=Path, help="scores tests, besides crashwright itself")
    parser.add_argument("--crashes", default="", help="names with commas [default: all]")
    parser.add_argument("--each", type=float, default=10.0, help="seconds for each crash")
    parser.add_argument("--evaluations", type=int, help="tests for each crash, and no clock: then all parts have to be the same")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Run one part, and report."""
    options = parse(arguments)
    crashes = find_crashes(options.pack, options.venvs, tuple(filter(None, options.crashes.split(","))))
    folder = options.work.absolute()
    folder.mkdir(parents=True)
    begin = time.monotonic()
    part = _alone(crashes, folder, options) if options.part == ALONE else _batch(crashes, folder, options)
    part |= {"seconds": round(time.monotonic() - begin, 1), "commit": commit(), "load": round(os.getloadavg()[0], 1)}
    part |= {"each": options.each, "evaluations": options.evaluations, "jobs": options.jobs, "seed": options.seed}
    _judge(part["answers"], crashes, folder, options)
    _keep(
        f"{options.part}{BY_TESTS}" if options.evaluations else options.part,
        part,
        {one.name: json.loads((one.folder / "crash.json").read_text()).get("set", "") for one in crashes},
    )
    for fault in part.get("faults", ()):
        print("WRONG:", fault)
    return 1 if part.get("faults") else 0


def _batch(crashes: Sequence[Crash], folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    ready = prepared(Form(options.part), crashes, folder)
    words = ["batch", str(ready.reports), "--environments", str(ready.table), *_bound("--each", options)]
    words += ["--jobs", str(options.jobs), "--seed", str(options.seed), "--output", str(folder / "tests"), "--json"]
    kills = [len(crashes) * number // (options.kills + 1) for number in range(1, options.kills + 1)]
    runs, document = run_killed([*_PROGRAM, *words], folder, kills)
    names = {key: name for name, key in ready.fingerprints.items()}
    answers = {
        names.get(one["fingerprint"], one["fingerprint"]): {
            "verdict": one["verdict"],
            "file": one["file"] and str(folder / "tests" / one["file"]),
            "reason": one["reason"],
        }
        for one in document["crashes"]
    }
    return {
        "answers": answers,
        "exit_code": document["exit_code"],
        "runs": [{"begun": run.begun, "answered": len(run.answered), "killed": run.killed} for run in runs],
        "faults": faults(runs, document, ready.fingerprints, folder / "tests", options.jobs),
    }


def _bound(seconds: str, options: argparse.Namespace) -> list[str]:
    return ["--evaluations", str(options.evaluations)] if options.evaluations else [seconds, f"{options.each:g}"]


def _alone(crashes: Sequence[Crash], folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    def one(crash: Crash) -> tuple[str, dict[str, Any]]:
        here = folder / crash.name
        here.mkdir()
        words = ["reproduce", str(crash.folder / "traceback.txt"), "--python", str(crash.python.absolute())]
        words += [*_bound("--budget", options), "--seed", str(options.seed), "--output", str(here / "test_crash.py"), "--json"]
        done = subprocess.run([*_PROGRAM, *words], cwd=here, capture_output=True, text=True, check=False)
        document = json.loads(done.stdout)
        file = here / "test_crash.py"
        print(f"{document['verdict']:<15} {crash.name}", flush=True)
        return crash.name, {
            "verdict": document["verdict"],
            "file": str(file) if file.exists() else "",
            "reason": (document.get("error") or {}).get("message", ""),
        }

    with ThreadPoolExecutor(options.jobs) as pool:
        return {"answers": dict(pool.map(one, crashes))}


def _judge(answers: dict[str, Any], crashes: Sequence[Crash], folder: Path, options: argparse.Namespace) -> None:
    """Add the score of each test, and forget where it lies."""
    python = {one.name: one for one in crashes}
    for name, answer in answers.items():
        file = answer.pop("file")
        if options.judge is not None and name in python:
            crash = python[name]
            command = [sys.executable, str(options.judge), str(crash.folder), file, "--python", str(crash.python.absolute())]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False) if file else None
            answer["score"] = json.loads(done.stdout)["score"] if done is not None and done.stdout else 0


def _keep(name: str, part: dict[str, Any], sets: dict[str, str]) -> None:
    file = RESULTS / "batches.json"
    figures = json.loads(file.read_text())["figures"] if file.exists() else {}
    figures["sets"] = sets if len(sets) >= len(figures.get("sets", ())) else figures["sets"]
    figures[name] = part
    save("batches", "python -m benchmarks.batches folder|log|alone --pack PACK --venvs VENVS --work FOLDER --judge JUDGE", figures)
    file.with_suffix(".md").write_text("".join(f"{line}\n" for line in _lines(json.loads(file.read_text()))))


def _lines(document: dict[str, Any]) -> Iterator[str]:
    yield from report(document["figures"], document["date"], document["machine"], document["python"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
