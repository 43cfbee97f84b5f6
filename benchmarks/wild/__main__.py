"""The wild sweep, resumable: both commands on published packages that nobody prepared.

python -m benchmarks.wild --work FOLDER [--packages N] [--seed N] [--budget SECONDS | --evaluations N]
                         [--only A,B] [--again] [--new] [--time-limit MINUTES]
    draws packages from packages.txt by seed and installs each into a virtual environment of its own below FOLDER; makes a report by
    one wrong call into a public function (of a module that is drawn), and lets ``crashwright reproduce`` work on it; lets
    ``crashwright generate`` work on another module. Each run is watched from outside. Writes benchmarks/results/wild.{md,json}.
    Started again, it goes on where it was stopped or killed; another state of the program makes its own rows.
python -m benchmarks.wild --report-only --work FOLDER
    makes the report again from the rows.

The program is the crashwright of the interpreter that runs this. Needs pip, a network for it, and Linux. Runs go one by one.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.comparison.provenance import commit
from benchmarks.store import Store
from benchmarks.wild.homes import failed, settle
from benchmarks.wild.judging import complaints, outcome
from benchmarks.wild.packages import drawn
from benchmarks.wild.report import Sweep, report, save
from benchmarks.wild.runs import COMMANDS, FORM, Key, Row, latest, rows_of, run
from benchmarks.wild.wrong_calls import prepared


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.wild", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, required=True, help="the folder of the environments, reports, rows and tests")
    parser.add_argument("--packages", type=int, default=150, help="how many, of those that install [default: %(default)s]")
    parser.add_argument("--seed", type=int, default=1, help="draws packages, modules and calls [default: %(default)s]")
    parser.add_argument("--budget", type=float, default=5.0, help="seconds for each command [default: %(default)s]")
    parser.add_argument("--evaluations", type=int, help="tests for each command instead, without a deadline: on a busy machine")
    parser.add_argument("--only", default="", help="names with commas: these packages, and no others")
    parser.add_argument("--again", action="store_true", help="also make those runs again that this program has made")
    parser.add_argument("--new", action="store_true", help="leave out what any state of the program has run before")
    parser.add_argument("--time-limit", type=float, default=float("inf"), help="minutes for this invocation")
    parser.add_argument("--output", type=Path, default=Path(__file__).parents[1] / "results", help="the folder of the report")
    parser.add_argument("--note", default="", help="a sentence for the head of the report: what the machine did besides")
    parser.add_argument("--commit", help="call the program this [default: from git]")
    parser.add_argument("--report-only", action="store_true")
    return parser.parse_args(arguments)


class Campaign:
    """The runs that are missing, package by package."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._work: Path = options.work.resolve()
        self._program: str = options.commit or commit()
        self._deadline = time.monotonic() + 60 * options.time_limit
        self.store = kept(self._work)
        self.problems: dict[str, str] = {}

    def run(self) -> None:
        """All of them, or as many as there is time for."""
        living = 0
        only = {name for name in self._options.only.split(",") if name}
        for package in drawn(self._options.seed):
            if living >= self._options.packages or time.monotonic() >= self._deadline:
                return
            if only and package not in only:
                continue
            home, problem = settle(package, self._work)
            ware = None if problem else prepared(home, self._options.seed)
            problem = problem or (ware.problem if ware is not None and not ware.module else "")
            if problem or ware is None:
                self.problems[package] = problem
                say(f"{package:26} {problem}")
                continue
            living += 1
            for command in COMMANDS:
                if command == "reproduce" and not ware.report:
                    continue
                key = self._key(package, command)
                if self._missing(key):
                    row = run(self.program, home, ware, key, self._work / "written")
                    self.store.add(row)
                    say(told(row))

    def _key(self, package: str, command: str) -> Key:
        options = self._options
        budget = options.budget if options.evaluations is None else 0.0
        return Key(package, command, budget, options.seed, self._program, options.evaluations)

    def _missing(self, key: Key) -> bool:
        if self._options.new:
            return not self.store.rows(package=key.package, command=key.command)
        return self._options.again or self.store.get(key) is None

    @property
    def program(self) -> str:
        """The command under test, beside the interpreter that runs this."""
        return str(Path(sys.executable).with_name("crashwright"))

    def recall(self) -> None:
        """Which packages were passed over by earlier invocations."""
        for package in drawn(self._options.seed):
            if (self._work / package / f"ware-{self._options.seed}.json").exists() or failed(package, self._work):
                home, problem = settle(package, self._work)
                ware = None if problem else prepared(home, self._options.seed)
                problem = problem or (ware.problem if ware is not None and not ware.module else "")
                if problem:
                    self.problems[package] = problem

    def sweep(self) -> Sweep:
        """What there is to report."""
        rows = self.store.rows()
        last = latest(rows)
        earlier = tuple(row for row in rows if row not in last)
        return Sweep(tuple(last), dict(self.problems), self._options.seed, earlier)


def kept(work: Path) -> Store[Key, Row]:
    """The rows of all sweeps in that folder, those of ``rows.jsonl``, where they stood at first, among them."""
    store, before = Store(work / "rows.sqlite", FORM), work / "rows.jsonl"
    known = {row.key for row in store.rows()}
    for row in rows_of(before.read_text().splitlines()) if before.exists() else ():
        if row.key not in known:
            store.add(row)
    return store


def told(row: Row) -> str:
    """A row as a line of progress."""
    rate = f"{row.tests_per_second:,.0f}/s" if row.tests_per_second is not None else ""
    text = f"{row.key.package:26} {row.key.command:9} {outcome(row):16} {row.seconds:5.1f} s {rate:>9}  load {row.load:4}"
    return f"{text}  {row.target[:60]}  {'; '.join(complaints(row)).upper()}".rstrip()


def say(text: str) -> None:
    """At once, also into a file."""
    print(text, flush=True)


def main(arguments: Sequence[str]) -> int:
    """Make the runs that time allows, and report."""
    options = parse(arguments)
    campaign = Campaign(options)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if not options.report_only:
            campaign.run()
    except KeyboardInterrupt:
        say("stopped: the same command goes on")
    campaign.recall()
    sweep = campaign.sweep()
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "wild.md").write_text(report(sweep, options.note).replace(str(options.work.resolve()), "WORK"))
    save(options.output / "wild.json", sweep)
    say(f"wrote {options.output / 'wild.md'}")
    return 1 if any(complaints(row) for row in sweep.rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
