"""How much of ten parsers do so many texts reach, that all begin with "a"? Nobody had seen the parsers when the search was made.

python -m benchmarks.texts [--tests 10000] [--draw 1|2] [--only NAME ...] [--without-fuzzer] [--out FILE]

In an interpreter that has the subjects (``subjects.json``) and atheris: a child process for each, which imports them anew. The
branches that count are those of one module, measured in the same way for all: the texts are run again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.texts.subject import subjects

LOGS = ("none", "all")
LONGEST = 600.0
"""Seconds that a fuzzer has for so many tests."""


def child(module: str, *arguments: object) -> str:
    """What it prints."""
    command = [sys.executable, "-m", f"benchmarks.texts.{module}", *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def measured(name: str, texts: list[str]) -> float:
    """See ``measuring``; in percent."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(texts, file)
        file.flush()
        return round(100 * float(child("measuring", name, file.name)), 1)


def fuzzed(name: str, tests: int, seconds: float) -> dict[str, Any]:
    """Of Atheris."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "texts.json")
        child("fuzzing", name, tests, seconds, file)
        made: dict[str, Any] = json.loads(file.read_text())
        return made


def main() -> None:
    """Prints and saves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", type=int, default=10_000)
    parser.add_argument("--draw", type=int, default=0)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--logs", nargs="*", default=LOGS)
    parser.add_argument("--without-fuzzer", action="store_true")
    parser.add_argument("--out", default="")
    chosen = parser.parse_args()
    rows: dict[str, dict[str, Any]] = {}
    for subject in subjects():
        if (chosen.only and subject.name not in chosen.only) or chosen.draw not in (0, subject.draw):
            continue
        row: dict[str, Any] = {"only run": subject.only_run}
        rows[subject.name] = row
        for log in chosen.logs:
            made = json.loads(child("searching", subject.name, chosen.tests, log).splitlines()[-1])
            row |= {log: measured(subject.name, made["texts"]), f"{log} kept": made["kept"]}
            row[f"{log} seconds"], row[f"{log} noting"] = round(made["seconds"], 1), round(made["noting"], 1)
            row[f"{log} noted"] = made["noted"]
        if not chosen.without_fuzzer:
            row["atheris, tests"] = measured(subject.name, fuzzed(subject.name, chosen.tests, LONGEST)["texts"])
            made = fuzzed(subject.name, sys.maxsize, float(row[f"{chosen.logs[-1]} seconds"]))
            row |= {"atheris, seconds": measured(subject.name, made["texts"]), "atheris, its tests": made["tests"]}
        print(subject.name, json.dumps(row), flush=True)
    if chosen.out:
        Path(chosen.out).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
