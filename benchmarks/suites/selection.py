"""The questions of paper 004 about selected goals (RQ1-4, RQ6), resumable.

python -m benchmarks.suites.selection --python EXE --corpus FILE.json --results FILE.sqlite [--algorithms A,B]
        [--configurations A,B] [--modules A,B] [--jobs N] [--hours H] [...]
    makes the runs that are missing, module by module, then writes benchmarks/results/suites-selection.{md,json,svg}. Started again,
    it goes on where it was stopped or killed. The modules are those of the corpus (a JSON list of objects with a module) and large
    ones of the standard library, in turns, or ``--modules``; EXE is the interpreter that can import them.
python -m benchmarks.suites.selection --report-only ...
    makes the report again from the rows, or from an earlier suites-selection.json.

Needs the extra ``experiments``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.suites.command import Experiment, execute, names_of, parser_of
from benchmarks.suites.configurations import ALGORITHMS, APPROACHES, approached
from benchmarks.suites.modules import LARGE, corpus, taking_turns
from benchmarks.suites.plot import plot_selection
from benchmarks.suites.selection_report import report

SELECTION = Experiment("selection", True, report, plot_selection)


def main(arguments: Sequence[str]) -> int:
    """Run and report."""
    parser = parser_of(SELECTION, __doc__)
    parser.add_argument("--corpus", type=Path, help="a JSON list of objects with a module")
    parser.add_argument("--algorithms", default=",".join(ALGORITHMS), help="names with commas; also random [default: %(default)s]")
    parser.add_argument("--configurations", default=",".join(APPROACHES), help="names with commas [default: %(default)s]")
    options = parser.parse_args(arguments)
    algorithms = names_of(parser, "--algorithms", options.algorithms, (*ALGORITHMS, "random"))
    approaches = names_of(parser, "--configurations", options.configurations, APPROACHES)
    modules = names_of(parser, "--modules", options.modules) or taking_turns(LARGE, corpus(options.corpus))
    chosen = [approached(algorithm, approach) for algorithm in algorithms for approach in approaches]
    return execute(SELECTION, arguments, options, modules, {one.name: one for one in chosen})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
