"""The page of a batch: its crashes as a table that sorts and filters, with their counts and what came of each.

It is made from the JSON document of a batch, also from one that was saved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from crashwright.core.codec import Undecodable
from crashwright.reporting.html.table_page import Cell, Column, ColumnKind, folder_from, table_page

_COLUMNS = (
    ("title", Column("Crash")),
    ("verdict", Column("Answer", ColumnKind.CHOICE)),
    ("count", Column("Times", ColumnKind.NUMBER)),
    ("subject", Column("Subject", ColumnKind.CHOICE)),
    ("evaluations", Column("Tests run", ColumnKind.NUMBER)),
    ("seconds", Column("Seconds", ColumnKind.NUMBER)),
    ("file", Column("File", ColumnKind.FILE)),
    ("reason", Column("Why not")),
    ("source", Column("First in", ColumnKind.FILE)),
)
"""Fields of a crash, and what stands above them."""


def batch_page(document: Mapping[str, Any], page_file: str = "") -> str:
    """The page of a JSON document with ``crashes``; with links to the tests, if it is written to ``page_file``. Raises Undecodable
    if it is none."""
    crashes = document.get("crashes")
    if not isinstance(crashes, list) or not all(isinstance(one, dict) for one in crashes):
        raise Undecodable("crashes: a list of objects expected")
    rows = (tuple(_cell(one.get(name), column.kind) for name, column in _COLUMNS) for one in crashes)
    return table_page("A batch of crashes", _columns(document, page_file), rows, _facts(document), _notes(document))


def _columns(document: Mapping[str, Any], page_file: str) -> list[Column]:
    folder = document.get("folder")
    base = folder_from(page_file, folder) if page_file and isinstance(folder, str) and "\0" not in folder else ""
    return [column._replace(base=base) if name == "file" else column for name, column in _COLUMNS]


def _cell(value: object, kind: ColumnKind) -> Cell:
    """A value of another type than the column has is not known."""
    if kind is ColumnKind.NUMBER:
        return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None
    return value if isinstance(value, str) else None


def _facts(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    reports, counts, seconds = document.get("reports"), document.get("counts"), document.get("seconds")
    yield "Crashes", f"{len(document['crashes']):,}"
    if isinstance(reports, int):
        yield "Reports", f"{reports:,}"
    if isinstance(counts, dict):
        yield from ((str(name).capitalize(), f"{count:,}") for name, count in counts.items() if isinstance(count, int) and count)
    if isinstance(seconds, (int, float)):
        yield "Seconds", f"{seconds:,.0f}"


def _notes(document: Mapping[str, Any]) -> Iterator[str]:
    notes, unread = document.get("notes"), document.get("unread")
    yield from (one for one in notes if isinstance(one, str)) if isinstance(notes, list) else ()
    for one in unread if isinstance(unread, list) else ():
        if isinstance(one, dict):
            yield f"{one.get('name')}: {one.get('reason')}"
