"""The paper's three questions about interprocedural flags, resumable.

python -m benchmarks.flags --python EXE --corpus FILE.json --results FILE.sqlite [--modules A,B] [--share 0.1] [...]
    counts the functions with flags (RQ1), runs each of them with and without the gradient at equal evaluations (RQ2), and whole
    modules for tests per CPU second (RQ3); writes benchmarks/results/flags.{md,json}. Started again, it goes on where it was
    stopped or killed. ``--share`` draws that share of the functions of each module, ``--modules`` confines it to some.
python -m benchmarks.flags --report-only ...
    makes the report again from the rows.

EXE is the interpreter that can import the modules. Needs the extra ``experiments``. Run it on an idle machine: runs go one by one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.comparison.provenance import commit
from benchmarks.flags.analysis import compared, costs
from benchmarks.flags.census import Census, census_by
from benchmarks.flags.modules import drawn, modules_of
from benchmarks.flags.report import report, save
from benchmarks.flags.runs import CENSUSES, FAILED, FORM, CensusKey, CensusRow, Key, Row, run
from benchmarks.store import Store

STAGES = ("census", "functions", "cost")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.flags", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", default=sys.executable, help="the interpreter that can import the modules")
    parser.add_argument("--corpus", type=Path, help="a JSON list of objects with a module")
    parser.add_argument("--modules", default="", help="names with commas [default: those of the corpus and 30 standard ones]")
    parser.add_argument("--results", type=Path, required=True, help="the file that keeps the rows")
    parser.add_argument("--output", type=Path, default=Path(__file__).parents[1] / "results", help="the folder of the reports")
    parser.add_argument("--share", type=float, default=1.0, help="of the functions with flags of each module, drawn by seed")
    parser.add_argument("--draw-seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=10, help="seeds 1 to N")
    parser.add_argument("--cost-seeds", type=int, default=3, help="seeds 1 to N of the runs for tests per second")
    parser.add_argument("--evaluations", type=int, default=5_000)
    parser.add_argument("--algorithm", default="dynamosa")
    parser.add_argument("--stages", default=",".join(STAGES), help="[default: %(default)s]")
    parser.add_argument("--time-limit", type=float, default=float("inf"), help="minutes for this invocation")
    parser.add_argument("--wall-limit", type=float, default=120.0, help="seconds for one run")
    parser.add_argument("--commit", help="call the program this [default: from git]")
    parser.add_argument("--report-only", action="store_true")
    return parser.parse_args(arguments)


class Experiment:
    """The runs that are missing, in order: whole functions (both kinds, all seeds) one after the other."""

    def __init__(self, options: argparse.Namespace, store: Store[Key, Row], censuses: Store[CensusKey, CensusRow]) -> None:
        self.options = options
        self.store = store
        self._censuses = censuses
        self.program: str = options.commit or commit()
        self.modules = modules_of(options.corpus, tuple(filter(None, options.modules.split(","))))
        self._deadline = time.monotonic() + 60 * options.time_limit

    def over(self) -> bool:
        """Time is up."""
        return bool(time.monotonic() >= self._deadline)

    def censuses(self) -> dict[str, Census]:
        """Those that were taken, by module."""
        rows = {row.key.module: row.found for row in self._censuses.rows(program=self.program)}
        return {module: rows[module] for module in self.modules if module in rows}

    def take_censuses(self) -> None:
        """Of the modules without one."""
        for module in self.modules:
            key = CensusKey(module, self.program)
            if not self.over() and self._censuses.get(key) is None:
                found = census_by(self.options.python, module)
                self._censuses.add(CensusRow(key, found))
                say(f"{module:40} {found.problem or f'{len(found.flagged)} of {len(found.deciding)} functions with flags'}")

    def keys(self, stage: str) -> Iterator[Key]:
        """The runs of a stage."""
        options = self.options
        for module, found in self.censuses().items():
            names = drawn(found.flagged, options.share, options.draw_seed, module) if stage == "functions" else ("",)
            seeds = options.seeds if stage == "functions" else options.cost_seeds
            for name in () if found.problem else names:
                if "<locals>" in name:
                    continue  # no test can name it
                for seed in range(1, seeds + 1):
                    for flags in (True, False):
                        yield Key(module, name, flags, seed, options.evaluations, options.algorithm, self.program)

    def make(self, stage: str) -> None:
        """The missing runs of a stage."""
        for key in self.keys(stage):
            if self.over():
                return
            if self.store.get(key) is None:
                row = run(self.options.python, key, self.options.wall_limit, self.over)
                if row is not None:
                    self.store.add(row)
                    say(told(row))

    def write(self, folder: Path) -> None:
        """flags.md and flags.json."""
        options, censuses = self.options, self.censuses()
        scope = f"{options.algorithm}, {options.evaluations:,} evaluations, seeds 1-{options.seeds}, program {self.program}."
        wanted = set(self.keys("functions")) | set(self.keys("cost"))
        made = [row for row in self.store.rows(commit=self.program) if row.key in wanted]
        rows = [row for row in made if row.ended != FAILED]
        failed = [row for row in made if row.ended == FAILED]
        functions = compared(rows)
        costed = costs(rows, {module: bool(found.flagged) for module, found in censuses.items()})
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "flags.md").write_text(report(censuses, functions, costed, failed, scope))
        save(folder / "flags.json", censuses, functions, costed, scope)
        say(f"wrote {folder / 'flags.md'}")


def told(row: Row) -> str:
    """A row as a line of progress."""
    which = f"{row.key.module}.{row.key.function or '*'}"
    kind = "flags" if row.key.flags else "plain"
    branches = f"{row.covered:4}/{row.total:<4}"
    return f"{which:60} {kind} seed {row.key.seed:2} {branches} {row.used:7,} {row.cpu:6.1f} s  {row.ended} {row.note}"


def say(text: str) -> None:
    """At once, also into a file."""
    print(text, flush=True)


def main(arguments: Sequence[str]) -> int:
    """Run the stages that time allows, and report."""
    options = parse(arguments)
    store, censuses = Store(options.results, FORM), Store(options.results, CENSUSES)
    try:
        experiment = Experiment(options, store, censuses)
        stages = () if options.report_only else options.stages.split(",")
        if "census" in stages:
            experiment.take_censuses()
        for stage in ("functions", "cost"):
            if stage in stages:
                experiment.make(stage)
        experiment.write(options.output)
    except KeyboardInterrupt:
        say("stopped: the same command goes on")
    finally:
        store.close()
        censuses.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
