"""What a run came to, and what is not as asked: an internal error, something left running or written, a missed deadline."""

from __future__ import annotations

import math
import re

from benchmarks.wild.runs import Row

INTERNAL = 70
OUTCOMES = {
    "reproduce": {0: "reproduced", 1: "not found", 2: "refused", 3: "refused", 4: "partial"},
    "generate": {0: "written", 1: "nothing to write", 2: "refused", 3: "refused"},
}
_OURS = re.compile(r"the engine failed|internal error|defect of crashwright|died .*times|does not answer", re.IGNORECASE)
_ESCAPED = re.compile(r"^Traceback \(most recent call last\):", re.MULTILINE)
STARVED = 0.5
LATE, SHARE = 1.0, 0.5
"""``reproduce`` may take its budget and a second, ``generate`` half as long again and what its start takes."""


def outcome(row: Row) -> str:
    """In a word or two."""
    if row.code is None:
        return "hung"
    if row.code == INTERNAL or _OURS.search(row.output) or _ESCAPED.search(row.output):
        return "internal"
    return OUTCOMES[row.key.command].get(row.code, f"exit {row.code}")


def deadline(row: Row) -> float:
    """The seconds that the run was allowed."""
    budget = row.key.budget if row.key.evaluations is None else math.inf
    return budget + LATE if row.key.command == "reproduce" else budget * (1 + SHARE) + row.start


def complaints(row: Row) -> tuple[str, ...]:
    """What is not as asked, in words; nothing where all is."""
    late = (f"late: {row.seconds:.1f} s of {deadline(row):.1f} s allowed",) if is_late(row) else ()
    return (*grave(row), *late)


def grave(row: Row) -> tuple[str, ...]:
    """What may not be on any machine, however busy."""
    found = []
    said = outcome(row)
    if said in ("internal", "hung") or said.startswith("exit"):
        found.append(said)
    if row.running:
        found.append(f"left running: {', '.join(row.running)}")
    if row.written:
        found.append(f"written: {', '.join(row.written)}")
    return tuple(found)


def is_late(row: Row) -> bool:
    """It missed its deadline."""
    return row.seconds > deadline(row)


def is_starved(row: Row) -> bool:
    """It had less than half of a processor: what it says of deadlines is about the machine."""
    return row.cpu < STARVED * row.seconds
