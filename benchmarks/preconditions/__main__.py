"""Preconditions of the crashes of a pack, resumable.

python -m benchmarks.preconditions --pack FOLDER --venvs FOLDER [--tests FOLDER]... [--configurations all,none] [--seconds N]
                                   [--counted] [--frame N] [--crashes A,B] [--sample N] [--seed N] [--again]
                                   [--time-limit MINUTES] [--name NAME]
    walks back from each crash, for so long, with all that makes the walk shorter or without some of it; then runs the test that
    reproduces it (FOLDER/ID/test_*.py or FOLDER/ID-*.py, the first folder that has one) in the crash's interpreter, and looks
    whether the preconditions hold where it enters the frames. Writes benchmarks/results/NAME.{md,json}. Started again, it
    goes on where it was stopped; another state of the program makes its own rows.
python -m benchmarks.preconditions --report-only ...
    makes the report again from the rows.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.comparison.crashes import Aims, Crash, find_crashes
from benchmarks.comparison.provenance import commit
from benchmarks.preconditions.report import report, save
from benchmarks.preconditions.runs import CONFIGURATIONS, FORM, Key, Row, run
from benchmarks.store import Store
from crashwright.core.errors import CrashwrightError
from crashwright.environment.interpreter import inspect_interpreter


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.preconditions", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pack", type=Path, required=True, help="the folder of the crashes")
    parser.add_argument("--venvs", type=Path, required=True, help="a virtual environment for each, by its name")
    parser.add_argument("--tests", type=Path, action="append", default=[], help="tests that reproduce them; may be repeated")
    parser.add_argument("--configurations", default="all", help=f"with commas, of {', '.join(CONFIGURATIONS)} [default: all]")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each walk [default: %(default)s]")
    parser.add_argument("--frame", type=int, help="no further out than this one, from the crash: 1 for the crash functions alone")
    parser.add_argument("--counted", action="store_true", help="walks end by counts, whatever else the machine does")
    parser.add_argument("--crashes", default="", help="names with commas: these, and no others")
    parser.add_argument("--sample", type=int, help="so many of them, drawn by the seed")
    parser.add_argument("--seed", type=int, default=1, help="of the sample [default: %(default)s]")
    parser.add_argument("--name", default="preconditions", help="of the report's files [default: %(default)s]")
    parser.add_argument("--again", action="store_true", help="also make those runs again that this program has made")
    parser.add_argument("--time-limit", type=float, default=float("inf"), help="minutes for this invocation")
    parser.add_argument("--rows", type=Path, default=Path("preconditions.sqlite"), help="the file of the rows")
    parser.add_argument("--output", type=Path, default=Path(__file__).parents[1] / "results", help="the folder of the report")
    parser.add_argument("--note", default="", help="a sentence for the head of the report: what the machine did besides")
    parser.add_argument("--commit", help="call the program this [default: from git]")
    parser.add_argument("--report-only", action="store_true")
    return parser.parse_args(arguments)


def test_of(crash: str, folders: Sequence[Path]) -> Path | None:
    """The test that reproduces a crash."""
    found = (file for folder in folders for file in [*sorted(folder.glob(f"{crash}/test_*.py")), *_beside(folder, crash)])
    return next(found, None)


def _beside(folder: Path, crash: str) -> list[Path]:
    """Where names are numbered: ``ID-1-test_crash.py``, which is not that of ``ID-other``."""
    return sorted(file for file in folder.glob(f"{crash}-*.py") if file.stem[len(crash) + 1 :].partition("-")[0].isdigit())


def run_all(options: argparse.Namespace, store: Store[Key, Row], program: str) -> None:
    """The runs that are missing, as many as there is time for."""
    until = time.monotonic() + 60 * options.time_limit
    aims = Aims()
    for key, crash in _wanted(options, program):
        if time.monotonic() >= until:
            return
        if store.get(key) is not None and not options.again:
            continue
        try:
            group = json.loads((crash.folder / "crash.json").read_text())["set"]
            version = inspect_interpreter(str(crash.python)).version[:2]
            row = run(key, aims.aim(crash, options.frame), group, version, test_of(crash.name, options.tests))
        except CrashwrightError as error:
            say(f"{crash.name:44} {error.message}")
            continue
        store.add(row)
        say(told(row))


def _wanted(options: argparse.Namespace, program: str) -> Iterator[tuple[Key, Crash]]:
    crashes = find_crashes(options.pack, options.venvs, {name for name in options.crashes.split(",") if name})
    configurations = options.configurations.split(",")
    if unknown := set(configurations) - set(CONFIGURATIONS):
        raise SystemExit(f"no configurations {sorted(unknown)}: {', '.join(CONFIGURATIONS)}")
    if options.sample is not None:
        crashes = random.Random(options.seed).sample(crashes, options.sample)
    for crash in crashes:
        for configuration in configurations:
            yield Key(crash.name, configuration, options.seconds, program, "counts" if options.counted else "seconds"), crash


def told(row: Row) -> str:
    """A row as a line of progress."""
    levels = "  ".join(
        f"{level}: {one.ways} at {one.first:.1f} s {one.stands} / {one.certain}" for level, one in row.levels.items()
    )
    return f"{row.key.crash:44} {row.group} {row.wall:5.1f} s  {len(row.levels)}/{row.frames}  {levels}  {row.probed} {row.ended}"


def say(text: str) -> None:
    """At once, also into a file."""
    print(text.rstrip(), flush=True)


def main(arguments: Sequence[str]) -> int:
    """Make the runs that time allows, and report."""
    options = parse(arguments)
    store = Store(options.rows, FORM)
    program: str = options.commit or commit()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if not options.report_only:
            run_all(options, store, program)
    except KeyboardInterrupt:
        say("stopped: the same command goes on")
    rows = store.rows(commit=program)
    if not rows:
        say("there are no rows of this program")
        return 1
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / f"{options.name}.md").write_text(report(rows, options.note))
    save(options.output / f"{options.name}.json", rows)
    say(f"wrote {options.output / options.name}.md")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
