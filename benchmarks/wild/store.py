"""Where rows are kept: a JSON line each, written as it comes, so that a killed script loses only the run under way."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.wild.runs import Key, Row


class Store:
    """The rows of one file; of two with one key the later counts."""

    def __init__(self, file: Path) -> None:
        self._file = file
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = file.read_text().splitlines() if file.exists() else []
        self._rows = {row.key: row for row in map(_row, map(json.loads, lines))}

    def get(self, key: Key) -> Row | None:
        """The row of ``key``, where that run was made."""
        return self._rows.get(key)

    def has(self, package: str, command: str) -> bool:
        """Any program has made such a run."""
        return any((key.package, key.command) == (package, command) for key in self._rows)

    def add(self, row: Row) -> None:
        """Keep ``row`` for good."""
        with self._file.open("a") as lines:
            lines.write(json.dumps(asdict(row)) + "\n")
        self._rows.pop(row.key, None)
        self._rows[row.key] = row

    def latest(self) -> list[Row]:
        """Of each package and command the row that was made last, whatever program made it."""
        found = {(row.key.package, row.key.command): row for row in self._rows.values()}
        return list(found.values())

    def earlier(self) -> list[Row]:
        """The others."""
        latest = set(self.latest())
        return [row for row in self._rows.values() if row not in latest]


def _row(data: dict[str, Any]) -> Row:
    key = Key(**data.pop("key"))
    running, written = (tuple(data.pop(name)) for name in ("running", "written"))
    return Row(key, **{"cpu": 0.0, **data}, running=running, written=written)
