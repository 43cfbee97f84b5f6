"""``evidence.json``: every run behind the tables, one line each, from which another store can go on."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.comparison.provenance import Invocation
from benchmarks.evidence.crash_runs import CRASH_FORM
from benchmarks.evidence.suite_runs import SUITE_FORM
from benchmarks.flags.runs import CENSUSES
from benchmarks.store import Form, Store

FORMS: tuple[Form[Any, Any], ...] = (SUITE_FORM, CRASH_FORM, CENSUSES)
"""All kinds of rows in the store."""
Stores = Mapping[str, Store[Any, Any]]
"""By table."""


def open_stores(file: Path) -> Stores:
    """All kinds of rows, in one file."""
    return {form.table: Store(file, form) for form in FORMS}


def save(stores: Stores, program: str, started: Sequence[Invocation], file: Path) -> None:
    """Write the rows of one program, one a line, so that a change shows as one."""
    tables = ",\n".join(_table(form, _of_program(stores[form.table], form, program)) for form in FORMS)
    said = json.dumps([dataclasses.asdict(one) for one in started], indent=1)
    file.write_text(f'{{\n"program": {json.dumps(program)},\n"invocations": {said},\n"tables": {{\n{tables}\n}}\n}}\n')


def fill(stores: Stores, file: Path) -> int:
    """Add the rows of a file that ``save`` wrote, but for those that are there; returns how many. Raises ValueError where the file
    was written by a version that does not fit."""
    document = json.loads(file.read_text())
    added = 0
    for form in FORMS:
        fields = document["tables"][form.table]["fields"]
        if not set(form.needed) <= set(fields) <= set(form.fields):
            raise ValueError(f"{file}: {form.table} does not have the fields {', '.join(form.fields)}")
        rows = [form.of(fields, values) for values in document["tables"][form.table]["rows"]]
        new = [row for row in rows if stores[form.table].get(row.key) is None]
        stores[form.table].add(*new)
        added += len(new)
    return added


def _of_program(store: Store[Any, Any], form: Form[Any, Any], program: str) -> list[Any]:
    name = "commit" if "commit" in form.key_fields else "program"
    return store.rows(**{name: program})


def _table(form: Form[Any, Any], rows: Iterable[Any]) -> str:
    lines = ",\n".join("  " + json.dumps(form.flat(row)) for row in rows)
    return f' {json.dumps(form.table)}: {{"fields": {json.dumps(form.fields)}, "rows": [\n{lines}\n ]}}'
