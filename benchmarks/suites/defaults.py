"""Which defaults for the search for suites? One factor at a time against the present default, resumable.

python -m benchmarks.suites.defaults --results FILE.sqlite [--modules A,B] [--configurations A,B] [--jobs N] [--hours H] [...]
    makes the runs that are missing, module by module, then writes benchmarks/results/suites-defaults.{md,json,svg}. Started again,
    it goes on where it was stopped or killed. ``--modules`` and ``--configurations`` confine what is run and reported; the default
    configuration is always among them.
python -m benchmarks.suites.defaults --report-only --results FILE
    makes the report again from the rows, or from an earlier suites-defaults.json.

Modules of the standard library only, in the interpreter ``--python``. Needs the extra ``experiments``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.suites.command import Experiment, execute, names_of, parser_of
from benchmarks.suites.configurations import DEFAULT, varied
from benchmarks.suites.defaults_report import report
from benchmarks.suites.modules import TUNING
from benchmarks.suites.plot import plot_defaults

DEFAULTS = Experiment("defaults", False, report, plot_defaults)


def main(arguments: Sequence[str]) -> int:
    """Run and report."""
    configurations = varied()
    parser = parser_of(DEFAULTS, __doc__)
    parser.add_argument("--configurations", default="", help=f"names with commas, of: {', '.join(configurations)} [default: all]")
    options = parser.parse_args(arguments)
    wanted = names_of(parser, "--configurations", options.configurations, configurations) or tuple(configurations)
    modules = names_of(parser, "--modules", options.modules) or TUNING
    chosen = {name: configurations[name] for name in dict.fromkeys((DEFAULT, *wanted))}
    return execute(DEFAULTS, arguments, options, modules, chosen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
