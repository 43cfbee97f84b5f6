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


def save(folder: Path, rows: Sequence[Row]) -> str:
    """Write both files; returns the text."""
    folder.mkdir(parents=True, exist_ok=True)
    text = report(rows)
    (folder / "composition.md").write_text(text, encoding="utf-8")
    (folder / "composition.json").write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", encoding="utf-8")
    return text


def report(rows: Sequence[Row]) -> str:
    """All of it as Markdown."""
    subsets = sorted({row.subset for row in rows})
    head = [
        "# Tests composed by the symbolic engine alone",
        "",
        f"{len(rows)} crashes, {rows[0].key.limit:g} s each for composing, strategy `{rows[0].key.strategy}`, "
        f"program {rows[0].key.commit}."
        if rows
        else "No rows.",
        "",
        "| crashes with | all | " + " | ".join(f"set {one}" for one in subsets) + " |",
        "|---|--:|" + "--:|" * len(subsets),
    ]
    groups = [rows, *[[row for row in rows if row.subset == one] for one in subsets]]
    counts = [f"| {name} | " + " | ".join(_share(group, holds) for group in groups) + " |" for name, holds in COLUMNS]
    return "\n".join([*head, *counts, "", *_table_5(rows), "", *_tests(rows)]) + "\n"


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
        "| reproduced | avg. objects | avg. candidates | avg. (min - max) statements | seconds to the first test (median) |",
        "|--:|--:|--:|--:|--:|",
        f"| {len(found)} | {statistics.mean(row.objects for row in found):.1f} | {statistics.mean(row.tests for row in found):.1f} "
        f"| {statistics.mean(lengths):.1f} ({min(lengths)} - {max(lengths)}) "
        f"| {statistics.median(row.first for row in found):.1f} |",
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
