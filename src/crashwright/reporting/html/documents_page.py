"""The page of saved JSON documents: one as the command that made it would show it, several as a table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from crashwright.core.codec import Undecodable
from crashwright.reporting.html.batch_page import batch_page
from crashwright.reporting.html.crash_page import crash_page
from crashwright.reporting.html.suite_page import suite_page
from crashwright.reporting.html.table_page import Cell, Column, ColumnKind, table_page

COLUMNS = (
    Column("What"),
    Column("Result", ColumnKind.CHOICE),
    Column("Where"),
    Column("Package", ColumnKind.CHOICE),
    Column("Tests run", ColumnKind.NUMBER),
    Column("Seconds", ColumnKind.NUMBER),
    Column("File", ColumnKind.FILE),
    Column("More", ColumnKind.LONG),
)


class NamedDocument(NamedTuple):
    """A JSON document under the name of its file."""

    name: str
    document: Mapping[str, Any]


def documents_page(documents: Sequence[NamedDocument], pages: Sequence[str] = (), base: str = "") -> str:
    """The page. In the table of several, each is linked to its own of ``pages``, which are in the folder with the address ``base``.
    Raises Undecodable where a document is none of ours."""
    if len(documents) == 1:
        return own_page(documents[0])
    rows, columns = [row(one) for one in documents], [*COLUMNS]
    if pages:
        columns.append(Column("Page", ColumnKind.FILE, base))
        rows = [(*cells, page) for cells, page in zip(rows, pages, strict=True)]
    return table_page("Results of crashwright", columns, rows, [("Documents", f"{len(documents):,}")])


def own_page(one: NamedDocument) -> str:
    """The page of one document. Raises Undecodable where it is none of ours."""
    name, document = one
    if "target" in document:
        return crash_page(document)
    if "modules" in document:
        return suite_page(document)
    if "crashes" in document:
        return batch_page(document)
    raise Undecodable(f"{name}: neither a result of reproduce nor of generate")


def row(one: NamedDocument) -> tuple[Cell, ...]:
    """A document in a line of the table; one that is of another form is told by its name."""
    document = one.document
    target, test, error = _part(document, "target"), _part(document, "test"), _part(document, "error")
    verdict = _text(document.get("verdict")) or "unknown"
    if error:
        return one.name, verdict, "", "", None, None, "", f"{_text(error.get('message'))}\n{_text(error.get('advice'))}"
    if not target:
        subject, files = _text(document.get("subject")) or one.name, _texts(document, "modules", "file")
        return subject, verdict, "", subject, None, _number(document.get("seconds")), ", ".join(files), ""
    crash = f"{_text(target.get('exception'))}: {_text(target.get('message'))}"
    frames = target.get("frames")
    last = frames[-1] if isinstance(frames, list) and frames and isinstance(frames[-1], dict) else {}
    where = f"{_text(last.get('path'))}:{last.get('line')}" if last else ""
    told = [_text(test.get("text")), *_list(document, "hints"), *_list(document, "advice")]
    seconds = _number(_part(document, "timing").get("total"))
    return (
        crash,
        verdict,
        where,
        _text(target.get("package")),
        _number(document.get("evaluations")),
        seconds,
        _text(test.get("file")),
        "\n".join(filter(None, told)),
    )


def read_documents(name: str, text: str) -> list[NamedDocument]:
    """The documents of a file: one, a list of them, or one a line. Raises ValueError where there is none."""
    try:
        found = json.loads(text)
    except ValueError:
        found = [json.loads(line) for line in text.splitlines() if line.strip()]
    documents = found if isinstance(found, list) else [found]
    if not documents or not all(isinstance(one, dict) for one in documents):
        raise ValueError("no JSON documents")
    return [NamedDocument(name, one) for one in documents]


def _part(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = document.get(name)
    return found if isinstance(found, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _list(document: Mapping[str, Any], name: str) -> list[str]:
    found = document.get(name)
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def _texts(document: Mapping[str, Any], name: str, part: str) -> list[str]:
    found = document.get(name)
    parts = [_text(one.get(part)) for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    return list(filter(None, parts))


def _number(value: object) -> float | int | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None
