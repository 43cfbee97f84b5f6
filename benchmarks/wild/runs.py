"""One run: a command on one ware, as a user would start it, and everything that can be seen of it from outside."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.store import Form
from benchmarks.wild.homes import Home
from benchmarks.wild.leftovers import MARK, left_running, snapshot
from benchmarks.wild.wrong_calls import Ware

COMMANDS = ("reproduce", "generate")
HUNG, HUNG_WITHOUT_CLOCK = 90.0, 300.0
"""Seconds after which a command is ended from outside."""
TEST = "test_it.py"
_ERROR_FILE = re.compile(r"\S+/crashwright-error-\w+\.txt")
"""What an internal error leaves on purpose, and names."""
LINES = 30
"""Lines of output that are kept."""


@dataclass(frozen=True, slots=True)
class Key:
    """What makes a run the run it is: a run whose key is in the store is not made again. With ``evaluations`` there is no budget in
    seconds, and no deadline: what a machine that is too busy for one still shows."""

    package: str
    command: str
    budget: float
    seed: int
    commit: str
    evaluations: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A run and what came of it. ``code`` is None where it had to be ended. ``cpu`` are the processor seconds it got, ``start``
    the seconds that starting crashwright and importing the package take by themselves (asked for ``generate`` alone, whose deadline
    they belong to); ``load`` is that of the machine."""

    key: Key
    target: str
    code: int | None
    seconds: float
    cpu: float
    start: float
    load: float
    tests_per_second: float | None
    output: str
    running: tuple[str, ...] = ()
    written: tuple[str, ...] = ()


def _several(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


FORM = Form(Key, Row, {"running": (json.dumps, _several), "written": (json.dumps, _several)})


def rows_of(lines: Iterable[str]) -> Iterator[Row]:
    """As they were kept at first: a JSON line each."""
    for data in map(json.loads, lines):
        row = {"cpu": 0.0, **data, "key": Key(**data["key"])}
        yield Row(**{**row, "running": tuple(row["running"]), "written": tuple(row["written"])})


def latest(rows: Iterable[Row]) -> list[Row]:
    """Of each package and command the row that was made last, whatever program made it."""
    found = {(row.key.package, row.key.command): row for row in rows}
    return list(found.values())


def run(program: str, home: Home, ware: Ware, key: Key, results: Path) -> Row:
    """Make the run of ``key``. What it wrote is kept in ``results``, as a user would find it."""
    folder = results / f"{key.package}-{key.command}"
    shutil.rmtree(folder, ignore_errors=True)
    places = {name: folder / name for name in ("home", "work", "tmp")}
    for place in places.values():
        place.mkdir(parents=True)
    arguments = command_line(key, ware, home, places["work"])
    before = snapshot(*places.values(), home.folder)
    token = uuid.uuid4().hex
    environment = {**os.environ, "HOME": str(places["home"]), "TMPDIR": str(places["tmp"]), MARK: token}
    start = ware.start + _seconds_of([program, "--version"], environment) if key.command == "generate" else 0.0
    load = os.getloadavg()[0]
    used = _processor_seconds()
    patience = HUNG if key.evaluations is None else HUNG_WITHOUT_CLOCK
    code, output, seconds = _watched([program, *arguments], places["work"], environment, patience)
    used = _processor_seconds() - used
    running = left_running(token)
    changes = before.changes(snapshot(*places.values(), home.folder))
    named = _ERROR_FILE.findall(output)
    written = tuple(change for change in changes if not (change in named or _wanted(Path(change), key, places["work"])))
    target = ware.call if key.command == "reproduce" else ware.module
    kept = "\n".join(output.strip().splitlines()[-LINES:])
    figures = (round(seconds, 2), round(used, 2), round(start, 2), round(load, 1), _rate(output))
    return Row(key, target, code, *figures, kept, running, written)


def command_line(key: Key, ware: Ware, home: Home, work: Path) -> list[str]:
    """What follows the program's name."""
    bound = ["--budget", f"{key.budget:g}"] if key.evaluations is None else ["--evaluations", str(key.evaluations)]
    common = ["--python", str(home.python), *bound, "--seed", str(key.seed)]
    if key.command == "generate":
        return ["generate", ware.module, *common, "--output", str(work)]
    report = work / "report.txt"
    report.write_text(ware.report)
    return ["reproduce", str(report), *common, "--no-cache", "--output", str(work / TEST)]


def _wanted(file: Path, key: Key, work: Path) -> bool:
    """What the command was asked to write: one file, or one for each module of a package."""
    return file.parent == work and (file.name == TEST if key.command == "reproduce" else file.match("test_*.py"))


def _processor_seconds() -> float:
    """Of all processes that this one has waited for, and those that they have."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _watched(command: list[str], folder: Path, environment: dict[str, str], patience: float) -> tuple[int | None, str, float]:
    """Exit code, both streams, seconds. In a process group of its own, ended as a whole where it hangs."""
    begin = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=patience)
        code: int | None = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        code = None
    except BaseException:  # the sweep itself is stopped
        os.killpg(process.pid, signal.SIGKILL)
        raise
    return code, output.decode(errors="replace"), time.monotonic() - begin


def _seconds_of(command: list[str], environment: dict[str, str]) -> float:
    begin = time.monotonic()
    subprocess.run(command, env=environment, capture_output=True, check=False)
    return time.monotonic() - begin


def _rate(output: str) -> float | None:
    """Tests a second, as the story tells it or from what it tells."""
    said = re.search(r"([\d,]+)/s\b", output)
    if said is not None:
        return float(said[1].replace(",", ""))
    told = re.search(r"([\d.]+) s\s+([\d,]+) tests", output)
    return round(float(told[2].replace(",", "")) / max(float(told[1]), 0.1), 1) if told is not None else None
