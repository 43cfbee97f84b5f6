"""``comparison.json``: every run behind the tables, one line each, and enough to print the tables again from it alone."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path

from benchmarks.comparison.provenance import Invocation
from benchmarks.comparison.runs import FORM, Row


@dataclass(frozen=True, slots=True)
class Record:
    """What a report is made of. ``chosen`` says why a crash is compared, ``left_out`` why another is not. ``wall`` is the limit of
    one run in seconds."""

    rows: tuple[Row, ...]
    configurations: tuple[str, ...]
    seeds: int
    evaluations: int
    wall: float
    commit: str
    chosen: dict[str, str]
    left_out: dict[str, str]
    invocations: tuple[Invocation, ...]


def save(record: Record, file: Path) -> None:
    """Write it, runs one a line, so that a change shows as one."""
    head = {field.name: getattr(record, field.name) for field in dataclasses.fields(record)}
    rows = head.pop("rows")
    head["invocations"] = [dataclasses.asdict(one) for one in record.invocations]
    text = json.dumps({**head, "fields": FORM.fields}, indent=2)
    runs = ",\n".join("    " + json.dumps(FORM.flat(row)) for row in rows)
    file.write_text(f'{text[:-2]},\n  "runs": [\n{runs}\n  ]\n}}\n')


def load(file: Path) -> Record:
    """Read it. Raises ValueError where it was written by a version of this script that does not fit; an earlier one lacks what has
    a default since."""
    head = json.loads(file.read_text())
    fields = head.pop("fields", ())
    if not set(FORM.needed) <= set(fields) <= set(FORM.fields):
        raise ValueError(f"{file} does not have the fields {', '.join(FORM.fields)}")
    head["rows"] = tuple(FORM.of(fields, values) for values in head.pop("runs"))
    head["configurations"] = tuple(head["configurations"])
    head["invocations"] = tuple(Invocation(**one) for one in head["invocations"])
    return Record(**head)
