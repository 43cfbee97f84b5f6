"""What the commands of both experiments have in common: options, the runs that are missing, the three files of the report."""

from __future__ import annotations

import argparse
import dataclasses
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from benchmarks.comparison.provenance import Invocation, commit, invocation
from benchmarks.store import Store
from benchmarks.suites.campaign import Campaign, Scope
from benchmarks.suites.configurations import Configuration
from benchmarks.suites.record import Record, load, save
from benchmarks.suites.runs import FORM, Place


@dataclass(frozen=True, slots=True)
class Experiment:
    """What makes an experiment of its own. Its files are called ``suites-NAME``."""

    name: str
    replay: bool
    report: Callable[[Record, str], str]
    plot: Callable[[Record, Path], bool]


def parser_of(experiment: Experiment, doc: str | None) -> argparse.ArgumentParser:
    """The options of both."""
    parser = argparse.ArgumentParser(
        prog=f"python -m benchmarks.suites.{experiment.name}",
        description=doc,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--results", type=Path, required=True, help="the SQLite file that keeps the rows")
    parser.add_argument("--output", type=Path, default=Path(__file__).parents[1] / "results", help="the folder of the reports")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that can import the modules")
    parser.add_argument("--path", action="append", default=[], help="a folder put first on its sys.path")
    parser.add_argument("--jobs", type=int, default=1, help="engines at once")
    parser.add_argument("--evaluations", type=int, default=3_000)
    parser.add_argument("--seeds", type=int, default=10, help="seeds 1 to N")
    parser.add_argument("--modules", default="", help="names with commas")
    parser.add_argument("--hours", type=float, default=float("inf"), help="for this invocation")
    parser.add_argument("--wall-limit", type=float, default=120.0, help="seconds for one search, and for one measurement")
    parser.add_argument("--commit", help="call the program this, to go on with rows of another state of it [default: from git]")
    parser.add_argument("--retry-failed", action="store_true", help="make the runs again that gave no result")
    parser.add_argument("--plan-only", action="store_true", help="say what would be run and how long it would take")
    parser.add_argument("--report-only", action="store_true", help="from the rows, or from --results suites-NAME.json")
    return parser


def names_of(parser: argparse.ArgumentParser, option: str, text: str, known: Iterable[str] | None = None) -> tuple[str, ...]:
    """The names in a list with commas, each once; ends the program where one is not ``known``."""
    names = tuple(dict.fromkeys(name for part in text.split(",") if (name := part.strip())))
    unknown = [name for name in names if known is not None and name not in known]
    if unknown:
        parser.error(f"{option}: unknown: {', '.join(unknown)}; there are {', '.join(known or ())}")
    return names


def execute(
    experiment: Experiment,
    arguments: Sequence[str],
    options: argparse.Namespace,
    modules: tuple[str, ...],
    configurations: dict[str, Configuration],
) -> int:
    """Make the runs that time allows, and report."""
    if options.results.suffix == ".json":
        if not options.report_only:
            sys.exit("--results FILE.json can only be reported")
        write(experiment, load(options.results), options.output)
        return 0
    program = options.commit or commit()
    scope = Scope(modules, configurations, options.seeds, options.evaluations, program, experiment.replay)
    store = Store(options.results, FORM)
    try:
        place = Place(options.python, tuple(options.path))
        deadline = time.monotonic() + 3600 * options.hours
        campaign = Campaign(scope, place, store, options.jobs, options.wall_limit, deadline, say)
        if options.retry_failed:
            store.forget(row for row in store.rows(commit=program) if not row.good)
        missing, seconds = campaign.estimate()
        cost = f", about {seconds / 60:.0f} core minutes" if seconds else ""
        say(f"{len(modules)} modules, {len(configurations)} configurations: {missing:,} runs to go{cost}; program {program}")
        if options.plan_only:
            return 0
        if not options.report_only:
            store.note(_invocation(experiment, arguments, options, program))
            _run(campaign)
        rows, started = tuple(campaign.rows()), tuple(store.invocations(program))
        record = Record(
            rows, modules, tuple(configurations), options.seeds, options.evaluations, options.wall_limit, program, started
        )
        write(experiment, record, options.output)
    finally:
        store.close()
    return 0


def _invocation(experiment: Experiment, arguments: Sequence[str], options: argparse.Namespace, program: str) -> Invocation:
    folders = {str(options.output): "FOLDER", str(getattr(options, "corpus", None)): "CORPUS", **dict.fromkeys(options.path, "DIR")}
    names = {str(options.results): "RESULTS", options.python: "PYTHON", **folders}
    one = invocation(arguments, names, program, options.jobs)
    command = one.command.replace("benchmarks.comparison", f"benchmarks.suites.{experiment.name}", 1)
    return dataclasses.replace(one, command=command)


def _run(campaign: Campaign) -> None:
    """Until all is done, time is up, or somebody stops it (Ctrl-C, SIGTERM)."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        campaign.stopped = True

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        campaign.make()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if campaign.over():
        say("stopped: the same command goes on")


def write(experiment: Experiment, record: Record, folder: Path) -> None:
    """suites-NAME.md, .json and .svg."""
    folder.mkdir(parents=True, exist_ok=True)
    text = folder / f"suites-{experiment.name}.md"
    text.write_text(experiment.report(record, text.read_text() if text.exists() else ""))
    save(record, text.with_suffix(".json"))
    experiment.plot(record, text.with_suffix(".svg"))
    say(f"wrote {text}")


def say(text: str) -> None:
    """At once, also into a file."""
    print(text, flush=True)
