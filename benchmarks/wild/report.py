"""The sweep as a table, and the rows behind it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.record import machine
from benchmarks.wild.judging import deadline, grave, is_late, is_starved, outcome
from benchmarks.wild.runs import COMMANDS, Row

SLOWEST = 5


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a report is made of: of each package and command the last run, and why packages were passed over."""

    rows: tuple[Row, ...]
    problems: dict[str, str]
    seed: int
    earlier: tuple[Row, ...] = ()


def report(sweep: Sweep, note: str = "") -> str:
    """Markdown."""
    return "\n".join([*_head(sweep), note, *_outcomes(sweep), *_wrong(sweep), *_slowest(sweep), *_all(sweep)]) + "\n"


def _head(sweep: Sweep) -> Iterator[str]:
    rows = sweep.rows
    loads = sorted(row.load for row in rows) or [0.0]
    programs = Counter(f"{row.key.commit} with {_bound(row)}" for row in rows)
    yield "# The wild sweep\n"
    yield f"{len({row.key.package for row in rows})} published packages, drawn with seed {sweep.seed}; `python -m benchmarks.wild`."
    yield f"{machine()}; load average {loads[0]} to {loads[-1]}, median {loads[len(loads) // 2]}."
    yield "Program: " + ", ".join(f"{program} ({count} runs)" for program, count in programs.most_common()) + "."


def _bound(row: Row) -> str:
    return f"{row.key.budget:g} s" if row.key.evaluations is None else f"{row.key.evaluations} tests"


def _outcomes(sweep: Sweep) -> Iterator[str]:
    yield "\n| command | runs | outcomes | internal, left running or written | late | of these with half a processor or more |"
    yield "|---|--:|---|--:|--:|--:|"
    for command in COMMANDS:
        rows = [row for row in sweep.rows if row.key.command == command]
        late = [row for row in rows if is_late(row)]
        counts = Counter(map(outcome, rows))
        text = ", ".join(f"{name} {count}" for name, count in counts.most_common())
        wrong = sum(bool(grave(row)) for row in rows)
        yield f"| {command} | {len(rows)} | {text} | {wrong} | {len(late)} | {sum(not is_starved(row) for row in late)} |"
    if sweep.problems:
        counts = Counter(sweep.problems.values())
        yield "\nPassed over: " + ", ".join(f"{count} ({why})" for why, count in counts.most_common()) + "."


def _wrong(sweep: Sweep) -> Iterator[str]:
    yield "\n## Not as asked\n"
    wrong = [row for row in sweep.rows if grave(row)]
    if not wrong:
        yield "No internal error, nothing left running, nothing written elsewhere."
    yield from (_line(row) for row in _sorted(wrong))
    before = [row for row in sweep.earlier if grave(row)]
    if before:
        yield "\nBy earlier states of the program, and not by the one that ran last:\n"
        yield from (_line(row) for row in _sorted(before))
    late = [row for row in sweep.rows if is_late(row)]
    if late:
        yield "\nLate (seconds taken, allowed, and of the processor):\n"
        yield from (
            f"- {row.key.package} {row.key.command} {row.seconds:.1f} of {deadline(row):.1f}, {row.cpu:.1f} ({row.key.commit})"
            for row in _sorted(late)
        )


def _line(row: Row) -> str:
    last = row.output.strip().splitlines()[-1] if row.output.strip() else ""
    return f"- {row.key.package} {row.key.command} `{row.target}` ({row.key.commit}): {'; '.join(grave(row))}; last line: `{last}`"


def _sorted(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (row.key.package.lower(), row.key.command))


def _slowest(sweep: Sweep) -> Iterator[str]:
    for command in COMMANDS:
        rows = [row for row in sweep.rows if row.key.command == command]
        timed = sorted((row for row in rows if row.key.evaluations is None), key=lambda row: deadline(row) - row.seconds)
        yield f"\nNearest to the deadline of {command}, or beyond: " + ", ".join(
            f"{row.key.package} {row.seconds:.1f} of {deadline(row):.1f} s ({row.cpu:.1f} s of them processor)"
            for row in timed[:SLOWEST]
        )
        rated = sorted((row for row in rows if row.tests_per_second), key=lambda row: row.tests_per_second or 0.0)
        yield f"Fewest tests a second of {command}: " + ", ".join(
            f"{row.key.package} {row.tests_per_second:,.1f}" for row in rated[:SLOWEST]
        )


def _all(sweep: Sweep) -> Iterator[str]:
    yield "\n## All\n"
    yield "| package | command | target | outcome | s | processor s | tests/s | program |\n|---|---|---|---|--:|--:|--:|---|"
    for row in _sorted(list(sweep.rows)):
        rate = f"{row.tests_per_second:,.0f}" if row.tests_per_second is not None else ""
        target = row.target.replace("|", "\\|")
        parts = (
            row.key.package,
            row.key.command,
            f"`{target}`",
            outcome(row),
            f"{row.seconds:.1f}",
            f"{row.cpu:.1f}",
            rate,
            row.key.commit,
        )
        yield f"| {' | '.join(parts)} |"


def save(file: Path, sweep: Sweep) -> None:
    """The rows behind the report, one a line."""
    lines = ",\n".join("  " + json.dumps(asdict(row)) for row in _sorted([*sweep.rows, *sweep.earlier]))
    head = json.dumps({"seed": sweep.seed, "machine": machine(), "problems": sweep.problems})
    file.write_text(f'{head[:-1]}, "runs": [\n{lines}\n]}}\n')
