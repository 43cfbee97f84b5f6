"""``suites-NAME.json``: every run behind the tables, one line each, and enough to print the tables again from it alone."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path

from benchmarks.comparison.provenance import Invocation
from benchmarks.suites.runs import FORM, Row


@dataclass(frozen=True, slots=True)
class Record:
    """What a report is made of. ``wall`` is the limit of one run in seconds."""

    rows: tuple[Row, ...]
    modules: tuple[str, ...]
    configurations: tuple[str, ...]
    seeds: int
    evaluations: int
    wall: float
    commit: str
    invocations: tuple[Invocation, ...]


def save(record: Record, file: Path) -> None:
    """Write it, runs one a line, so that a change shows as one."""
    head = {field.name: getattr(record, field.name) for field in dataclasses.fields(record) if field.name != "rows"}
    head["invocations"] = [dataclasses.asdict(one) for one in record.invocations]
    text = json.dumps({**head, "fields": FORM.fields}, indent=1)
    runs = ",\n".join("  " + json.dumps(FORM.flat(row)) for row in record.rows)
    file.write_text(f'{text[:-2]},\n "runs": [\n{runs}\n ]\n}}\n')


def load(file: Path) -> Record:
    """Read it. Raises ValueError where it was written by another version of this script."""
    head = json.loads(file.read_text())
    if tuple(head.pop("fields", ())) != FORM.fields:
        raise ValueError(f"{file} does not have the fields {', '.join(FORM.fields)}")
    return Record(
        rows=tuple(FORM.unflat(values) for values in head["runs"]),
        modules=tuple(head["modules"]),
        configurations=tuple(head["configurations"]),
        seeds=head["seeds"],
        evaluations=head["evaluations"],
        wall=head["wall"],
        commit=head["commit"],
        invocations=tuple(Invocation(**one) for one in head["invocations"]),
    )
