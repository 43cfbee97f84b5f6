"""The examples of paper 002 from a cold start, beside what is asked of each.

python -m benchmarks.examples [--seconds N] [--crosshair PYTHON] [--output FOLDER] [--note TEXT]
    composes tests for each, runs them, and writes benchmarks/results/examples.{md,json}. With an interpreter that has CrossHair,
    that is asked for the same crashes in the same run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.comparison.provenance import commit
from benchmarks.examples.examples import EXAMPLES
from benchmarks.examples.peer import found, version_of
from benchmarks.examples.runs import Solved, solved, target_of


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.examples", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=30.0, help="for each example, and each tool [default: %(default)s]")
    parser.add_argument("--crosshair", help="an interpreter that has it [default: it is left out]")
    parser.add_argument("--output", type=Path, default=Path(__file__).parents[1] / "results", help="the folder of the report")
    parser.add_argument("--note", default="", help="a sentence for the head of the report")
    parser.add_argument("--commit", help="call the program this [default: from git]")
    return parser.parse_args(arguments)


def report(rows: Sequence[Solved], peers: Sequence[float | None], head: Sequence[str]) -> str:
    """Markdown."""
    lines = [
        "# The examples of paper 002, from a cold start",
        "",
        *head,
        "",
        "Seconds until a test was composed that crashes as the report says: of its processes, and by the clock.",
        "",
        "| example | asked | seconds computed | by the clock | in time | by misuse (clock) | tests | CrossHair (clock, any use) |",
        "|---|--:|--:|--:|---|--:|--:|--:|",
    ]
    for row, peer in zip(rows, peers or [None] * len(rows), strict=True):
        told = [_said(one) for one in (row.asked, row.computed, row.seconds)]
        in_time = "yes" if row.in_time else "no"
        lines.append(f"| {row.example} | {' | '.join(told)} | {in_time} | {_said(row.misuse)} | {row.tests} | {_said(peer)} |")
    for row in rows:
        lines += ["", f"{row.example}:", "```python", row.test, "```"] if row.test else []
    return "\n".join(lines) + "\n"


def _said(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.2f}"


def main(arguments: Sequence[str]) -> int:
    """Run them, and report."""
    options = parse(arguments)
    rows: list[Solved] = []
    peers: list[float | None] = []
    for example in EXAMPLES:
        rows.append(solved(example, options.seconds))
        if options.crosshair:
            peers.append(found(example, target_of(example), options.crosshair, options.seconds))
        print(example.name, f"asked {example.asked:g}", rows[-1].computed, rows[-1].seconds, peers[-1:], flush=True)
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores" if hasattr(os, "getloadavg") else "load unknown"
    head = [f"Program {options.commit or commit()}, Python {platform.python_version()}, {load}. {options.note}".rstrip()]
    if options.crosshair:
        head.append(f"CrossHair {version_of(options.crosshair)}, {options.seconds:g} s for each; `-`: nothing was found.")
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "examples.md").write_text(report(rows, peers, head), encoding="utf-8")
    figures = {"head": head, "rows": [asdict(row) for row in rows], "crosshair": peers}
    (options.output / "examples.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
