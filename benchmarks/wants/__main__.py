"""Types hidden from annotated packages, and how many of them the reading finds again.

python -m benchmarks.wants --installed FOLDER --work FOLDER [--python PYTHON] [--half open|closed|both] [--only A,B] [--json FILE]
    takes the packages of the draw that are installed in FOLDER (a site-packages), strips their annotations into the work folder,
    and prints for parameters and attributes how often the annotated type is the first, or among the first three, of those inferred:
    by what the factory knew before wants (PYTHON imports it), and by the reading. Packages of the closed half are to be run only:
    nothing is printed of them but counts.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.wants.packages import drawn
from benchmarks.wants.stripping import strip_package
from benchmarks.wants.truth import Judge, declared, heads, places, read
from crashwright.engine.wants.reading.demand import Demands
from crashwright.engine.wants.reading.evidence import Evidences

_FIRST = 3


@dataclass
class Score:
    """Of ``asked`` types ``first`` were the first guess, ``three`` among the first three."""

    asked: int = 0
    first: int = 0
    three: int = 0

    def note(self, right: Sequence[bool]) -> None:
        """One place, and which of its guesses are right."""
        self.asked += 1
        self.first += bool(right[:1]) and right[0]
        self.three += any(right[:_FIRST])

    def __str__(self) -> str:
        if not self.asked:
            return "none"
        return f"{self.three}/{self.asked} = {100 * self.three / self.asked:.1f} % (first {100 * self.first / self.asked:.1f} %)"


@dataclass
class Row:
    """A package. ``before`` and ``same`` are of the parameters that both could see."""

    name: str
    lines: int
    seconds: float
    before: Score
    same: Score
    parameters: Score
    attributes: Score


def measure(name: str, installed: Path, work: Path, python: str, misses: bool) -> Row:
    """One package."""
    source = installed / name if (installed / name).is_dir() else installed / f"{name}.py"
    scratch = work / name
    if not scratch.exists():
        strip_package(source, scratch)
    wanted = declared(read(installed, name))
    began = time.process_time()
    package = read(scratch, name)
    demands = Demands(Evidences(package, is_live=False))
    judge = Judge(package)
    before = earlier(name, scratch, python)
    row = Row(name, 0, 0.0, Score(), Score(), Score(), Score())
    for kind, place, value in places(package):
        truth = wanted.get(place)
        if truth is None:
            continue
        called = place.rpartition(":" if kind == "parameter" else ".")[2]
        guesses = list(dict.fromkeys(one for found in demands.types(value, called) for one in heads(found.hint)))
        right = [judge.is_right(guess, truth) for guess in guesses[:_FIRST]]
        (row.parameters if kind == "parameter" else row.attributes).note(right)
        if misses and not any(right):
            print(f"{place}: wanted {' | '.join(truth)}, inferred {guesses[:5]}")
        if place in before:
            row.same.note(right)
            row.before.note([judge.is_right(guess, truth) for guess in before[place][:_FIRST]])
    row.seconds = time.process_time() - began
    row.lines = sum(Path(module.path).read_text().count("\n") for module in package.modules.values())
    return row


def earlier(name: str, scratch: Path, python: str) -> Mapping[str, list[str]]:
    """What was known before wants; remembered beside the stripped package."""
    kept = scratch.with_suffix(".before.json")
    if not kept.exists():
        root = Path(__file__).parents[2]
        path = os.pathsep.join(map(str, (scratch, root / "src", root)))
        run = subprocess.run(
            [python, "-m", "benchmarks.wants.today", name],
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode:
            print(f"{name} cannot be compared: {run.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
            return {}
        kept.write_text(run.stdout.strip().splitlines()[-1])
    found: dict[str, list[str]] = json.loads(kept.read_text())
    return found


def total(rows: Sequence[Row], part: str) -> Score:
    """Of all packages."""
    whole = Score()
    for row in rows:
        one: Score = getattr(row, part)
        whole = Score(whole.asked + one.asked, whole.first + one.first, whole.three + one.three)
    return whole


def mean(rows: Sequence[Row], part: str) -> float:
    """The share of those among the first three, each package counted once."""
    scores: list[Score] = [getattr(row, part) for row in rows]
    shares = [100 * one.three / one.asked for one in scores if one.asked]
    return sum(shares) / len(shares) if shares else 0.0


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wants", description=__doc__)
    parser.add_argument("--installed", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--half", choices=("open", "closed", "both"), default="both")
    parser.add_argument("--only", default="")
    parser.add_argument("--misses", action="store_true", help="print what was not found, of packages that may be opened")
    parser.add_argument("--again", action="store_true", help="strip the packages again")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    halves = dict(zip(("open", "closed"), drawn(), strict=True))
    if options.again:
        shutil.rmtree(options.work, ignore_errors=True)
    kept: list[dict[str, object]] = []
    for half in halves if options.half == "both" else (options.half,):
        names = [one for one in halves[half] if not options.only or one in options.only.split(",")]
        rows = [measure(one, options.installed, options.work, options.python, options.misses and half == "open") for one in names]
        for row in rows if half == "open" else ():
            print(f"{row.name}: {row.lines} lines, {row.seconds:.2f} s; before {row.before}; same {row.same};")
            print(f"    parameters {row.parameters}; attributes {row.attributes}")
        for part in ("before", "same", "parameters", "attributes"):
            print(f"{half}: {part:<10} {total(rows, part)}, mean of packages {mean(rows, part):.1f} %")
        kept += [{"half": half, **asdict(row)} for row in rows]
    if options.json is not None:
        options.json.write_text(json.dumps(kept, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
