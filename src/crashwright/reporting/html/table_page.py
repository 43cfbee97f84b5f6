"""A page with one large table that sorts and filters: rows of plain values, as many as there are.

The rows are data in the page, and its script shows a hundred of them at a time; without a script the first hundred are there.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import quote

from crashwright.reporting.html.page import embedded, page, printable

SHOWN = 100
"""Rows at a time."""
_MOST_CHOICES = 60
"""Values of a column that may be chosen from; more are told by how often they come."""
Cell = str | int | float | None


class ColumnKind(StrEnum):
    """What stands in a column."""

    TEXT = "text"
    NUMBER = "number"
    CHOICE = "choice"
    """Few values, by which rows can be chosen; their counts are shown."""
    LONG = "long"
    """A text of many lines, folded away."""
    FILE = "file"
    """A path; a link if the column says what it is relative to."""


class Column(NamedTuple):
    """A column with its head. ``base`` is the address, seen from the page, of the folder that holds what a FILE column names."""

    head: str
    kind: ColumnKind = ColumnKind.TEXT
    base: str = ""


class ColumnChoice(NamedTuple):
    """The values of one column with their counts, the most frequent first."""

    column: int
    head: str
    counts: tuple[tuple[str, int], ...]


def table_page(
    title: str,
    columns: Sequence[Column],
    rows: Iterable[Sequence[Cell]],
    facts: Iterable[tuple[str, str]] = (),
    notes: Iterable[str] = (),
) -> str:
    """The page: ``rows`` have a cell for each of ``columns``; ``facts`` (what, value) stand above the table, ``notes`` below."""
    kept = [[printable(cell) for cell in row] for row in rows]
    numbers = [place for place, column in enumerate(columns) if column.kind is ColumnKind.NUMBER]
    for row in kept:
        for place in numbers:
            row[place] = _finite(row[place])
    return page(
        "table.html.j2",
        ("page.js", "table.js"),
        title=title,
        facts=list(facts),
        notes=list(notes),
        columns=columns,
        choices=[_choice(place, one, kept) for place, one in enumerate(columns) if one.kind is ColumnKind.CHOICE],
        first=kept[:SHOWN],
        total=len(kept),
        shown=SHOWN,
        data=embedded({"kinds": [column.kind for column in columns], "rows": kept, "shown": SHOWN, "bases": [*_bases(columns)]}),
        address=_address,
    )


def folder_from(page_file: str, folder: str) -> str:
    """The address of ``folder`` in a page that is written to ``page_file``: relative, so that both can be moved together."""
    return _quoted(os.path.relpath(folder, os.path.dirname(os.path.abspath(page_file)))) + "/"


def _bases(columns: Sequence[Column]) -> Iterable[str]:
    """Never another scheme than that of the page: each begins with a dot."""
    return (f"./{column.base}" if column.base else "" for column in columns)


def _address(column: Column, name: str) -> str:
    return f"./{column.base}{_quoted(name)}"


def _quoted(path: str) -> str:
    return quote(path, errors="replace")


def _choice(place: int, column: Column, rows: Sequence[Sequence[object]]) -> ColumnChoice:
    counts = Counter("" if row[place] is None else str(row[place]) for row in rows)
    return ColumnChoice(place, column.head, tuple(sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:_MOST_CHOICES]))


def _finite(value: object) -> object:
    """JSON has no word for what is not."""
    return None if isinstance(value, float) and value - value != 0 else value
