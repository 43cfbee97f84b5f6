"""The report of the comparison in Markdown: what was run, the papers' tables, what was not run and why."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Iterable, Sequence

from benchmarks.comparison.analysis import Block, Comparison, Pair, Unfinished, blocks, compare, highest
from benchmarks.comparison.configurations import COMPARISONS, DEFAULT
from benchmarks.comparison.effect import magnitude
from benchmarks.comparison.record_file import Record
from benchmarks.comparison.significance import ALPHA

DECISION = "## What it decides"
"""The last section is written by hand: it is kept when the report is made again."""
_UNDECIDED = "Not written yet."
HOW = """\
- A run is one engine of the product in the crash's own interpreter. It succeeds at its first test at level 4 (exception, message,
  file, function and line of all package frames out to the target frame), as the engine sees it; then it is stopped. Nothing is
  printed or verified in a fresh interpreter: that would cost the same for every configuration.
- All configurations share everything but what their names say: the same random tests to begin with, seeds from the report (the
  call that it echoes is tried first) and from the module. Random search takes new random tests for ever.
- Which crashes: a few screening runs of some configurations find those that are reproduced in part of them; all of these are
  compared, and some more that are drawn by seed from the rest. Screening runs are runs like all others and count in the blocks.
- The budget counts tests run. A run that reaches the wall limit or whose engine fails is a failure.
- The target frame is the package's outermost one. Where no configuration reproduces the crash there, lower frames are probed, from
  the outside in, with a few seeds of each configuration, and the first that is reproduced (r_max) gets all runs.
- RQ1: odds ratio of successes (above 1: the first is better; where a count is 0, 0.5 is added to all four) and Fisher's exact test.
  RQ2: evaluations to success, failures at the full budget, on the crashes that one of the two reproduces: Vargha-Delaney A12
  (below 0.5: the first is faster) and the Wilcoxon rank-sum test. Both two-sided, without correction for many comparisons.
