"""The report on all experiments, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.comparison.effect import magnitude
from benchmarks.comparison.provenance import Invocation
from benchmarks.comparison.report import DECISION, decision
from benchmarks.evidence.experiment import Experiment, Measure, Tallied
from benchmarks.evidence.paired import ALPHA, POWER, Finding, findings
from benchmarks.suites.text import p_value, table

HOW = f"""\
- One command makes all runs and goes on where it was stopped. Runs are counted in evaluations; in seconds only
  where it says so. The experiments share the processor time evenly; each makes all configurations of a subject with seed 1,
  then the next subject, then seed 2.
- The subject is the unit: differences are averaged over the seeds that both configurations have of it. Intervals (95 %,
  Student's t) and p (Wilcoxon signed rank) are over subjects; "corrected" is p after Holm for the number of contrasts of one
  measure. A12 (Vargha and Delaney) is the mean over subjects of the probability that the first gives more.
- "subjects alone" counts the subjects where the first has significantly more / less by their own seeds (Mann-Whitney, for
  success Fisher; Holm over subjects; alpha {ALPHA}). With fewer than four seeds none can.
- "detectable" is the true mean difference that so many subjects, varying as they do, would have shown with a probability of
  {POWER:.0%}: what is smaller can be there unseen.
- A run that failed or came to its wall limit is counted as such; of crashes a wall limit is no success."""


def report(experiments: Sequence[Experiment], program: str, started: Sequence[Invocation], before: str = "") -> str:
    """The document. ``before`` is its former text, whose last section, written by hand, is kept."""
    parts = ["# Evidence for the papers", f"Program: {program}.", _overview(experiments), *map(_section, experiments)]
    parts += [f"## How\n\n{HOW}", _invocations(started), f"{DECISION}\n\n{decision(before)}"]
    return "\n\n".join(part for part in parts if part) + "\n"


def plot_name(number: str) -> str:
    """The file of an experiment's plot."""
    return f"evidence-{number}.svg"


def _overview(experiments: Sequence[Experiment]) -> str:
    rows = []
    for one in experiments:
        tallied = one.tallied()
        made = sum(tallied.made.values())
        rows.append(
            [
                f"{one.number} {one.title}",
                f"{made:,} of {tallied.planned:,}",
                f"{made / tallied.planned:.1%}" if tallied.planned else "",
                f"{len({value.subject for value in one.values()})}",
                f"{tallied.seeds}",
                f"{tallied.screening:,}",
                f"{one.spent() / 3600:.2f}",
            ]
        )
    heads = ["experiment", "runs made of planned", "share", "subjects with runs", "highest seed", "screening runs", "CPU hours"]
    return f"## What was run\n\n{table(heads, rows)}"


def _section(one: Experiment) -> str:
    found = findings(one.values(), one.contrasts)
    parts = [f"## {one.number}: {one.title}", one.method, one.details()]
    if found:
        parts += [f"![Differences over subjects]({plot_name(one.number)})", _findings(found), _subjects(found)]
    else:
        parts.append("No pair of runs was made.")
    parts.append(_not_run(one.tallied()))
    return "\n\n".join(part for part in parts if part)


def _findings(found: Iterable[tuple[Finding, float]]) -> str:
    rows = []
    for one, corrected in found:
        more, less, same = one.counts()
        alone = one.significant()
        rows.append(
            [
                f"{one.first} : {one.second}",
                f"{one.measure.name} ({one.measure.unit})",
                f"{len(one.pairs)} / {one.runs}",
                f"{amount(one.difference, one.measure)} {interval(one)}",
                f"{one.effect:.2f} {magnitude(one.effect)}",
                p_value(one.p) if len(one.pairs) > 1 else "",
                p_value(corrected) if len(one.pairs) > 1 else "",
                f"{more} / {less} / {same}",
                f"{alone[0]} / {alone[1]}",
                amount(one.detectable, one.measure).removeprefix("+") if len(one.pairs) > 1 else "",
                f"{one.discordant[0]} / {one.discordant[1]} ({p_value(one.discordant_p)})" if one.measure.binary else "",
            ]
        )
    heads = ["A : B", "measure", "subjects / pairs", "A - B [95 %]", "A12", "p", "corrected", "subjects more / less / same"]
    return table([*heads, "subjects alone", "detectable", "runs only A / only B (p)"], rows)


def _subjects(found: Sequence[tuple[Finding, float]]) -> str:
    """By the first measure, subject by subject."""
    measure = found[0][0].measure
    shown = [one for one, _ in found if one.measure == measure]
    subjects = dict.fromkeys(pairs.subject for one in shown for pairs in one.pairs)
    rows = []
    for subject in subjects:
        cells = []
        for one in shown:
            pairs = next((pairs for pairs in one.pairs if pairs.subject == subject), None)
            cells.append("" if pairs is None else f"{amount(pairs.difference, measure)} ({len(pairs.first)})")
        rows.append([subject, *cells])
    head = ["subject", *(f"{one.first} : {one.second}" for one in shown)]
    return f"Mean difference of {measure.name} in {measure.unit} (pairs of runs):\n\n{table(head, rows)}"


def interval(one: Finding) -> str:
    """That of the mean difference; one subject has none."""
    return f"[{amount(one.low, one.measure)}, {amount(one.high, one.measure)}]" if len(one.pairs) > 1 else "(one subject)"


def amount(value: float, measure: Measure) -> str:
    """With its sign, in the unit of the measure."""
    scaled = value * measure.scale
    return f"{scaled:+,.0f}" if abs(scaled) >= 100 else f"{scaled:+.2f}"


def _not_run(tallied: Tallied) -> str:
    made = sum(tallied.made.values())
    endings = ", ".join(f"{count} {ended}" for ended, count in sorted(tallied.made.items()))
    missing = tallied.planned - made
    text = f"**Not run:** {missing:,} of {tallied.planned:,} planned runs." if missing else "Everything that was planned was run."
    said = "\n".join(f"- {note}" for note in tallied.notes)
    return f"{text} Runs made ended: {endings or 'none'}." + (f"\n\nWhat engines said:\n\n{said}" if said else "")


def _invocations(started: Sequence[Invocation]) -> str:
    lines = [f"- {one.started}: `{one.command}` ({one.machine}; Python {one.python} on the host)" for one in started]
    return "Run by:\n\n" + "\n".join(lines) if lines else ""
