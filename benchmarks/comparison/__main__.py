"""The papers' comparison, resumable: which search reproduces more crashes, and with fewer tests?

python -m benchmarks.comparison --pack FOLDER --venvs FOLDER --results FILE.sqlite [--jobs N] [--time-limit MINUTES] [...]
    screens the crashes of the pack, then makes whole blocks of runs (all configurations x all seeds), crash by crash, then looks
    for lower frames where a crash is not reproduced; writes benchmarks/results/comparison.{md,json,svg}. Started again, it goes on
    where it was stopped or killed.
python -m benchmarks.comparison --mechanisms --output benchmarks/results/mechanisms [...]
    the same for what each mechanism brings (``--without``).
python -m benchmarks.comparison --report-only --results FILE.sqlite --pack FOLDER --venvs FOLDER
    makes the reports again from the rows; with --results FILE.json from an earlier comparison.json, without a pack.

A pack is a folder with a folder for each crash: ``traceback.txt`` and ``crash.json``. ``VENVS/ID/bin/python`` is the interpreter
that can import the crashing package. Needs the extra ``experiments``.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import FrameType

from benchmarks.comparison.analysis import blocks, highest
from benchmarks.comparison.campaign import Campaign, Scope
from benchmarks.comparison.configurations import ABLATIONS, CONFIGURATIONS, DEFAULT, PAPERS
from benchmarks.comparison.crashes import Aims, find_crashes
from benchmarks.comparison.plan import SCREENED, Screening, Selection
from benchmarks.comparison.plot import plot
from benchmarks.comparison.provenance import commit, invocation
from benchmarks.comparison.record_file import Record, load, save
from benchmarks.comparison.report import report
from benchmarks.comparison.runs import FAILED, FORM, Key, Row
from benchmarks.store import Store

STAGES = ("screen", "main", "r-max")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.comparison", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pack", type=Path)
    parser.add_argument("--venvs", type=Path)
    parser.add_argument("--results", type=Path, required=True, help="the file that keeps the rows")
    parser.add_argument("--output", type=Path, default=Path(__file__).parents[1] / "results", help="the folder of the reports")
    parser.add_argument("--jobs", type=int, default=1, help="engines at once")
    parser.add_argument("--evaluations", type=int, default=20_000)
    parser.add_argument("--seeds", type=int, default=10, help="seeds 1 to N")
    parser.add_argument(
        "--configurations", default=",".join(one.name for one in PAPERS), help="names with commas [default: %(default)s]"
    )
    parser.add_argument("--mechanisms", action="store_true", help="the default search, and it without each of its mechanisms")
    parser.add_argument("--crashes", default="", help="names with commas: these, without screening [default: chosen by screening]")
    parser.add_argument("--draw", type=int, default=10, help="crashes drawn from those that screening always or never reproduces")
    parser.add_argument("--draw-seed", type=int, default=1)
    parser.add_argument("--screen", default=",".join(SCREENED), help="the configurations that screen [default: %(default)s]")
    parser.add_argument("--screen-seeds", type=int, default=Screening().seeds)
    parser.add_argument("--screen-failures", type=int, default=Screening().failures)
    parser.add_argument("--probes", type=int, default=2, help="seeds that look for a lower frame")
    parser.add_argument("--stages", default=",".join(STAGES))
    parser.add_argument("--time-limit", type=float, default=float("inf"), help="minutes for this invocation")
    parser.add_argument("--wall-limit", type=float, default=120.0, help="seconds for one run; see runs.Limits")
    parser.add_argument("--commit", help="call the program this, to go on with rows of another state of it [default: from git]")
    parser.add_argument("--retry-failed", action="store_true", help="make the runs again whose engine failed")
    parser.add_argument("--plan-only", action="store_true", help="say what would be run and how long it would take")
    parser.add_argument("--report-only", action="store_true")
    options = parser.parse_args(arguments)
    options.stages = _names(parser, "--stages", options.stages, STAGES)
    if options.mechanisms:
        options.configurations = ",".join((DEFAULT, *(one.name for one in ABLATIONS)))
    options.configurations = _names(parser, "--configurations", options.configurations, CONFIGURATIONS)
    options.screen = _names(parser, "--screen", options.screen, CONFIGURATIONS)
    if options.results.suffix == ".json" and not options.report_only:
        parser.error("--results FILE.json can only be reported")
    if options.results.suffix != ".json" and (options.pack is None or options.venvs is None):
        parser.error("--pack and --venvs are missing")
    return options


def _names(parser: argparse.ArgumentParser, option: str, text: str, known: Iterable[str]) -> tuple[str, ...]:
    names = tuple(filter(None, text.split(",")))
    unknown = [name for name in names if name not in known]
    if unknown:
        parser.error(f"{option}: unknown: {', '.join(unknown)}; there are {', '.join(known)}")
    return names


def main(arguments: Sequence[str]) -> int:
    """Run the stages that time allows, and report."""
    options = parse(arguments)
    if options.results.suffix == ".json":
        write(load(options.results), options.output)
        return 0
    program = options.commit or commit()
    store = Store(options.results, FORM)
    try:
        campaign = _campaign(options, store, program)
        campaign.prepare()
        if not (options.report_only or options.plan_only):
            paths = {str(options.pack): "PACK", str(options.venvs): "VENVS", str(options.results): "RESULTS"}
            if options.retry_failed:
                store.forget(row for row in store.rows(commit=program) if row.ended == FAILED)
            store.note(invocation(arguments, paths, program, options.jobs))
            _run(campaign, options)
        selection = _selection(campaign, options)
        _say(campaign, selection)
        if not options.plan_only:
            write(_record(campaign, selection, options), options.output)
    finally:
        store.close()
    return 0


def _campaign(options: argparse.Namespace, store: Store[Key, Row], program: str) -> Campaign:
    wanted = tuple(filter(None, options.crashes.split(",")))
    scope = Scope(
        options.configurations,
        options.seeds,
        options.evaluations,
        program,
        options.draw,
        options.draw_seed,
        options.probes,
        Screening(options.screen_seeds, options.screen_failures, options.screen),
    )
    deadline = time.monotonic() + 60 * options.time_limit
    try:
        crashes = find_crashes(options.pack, options.venvs, wanted)
    except ValueError as error:
        sys.exit(f"--crashes: {error}")
    if not crashes:
        sys.exit(f"--pack: there is no */traceback.txt in {options.pack}")
    return Campaign(scope, crashes, store, Aims(), options.jobs, options.wall_limit, deadline, print_line)


def _run(campaign: Campaign, options: argparse.Namespace) -> None:
    """The stages, until they are done, time is up, or somebody stops them (Ctrl-C, SIGTERM)."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        campaign.stopped = True

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        _stages(campaign, options)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if campaign.over():
        print_line("stopped: the same command goes on")