- The p-values in brackets are ours: the Wilcoxon signed-rank test over crashes, of success ratios and of mean evaluations.
- Only whole blocks count: all configurations with all seeds on one crash."""


def report(record: Record, before: str = "") -> str:
    """The document. ``before`` is its former text, whose last section is kept."""
    whole, unfinished = blocks(record.rows, record.configurations, record.seeds)
    used = [block for block in highest(whole) if block.crash in record.chosen]
    solved = sorted((block for block in used if block.reproduced), key=lambda block: block.crash)
    pairs = [(a, b) for a, b in COMPARISONS if a in record.configurations and b in record.configurations]
    compared = [compare(solved, first, second) for first, second in pairs]
    parts = [
        "# Searches compared",
        _what(record, used, solved),
        "![Success ratios and evaluations to success](comparison.svg)" if solved else "",
        "## Configurations",
        _configurations(record, solved),
        f"## In pairs (significant: p < {ALPHA})",
        _comparisons(compared),
        "## Crash by crash",
        _crashes(record, solved),
        "## Significant differences",
        _significant(compared),
        "## What was not run",
        _not_run(record, used, unfinished),
        "## How",
        f"{HOW}\n\n{_invocations(record)}",
        f"{DECISION}\n\n{decision(before)}",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def decision(text: str) -> str:
    """The hand-written section of a report."""
    return text.partition(DECISION)[2].strip() or _UNDECIDED


def _what(record: Record, used: Sequence[Block], solved: Sequence[Block]) -> str:
    runs = len(record.rows)
    hours = sum(row.seconds for row in record.rows) / 3600
    lower = sum(block.frame < block.total for block in solved)
    text = (
        f"{len(used)} crashes x {len(record.configurations)} configurations x {record.seeds} seeds, "
        f"{record.evaluations:,} evaluations a run; {len(solved)} of these crashes are reproduced by some run"
    )
    text += f", {lower} of them below the package's outermost frame" if lower else ""
    return f"{text}. With screening and unfinished blocks {runs:,} runs, {hours:.1f} engine hours. Program: {record.commit}."


def _configurations(record: Record, solved: Sequence[Block]) -> str:
    if not solved:
        return "No crash is reproduced in a whole block."
    rows = []
    for name in record.configurations:
        samples = [block.samples[name] for block in solved]
        rows.append(
            [
                f"{name} (default)" if name == DEFAULT else name,
                f"{statistics.fmean(sample.ratio for sample in samples):.1%}",
                f"{statistics.median(sample.ratio for sample in samples):.0%}",
                f"{sum(sample.successes > 0 for sample in samples)} of {len(solved)}",
                f"{sum(sample.ratio == 1 for sample in samples)}",
                f"{statistics.fmean(sample.mean for sample in samples):,.0f}",
                f"{statistics.fmean(statistics.fmean(sample.seconds) for sample in samples):.1f}",
            ]
        )
    head = ["configuration", "mean success ratio", "median", "crashes ever", "always", "mean evaluations to success"]
    return _table([*head, "mean seconds"], rows)


def _comparisons(compared: Iterable[Comparison]) -> str:
    rows = [
        [
            f"{one.first} : {one.second}",
            f"{one.points:+.1f} ({one.points_p:.2g})",
            f"{one.gained} / {one.lost}",
            f"{len(one.oftener)} / {len(one.rarer)}",
            str(len(one.timed)),
            f"{len(one.faster)} / {len(one.slower)}",
            f"{statistics.fmean(pair.a12 for pair in one.timed):.2f} ({one.evaluations_p:.2g})" if one.timed else "",
            f"{statistics.fmean(pair.saved for pair in one.faster):.0%}" if one.faster else "",
        ]
        for one in compared
    ]
    head = ["A : B", "success, points (p)", "only A / only B ever", "RQ1: A oftener / rarer", "timed", "RQ2: A faster / slower"]
    return _table([*head, "mean A12 (p)", "evaluations saved where faster"], rows)


def _crashes(record: Record, solved: Sequence[Block]) -> str:
    rows = [
        [
            block.crash,
            f"{block.frame} of {block.total}",
            *(f"{block.samples[name].successes} ({block.samples[name].median:,.0f})" for name in record.configurations),
            record.chosen[block.crash],
        ]
        for block in solved
    ]
    text = f"Successes of {record.seeds} (median evaluations to success)."
    return f"{text}\n\n{_table(['crash', 'frame', *record.configurations, 'chosen as'], rows)}"


def _significant(compared: Sequence[Comparison]) -> str:
    rows = []
    for one in compared:
        names = dict.fromkeys(pair.crash for pair in (*one.oftener, *one.rarer, *one.faster, *one.slower))
        rows += [[f"{one.first} : {one.second}", *_figures(pair)] for pair in one.pairs if pair.crash in names]
    return _table(["A : B", "crash", "odds ratio", "p", "A12", "effect", "p"], rows) if rows else "None."


def _figures(pair: Pair) -> list[str]:
    odds = [f"{pair.odds:.2f}", f"{pair.odds_p:.1g}"]
    if pair.faster_p is None:
        return [pair.crash, *odds, "", "", ""]
    return [pair.crash, *odds, f"{pair.a12:.2f}", magnitude(pair.a12), f"{pair.faster_p:.1g}"]


def _not_run(record: Record, used: Sequence[Block], unfinished: Sequence[Unfinished]) -> str:
    made = {block.crash for block in used}
    parts = {(one.crash, one.frame): one for one in unfinished}
    probed = {(row.key.crash, row.key.frame) for row in record.rows}
    unsolved = sorted(block.crash for block in used if not block.reproduced)
    chosen = sorted(record.chosen.items())
    rows = [[crash, f"chosen ({why}); {_progress(crash, parts)}"] for crash, why in chosen if crash not in made]
    rows += [[crash, why] for crash, why in sorted(record.left_out.items())]
    text = _table(["crash", "why it is not compared"], rows) if rows else "Every other crash was compared."
    if unsolved:
        lines = [f"{crash}{_probed(crash, probed)}" for crash in unsolved]
        text = f"Run in full, but reproduced by no run, so that nothing can be compared: {'; '.join(lines)}.\n\n{text}"
    return text


def _progress(crash: str, parts: dict[tuple[str, int], Unfinished]) -> str:
    own = [one for (name, _), one in parts.items() if name == crash]
    return "; ".join(f"{one.made} of {one.wanted} runs at frame {one.frame} of {one.total}" for one in own) or "no run"


def _probed(crash: str, tried: Collection[tuple[str, int]]) -> str:
    frames = sorted((frame for name, frame in tried if name == crash), reverse=True)
    return f" (frames tried: {', '.join(map(str, frames))})"


def _invocations(record: Record) -> str:
    lines = [
        f"- {one.started}: `{one.command}` ({one.machine}; {one.jobs} at once; Python {one.python} on the host)"
        for one in record.invocations
    ]
    return f"Wall limit of a run: {record.wall:g} s. Run by:\n\n" + "\n".join(lines) if lines else ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
