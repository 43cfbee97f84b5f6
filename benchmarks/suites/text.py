"""What the reports of both experiments have in common, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.comparison.report import DECISION, decision
from benchmarks.suites.analysis import Results
from benchmarks.suites.record import Record


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The first column is text, the others are figures."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def document(parts: Iterable[str], before: str) -> str:
    """The parts, and the section written by hand: it is kept when a report is made again (``before`` is its former text)."""
    return "\n\n".join(part for part in (*parts, f"{DECISION}\n\n{decision(before)}") if part) + "\n"


def p_value(p: float) -> str:
    """Two digits."""
    return f"{p:.2g}"


def points(share: float) -> str:
    """A difference of shares in percentage points."""
    return f"{100 * share:+.1f}"


def scope(record: Record) -> str:
    """How much was run."""
    hours = sum(row.seconds for row in record.rows) / 3600
    wanted = len(record.modules) * len(record.configurations) * record.seeds
    return (
        f"{len(record.modules)} modules x {len(record.configurations)} configurations x {record.seeds} seeds, "
        f"{record.evaluations:,} evaluations a run: {len(record.rows):,} of {wanted:,} runs made, {hours:.1f} engine hours. "
        f"Program: {record.commit}."
    )


def not_run(record: Record, results: Results) -> str:
    """What no figure of the report contains, and why."""
    rows = []
    for module in record.modules:
        lacking: dict[str, list[str]] = {}
        for name in record.configurations:
            if results.get(module, name) is None:
                good, made = results.unfinished.get((module, name), (0, 0))
                failed = f", {made - good} without a result" if made > good else ""
                lacking.setdefault(f"{made} of {record.seeds} runs made{failed}", []).append(name)
        if lacking:
            said = "; ".join(f"{why}: {_names(names, record.configurations)}" for why, names in lacking.items())
            rows.append([module, said])
    notes: dict[str, int] = {}
    for row in record.rows:
        if row.note:
            notes[f"{row.key.module}: {row.note}"] = notes.get(f"{row.key.module}: {row.note}", 0) + 1
    text = table(["module", "what is missing"], rows) if rows else "Everything that was asked for was run."
    said = "\n".join(f"- {note} ({count} runs)" for note, count in sorted(notes.items()))
    return f"{text}\n\nWhat engines said:\n\n{said}" if said else text


def _names(names: Sequence[str], every: Sequence[str]) -> str:
    return "all configurations" if len(names) == len(every) else ", ".join(names)


def invocations(record: Record) -> str:
    """By whom and where."""
    lines = [
        f"- {one.started}: `{one.command}` ({one.machine}; {one.jobs} at once; Python {one.python} on the host)"
        for one in record.invocations
    ]
    return f"Wall limit of a run: {record.wall:g} s. Run by:\n\n" + "\n".join(lines) if lines else ""
