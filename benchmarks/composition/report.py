"""The rows as tables: how many crashes each step leaves, and the columns of paper 002's Table 5, by set of the pack."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.composition.runs import REPRODUCED, Row

COLUMNS: tuple[tuple[str, Callable[[Row], bool]], ...] = (
    ("a precondition of some frame", lambda row: row.solved > 0),
    ("a precondition of the outermost frame", lambda row: row.solved == row.frames),
    ("tests of some frame", lambda row: row.tests > 0),
    ("tests of the outermost frame", lambda row: row.composed == row.frames),
    ("the crash at its line (level 1 or more)", lambda row: row.level > 0),
    ("all frames (level 3 or 4)", lambda row: row.level > 2),
    ("reproduced (level 4)", lambda row: row.level == REPRODUCED),
)


ENDS: tuple[tuple[str, Callable[[Row], bool]], ...] = (
    ("no precondition of any frame", lambda row: row.solved == 0),
    ("preconditions of inner frames only, and no test", lambda row: row.solved < row.frames and not row.tests),
    ("tests of inner frames only", lambda row: row.composed < row.frames and row.tests > 0),
    ("a precondition of the outermost frame, and no test", lambda row: not row.tests),
    ("tests of the outermost frame that do something else", lambda row: row.level < REPRODUCED),
)
"""Where those end that are not reproduced: the first that holds."""


def save(folder: Path, rows: Sequence[Row], note: str = "") -> str:
    """Write both files; returns the text. ``note``: a sentence for the head."""
    folder.mkdir(parents=True, exist_ok=True)
    text = report(rows, note)
    (folder / "composition.md").write_text(text, encoding="utf-8")
    (folder / "composition.json").write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", encoding="utf-8")
    return text


def report(rows: Sequence[Row], note: str = "") -> str:
    """All of it as Markdown."""
    subsets = sorted({row.subset for row in rows})
    head = [
        "# Tests composed by the symbolic engine alone",
        "",
        f"{len(rows)} crashes, {rows[0].key.limit:g} s each for composing, strategy `{rows[0].key.strategy}`, "
        f"program {rows[0].key.commit}."
        if rows
        else "No rows.",
        *([note] if note else []),
        "",
        "| crashes with | all | " + " | ".join(f"set {one}" for one in subsets) + " |",
        "|---|--:|" + "--:|" * len(subsets),
    ]
    groups = [rows, *[[row for row in rows if row.subset == one] for one in subsets]]
    counts = [f"| {name} | " + " | ".join(_share(group, holds) for group in groups) + " |" for name, holds in COLUMNS]
    ends = ["| not reproduced: where they end | all | " + " | ".join(f"set {one}" for one in subsets) + " |", head[-1]]
    for name, count in zip([name for name, _ in ENDS], zip(*[_ends(group) for group in groups], strict=True), strict=True):
        ends.append(f"| {name} | " + " | ".join(map(str, count)) + " |")
    return "\n".join([*head, *counts, "", *ends, "", *_table_5(rows), "", *_tests(rows)]) + "\n"


def _ends(rows: Sequence[Row]) -> list[int]:
    """How many end where."""
    found = [0] * len(ENDS)
    for row in rows:
        if row.level < REPRODUCED:
            found[next(place for place, (_, holds) in enumerate(ENDS) if holds(row))] += 1
    return found


def _share(rows: Sequence[Row], holds: Callable[[Row], bool]) -> str:
    count = sum(map(holds, rows))
    return f"{count} ({count / len(rows):.0%})" if rows else "0"


def _table_5(rows: Sequence[Row]) -> list[str]:
    """Of those that reproduce: objects, candidates, lengths."""
    found = [row for row in rows if row.level == REPRODUCED]
    if not found:
        return []
    lengths = [row.statements for row in found]
    return [
        "| reproduced | avg. objects | avg. candidates | avg. (min - max) statements | seconds to the first test (median, mean) |",
        "|--:|--:|--:|--:|--:|",
        f"| {len(found)} | {statistics.mean(row.objects for row in found):.1f} | {statistics.mean(row.tests for row in found):.1f} "
        f"| {statistics.mean(lengths):.1f} ({min(lengths)} - {max(lengths)}) "
        f"| {statistics.median(row.first for row in found):.1f}, {statistics.mean(row.first for row in found):.1f} |",
    ]


def _tests(rows: Sequence[Row]) -> list[str]:
    lines = ["| crash | set | frames | precondition | tests | of frame | level | seconds |", "|---|---|--:|--:|--:|--:|--:|--:|"]
    lines += [
        f"| {row.key.crash} | {row.subset} | {row.frames} | {row.solved} | {row.tests} | {row.composed} | {row.level} "
        f"| {row.seconds:.1f} |"
        for row in rows
    ]
    for row in rows:
        if row.level:
            lines += ["", f"{row.key.crash}, level {row.level}:", "```python", row.text, "```"]
    return lines
