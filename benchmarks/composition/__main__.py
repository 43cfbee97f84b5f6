"""The symbolic engine alone over the crashes of a pack, resumable: what it composes, and what of that reproduces the crash.

python -m benchmarks.composition --pack FOLDER --venvs FOLDER --results FILE.sqlite [--seconds N] [--strategy NAME] [--crashes A,B]
    composes tests for each crash, for so many seconds at most, and has an engine run them; writes
    benchmarks/results/composition.{md,json}. Started again, it goes on where it was stopped.
python -m benchmarks.composition --report-only --results FILE.sqlite
    makes the report again from the rows.

A pack is a folder with a folder for each crash: ``traceback.txt`` and ``crash.json``. ``VENVS/ID/bin/python`` is the interpreter
that can import the crashing package. Crashes go one by one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.comparison.crashes import Aims, find_crashes
from benchmarks.comparison.provenance import commit
from benchmarks.composition.report import save
from benchmarks.composition.runs import FORM, Key, Row, run
from benchmarks.store import Store
from crashwright.symbolic.composition.strategies import Strategy


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.composition", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pack", type=Path)
    parser.add_argument("--venvs", type=Path)
    parser.add_argument("--results", type=Path, required=True, help="the file that keeps the rows")
    parser.add_argument("--seconds", type=float, default=30.0, help="for composing, for each crash [default: %(default)s]")
    parser.add_argument("--strategy", default="cores", choices=[*Strategy], help="how tests are composed [default: %(default)s]")
    parser.add_argument("--crashes", default="", help="names with commas: these, and no others")
    parser.add_argument("--output", type=Path, default=Path(__file__).parents[1] / "results", help="the folder of the report")
    parser.add_argument("--note", default="", help="a sentence for the head of the report: what the machine did besides")
    parser.add_argument("--commit", help="call the program this [default: from git]")
    parser.add_argument("--report-only", action="store_true")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> None:
    """Runs what is missing, and reports."""
    options = parse(arguments)
    program = options.commit or commit()
    store = Store(options.results, FORM)
    if not options.report_only:
        aims = Aims()
        for crash in find_crashes(options.pack, options.venvs, [one for one in options.crashes.split(",") if one]):
            key = Key(crash.name, options.seconds, options.strategy, program)
            problem = aims.problem(crash)
            if problem or store.get(key) is not None:
                say(f"{crash.name:42} {problem or 'done before'}")
                continue
            row = run(aims.aim(crash), key)
            store.add(row)
            say(told(row))
    rows = store.rows(commit=program, limit=options.seconds, strategy=options.strategy)
    say(save(options.output, rows, options.note))


def told(row: Row) -> str:
    """A row for who waits."""
    reached = f"precondition {row.solved} of {row.frames}, {row.tests:2} tests of frame {row.composed}"
    return f"{row.key.crash:42} {reached}  level {row.level}  {row.seconds:5.1f} s  {row.note[:60]}"


def say(text: str) -> None:
    """At once, for a file too."""
    print(text)
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
