"""What packages' own tests pass, beside what the reading wants of it: keys, names that objects have, lengths.

python -m benchmarks.wants.shapes --sources FOLDER --python PYTHON --work FOLDER [--seconds N] [--open A,B] [--json FILE]
    FOLDER has one unpacked source distribution of each package, with its tests; PYTHON (3.12 or newer, or it is slow) is an
    interpreter with what these need. Each suite is run once, for at most N seconds, with a plugin that records arguments. Then,
    over all parameters that were seen: how many of the keys that dicts had are wanted (recall), and how many of those that are
    wanted were there (precision); how many of the attributes that are wanted of objects these have; how many of the lists and
    tuples that are taken apart place by place were long enough. Only of packages that are ``open`` a line each is printed.
python -m benchmarks.wants.shapes --draw
    prints the list in ``shapes.txt`` in the order that the seed gives it. The first ten whose source distributions have tests and
    the package itself are taken: five may be opened, five are only run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from crashwright.engine.wants.reading.package import files_of
from crashwright.engine.wants.want import Want
from crashwright.engine.wants.wanted import Wanted

LIST, SEED = Path(__file__).with_name("shapes.txt"), 61
GRACE = 60.0
"""Seconds beyond the limit for a suite to begin, and to come to its end."""
_PLAIN = ("-o", "addopts=", "-o", "filterwarnings=", "-W", "ignore")
"""Without options that ask for plugins which nobody else has."""
DEEPEST = 3
"""How many keys within each other are compared: as many as are recorded."""


@dataclass
class Counts:
    """``seen`` are keys that dicts had, ``wanted`` those that are wanted of them, ``both`` those in both; ``asked`` the attributes
    wanted of objects, ``had`` those that they have; ``placed`` sequences that are taken apart, ``fitting`` those long enough."""

    parameters: int = 0
    seen: int = 0
    wanted: int = 0
    both: int = 0
    asked: int = 0
    had: int = 0
    placed: int = 0
    fitting: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(**{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)})

    def __str__(self) -> str:
        parts = [
            f"{self.parameters} parameters",
            f"keys: recall {_share(self.both, self.seen)}, precision {_share(self.both, self.wanted)}",
            f"attributes: precision {_share(self.had, self.asked)}",
            f"lengths: {_share(self.fitting, self.placed)}",
        ]
        return "; ".join(parts)


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} = {100 * part / whole:.1f} %" if whole else "none"


def recorded(folder: Path, package: Path, python: str, kept: Path, seconds: float) -> Mapping[str, Any]:
    """What the tests in ``folder`` pass to the functions of ``package``; remembered."""
    if not kept.exists():
        root = Path(__file__).parents[2]
        path = os.pathsep.join(map(str, (package.parent, root)))
        command = [
            python,
            "-m",
            "pytest",
            "-q",
            "-x",
            "--maxfail=1000",
            "-p",
            "benchmarks.wants.recorder",
            "-p",
            "no:cacheprovider",
            *_PLAIN,
        ]
        environment = {**os.environ, "PYTHONPATH": path, "CRASHWRIGHT_RECORD": str(kept), "CRASHWRIGHT_FOLDER": str(package)}
        environment["CRASHWRIGHT_SECONDS"] = str(seconds)
        try:
            subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=seconds + GRACE, check=False)
        except subprocess.TimeoutExpired:
            print(f"{package.name}: its tests take longer than {seconds:g} s", file=sys.stderr)
    found: Mapping[str, Any] = json.loads(kept.read_text()) if kept.exists() else {}
    return found


def compared(package: Path, seen: Mapping[str, Any]) -> Counts:
    """All parameters that were seen."""
    wanted = Wanted(files_of(str(package), package.name), is_live=False)
    total = Counts()
    for place, one in seen.items():
        file, qualname, name = place.split(":")
        parts = [package.name, *Path(file).with_suffix("").parts]
        module = ".".join(part for part in parts if part != "__init__")
        if name not in wanted.names(module, qualname):
            continue  # a receiver, or a function that another one makes
        total = total + _one(wanted.parameter(module, qualname, name), one)
    return total


def _one(want: Want, seen: Mapping[str, Any]) -> Counts:
    counts = Counts(parameters=1)
    keys, asked = set(seen["keys"]), set(_keys(want, "", 0))
    if keys:
        counts.seen, counts.wanted, counts.both = len(keys), len(asked), len(keys & asked)
    attributes = {name for name, _ in want.attributes}
    for names in seen["names"].values():
        counts.asked += len(attributes)
        counts.had += len(attributes & set(names))
    places = [key for key, _ in want.keys if type(key) is int and key >= 0]
    if places and seen["lengths"]:
        counts.placed = len(seen["lengths"])
        counts.fitting = sum(length > max(places) for length in seen["lengths"])
    return counts


def _keys(want: Want, before: str, depth: int) -> Iterator[str]:
    if depth >= DEEPEST:
        return
    for key, part in want.keys:
        if type(key) is str:
            yield f"{before}{key}"
            yield from _keys(part, f"{before}{key}.", depth + 1)
    if want.items is not None:
        yield from _keys(want.items, f"{before}[].", depth + 1)


def shuffled(listed: Path, seed: int = SEED) -> list[str]:
    """All names of a list, in the order in which they are looked at."""
    names = [line.strip() for line in listed.read_text().splitlines() if line.strip() and not line.startswith("#")]
    return random.Random(seed).sample(names, len(names))


def package_in(folder: Path, name: str) -> Path | None:
    """Where a source distribution has its package."""
    return next((one for one in (folder / "src" / name, folder / name, folder / "lib" / name) if one.is_dir()), None)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wants.shapes", description=__doc__)
    parser.add_argument("--draw", action="store_true")
    parser.add_argument("--sources", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--open", default="")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    if options.draw:
        print("\n".join(shuffled(LIST)))
        return 0
    if options.sources is None or options.work is None:
        parser.error("--sources and --work are needed")
    options.work.mkdir(parents=True, exist_ok=True)
    totals = {"open": Counts(), "closed": Counts()}
    number = {"open": 0, "closed": 0}
    for folder in sorted(one.resolve() for one in options.sources.iterdir() if one.is_dir()):
        name = folder.name.rpartition("-")[0].replace("-", "_").lower()
        package = package_in(folder, name)
        seen = {} if package is None else recorded(folder, package, options.python, options.work / f"{name}.json", options.seconds)
        if package is None or not seen:
            print(f"{name}: nothing was recorded", file=sys.stderr)
            continue
        counts = compared(package, seen)
        half = "open" if name in options.open.split(",") else "closed"
        totals[half], number[half] = totals[half] + counts, number[half] + 1
        if half == "open":
            print(f"{name}: {counts}")
    for half, counts in totals.items():
        print(f"{half}, {number[half]} packages: {counts}")
    if options.json is not None:
        options.json.write_text(json.dumps({half: vars(counts) for half, counts in totals.items()}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