def _stages(campaign: Campaign, options: argparse.Namespace) -> None:
    if "screen" in options.stages and not options.crashes:
        campaign.screen()
    selection = _selection(campaign, options)
    _say(campaign, selection)
    if "main" in options.stages:
        campaign.main(selection)
    if "r-max" in options.stages and not campaign.over():
        campaign.r_max(selection)


def _selection(campaign: Campaign, options: argparse.Namespace) -> Selection:
    return campaign.named() if options.crashes else campaign.selection()


def _say(campaign: Campaign, selection: Selection) -> None:
    """What is planned."""
    for kind, names in _by_reason(selection).items():
        print_line(f"{len(names):3}  {kind}: {', '.join(names)}")
    runs = len(selection.chosen) * len(campaign.scope.configurations) * campaign.scope.seeds
    seconds = campaign.estimate(selection)
    print_line(
        f"main stage: {len(selection.chosen)} crashes, {runs:,} runs; about {seconds / 60:.0f} core minutes to go, "
        f"{seconds / 60 / campaign.jobs:.0f} minutes with --jobs {campaign.jobs}; program {campaign.scope.commit}"
    )


def _by_reason(selection: Selection) -> dict[str, list[str]]:
    reasons: dict[str, list[str]] = {}
    for name, why in (*selection.chosen.items(), *selection.left_out.items()):
        reasons.setdefault(why, []).append(name)
    return reasons


def _record(campaign: Campaign, selection: Selection, options: argparse.Namespace) -> Record:
    scope = campaign.scope
    names = {crash.name for crash in campaign.crashes}
    return Record(
        tuple(row for row in campaign.store.rows(commit=scope.commit, evaluations=scope.evaluations) if row.key.crash in names),
        scope.configurations,
        scope.seeds,
        scope.evaluations,
        options.wall_limit,
        scope.commit,
        dict(selection.chosen),
        {**selection.left_out, **campaign.problems},
        tuple(campaign.store.invocations(scope.commit)),
    )


def write(record: Record, folder: Path) -> None:
    """comparison.md, .json and .svg."""
    folder.mkdir(parents=True, exist_ok=True)
    text = folder / "comparison.md"
    text.write_text(report(record, text.read_text() if text.exists() else ""))
    save(record, folder / "comparison.json")
    whole, _ = blocks(record.rows, record.configurations, record.seeds)
    solved = [block for block in highest(whole) if block.reproduced and block.crash in record.chosen]
    if solved:
        plot(solved, record.configurations, record.evaluations, folder / "comparison.svg")
    print_line(f"wrote {text}")


def print_line(text: str) -> None:
    """At once, also into a file."""
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
