"""The papers' questions at size, by one resumable command with one store: flags (003; 003-crashes on the way to crashes), smart
selection (004; 004-time), block coverage (000; 000-frames with each frame as the target), guided operators (001).

python -m benchmarks.evidence --store FILE.sqlite [--pack FOLDER --venvs FOLDER] [--python EXE --corpus FILE.json]
        [--experiment 003,004,000,001,000-frames,003-crashes] [--hours H] [...]
    makes the runs that are missing, in turns, so that whatever time there was gives balanced pairs, then writes
    benchmarks/results/evidence.{md,json} and evidence-NNN.svg. Started again, also after it was killed, it goes on where it was.
python -m benchmarks.evidence --report-only --store FILE.sqlite [...]
    makes the report from the runs there are.
python -m benchmarks.evidence --store NEW.sqlite --add benchmarks/results/evidence.json --commit PROGRAM [...]
    goes on from a report: PROGRAM is the commit that it names, which has to be checked out.
python -m benchmarks.evidence --store FILE.sqlite --experiment 004-time [--seconds S] [--core N]
    makes the runs of 004 that are bounded by processor time; only if asked for.

003 and 004 need nothing but an interpreter that can import the modules (--python; the corpus, a JSON list of objects with a module,
adds to those of the standard library); the others a pack of crashes (see benchmarks.comparison). Needs the extra
``experiments``.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from benchmarks.comparison.crashes import Aims, find_crashes
from benchmarks.comparison.provenance import Invocation, commit, invocation
from benchmarks.evidence import crash_runs, flag_gradient, smart_selection, timed_selection
from benchmarks.evidence.block_coverage import BlockCoverage
from benchmarks.evidence.crash_runs import CRASH_FORM, CrashPlace
from benchmarks.evidence.each_frame import EachFrame
from benchmarks.evidence.experiment import Experiment
from benchmarks.evidence.flag_gradient import FlagGradient
from benchmarks.evidence.flags_on_crashes import FlagsOnCrashes
from benchmarks.evidence.guided_operators import GuidedOperators
from benchmarks.evidence.paired import findings
from benchmarks.evidence.plot import plot
from benchmarks.evidence.record import Stores, fill, open_stores, save
from benchmarks.evidence.report import plot_name, report
from benchmarks.evidence.schedule import work
from benchmarks.evidence.smart_selection import SmartSelection
from benchmarks.evidence.suite_runs import SUITE_FORM, SuitePlace
from benchmarks.evidence.timed_selection import TimedSelection
from benchmarks.flags.modules import modules_of
from benchmarks.flags.runs import CENSUSES
from benchmarks.suites.modules import LARGE
from benchmarks.suites.runs import Place

ON_CRASHES = ("000", "001", "000-frames", "003-crashes")
USUAL = ("003", "004", *ON_CRASHES)
NUMBERS = (*USUAL, "004-time")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.evidence", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--store", type=Path, required=True, help="the file that keeps the runs")
    parser.add_argument("--add", type=Path, help="an evidence.json: its runs that the store lacks are added first")
    parser.add_argument("--experiment", default="", help="numbers with commas [default: all that can be run with what is given]")
    parser.add_argument("--hours", type=float, default=float("inf"), help="for this invocation")
    parser.add_argument("--pack", type=Path, help="a folder with a folder for each crash")
    parser.add_argument("--venvs", type=Path, help="VENVS/CRASH/bin/python can import what crashes")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that can import the modules")
    parser.add_argument("--corpus", type=Path, help="a JSON list of objects with a module")
    parser.add_argument("--modules", default="", help="names with commas, for 003 and 004 [default: see their reports]")
    parser.add_argument("--subjects", type=int, help="at most so many of each experiment [default: as its issue asks]")
    parser.add_argument("--seeds", type=int, help="seeds 1 to N [default: as its issue asks]")
    parser.add_argument("--evaluations", type=int, help="of each run that is compared [default: as its issue asks]")
    parser.add_argument("--seconds", type=int, default=timed_selection.SECONDS, help="of the processor, for each run of 004-time")
    parser.add_argument("--core", type=int, help="run on this one alone [default: on all]")
    parser.add_argument("--wall-limit", type=float, default=180.0, help="seconds for one run; see comparison.runs.Limits")
    parser.add_argument("--output", type=Path, default=Path(__file__).parents[1] / "results", help="the folder of the report")
    parser.add_argument("--commit", help="call the program this, to go on with runs of another state of it [default: from git]")
    parser.add_argument("--report-only", action="store_true")
    options = parser.parse_args(arguments)
    crashes = options.pack is not None and options.venvs is not None
    wanted = tuple(filter(None, options.experiment.split(",")))
    unknown = [one for one in wanted if one not in NUMBERS]
    if unknown:
        parser.error(f"--experiment: unknown: {', '.join(unknown)}; there are {', '.join(NUMBERS)}")
    if not crashes and any(one in ON_CRASHES for one in wanted):
        parser.error("--pack and --venvs are missing")
    options.experiment = wanted or tuple(one for one in USUAL if crashes or one not in ON_CRASHES)
    return options


def experiments(options: argparse.Namespace, stores: Stores, program: str) -> list[Experiment]:
    """Those that were asked for."""
    modules = tuple(filter(None, options.modules.split(",")))
    at = SuitePlace(stores[SUITE_FORM.table], Place(options.python), program, options.wall_limit)
    crashes = find_crashes(options.pack, options.venvs) if any(one in ON_CRASHES for one in options.experiment) else []
    crash_at = CrashPlace(stores[CRASH_FORM.table], crashes, Aims(), program, options.wall_limit)
    most, seeds, budget = options.subjects, options.seeds, options.evaluations
    made: dict[str, Experiment] = {
        "003": FlagGradient(
            at,
            stores[CENSUSES.table],
            modules_of(options.corpus, modules),
            most or flag_gradient.FUNCTIONS,
            seeds or flag_gradient.SEEDS,
            budget or flag_gradient.EVALUATIONS,
        ),
        "004": SmartSelection(at, (modules or LARGE)[:most], seeds or smart_selection.SEEDS, budget or smart_selection.EVALUATIONS),
    }
    of_crashes = (most or crash_runs.CRASHES, seeds or crash_runs.SEEDS, budget or crash_runs.EVALUATIONS)
    made |= {"000": BlockCoverage(crash_at, *of_crashes), "001": GuidedOperators(crash_at, *of_crashes)}
    made["000-frames"] = EachFrame(crash_at, *of_crashes)
    made["003-crashes"] = FlagsOnCrashes(crash_at, stores[CENSUSES.table], *of_crashes)
    made["004-time"] = TimedSelection(at, (modules or LARGE)[:most], seeds or timed_selection.SEEDS, options.seconds)
    return [made[number] for number in options.experiment]


def main(arguments: Sequence[str]) -> int:
    """Run while there is time, and report."""
    options = parse(arguments)
    program = options.commit or commit()
    if options.core is not None:
        os.sched_setaffinity(0, {options.core})  # engines inherit it
    stores = open_stores(options.store)
    try:
        if options.add is not None:
            say(f"{fill(stores, options.add)} runs added")
        chosen = experiments(options, stores, program)
        if not options.report_only:
            stores[SUITE_FORM.table].note(_invocation(options, arguments, program))
            done = _work(chosen, options)
            say("all runs are made" if done else "stopped: the same command goes on")
        write(chosen, stores, program, options.output)
    finally:
        for store in stores.values():
            store.close()
    return 0


def _work(chosen: Sequence[Experiment], options: argparse.Namespace) -> bool:
    """Until all is done, time is up, or somebody stops it (Ctrl-C, SIGTERM)."""
    deadline = time.monotonic() + 3600 * options.hours
    stopped: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        stopped.append(number)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        return work(chosen, lambda: bool(stopped) or time.monotonic() >= deadline, say)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _invocation(options: argparse.Namespace, arguments: Sequence[str], program: str) -> Invocation:
    names = {str(options.store): "STORE", options.python: "PYTHON", str(options.pack): "PACK", str(options.venvs): "VENVS"}
    names |= {str(options.corpus): "CORPUS", str(options.output): "FOLDER"}
    one = invocation(arguments, names, program, 1)
    return dataclasses.replace(one, command=one.command.replace("benchmarks.comparison", "benchmarks.evidence", 1))


def write(chosen: Sequence[Experiment], stores: Stores, program: str, folder: Path) -> None:
    """evidence.md, evidence.json and a plot for each experiment."""
    folder.mkdir(parents=True, exist_ok=True)
    text = folder / "evidence.md"
    started = stores[SUITE_FORM.table].invocations(program)
    text.write_text(report(chosen, program, started, text.read_text() if text.exists() else ""))
    save(stores, program, started, text.with_suffix(".json"))
    for one in chosen:
        found = [finding for finding, _ in findings(one.values(), one.contrasts)]
        if found:
            plot(found, folder / plot_name(one.number))
    say(f"wrote {text}")


def say(text: str) -> None:
    """At once, also into a file."""
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
