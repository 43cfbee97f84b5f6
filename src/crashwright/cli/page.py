"""``crashwright page``: a page to look at, from JSON documents that were saved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from crashwright.cli.option_groups import EVERYDAY, short
from crashwright.cli.page_file import check_page, write_page
from crashwright.cli.report_text import report_text
from crashwright.core.codec import Undecodable
from crashwright.core.errors import EnvironmentProblem, ExitCode, UsageError
from crashwright.finishing.write import write
from crashwright.reporting.html.documents_page import NamedDocument, documents_page, own_page, read_documents
from crashwright.reporting.html.table_page import folder_from

_OPTION = "--output"
app = App(
    name="page",
    usage="Usage: crashwright page [OPTIONS] DOCUMENT...",
    group_parameters=EVERYDAY,
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
    result_action="return_value",
)


@app.default
def command(
    document: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *more: str,
    output: Annotated[str, short("output", "o")] = "crashwright.html",
    pages: str | None = None,
) -> int:
    """Make an HTML page from the results that --json printed: one result like --html, several as a table.

    Parameters
    ----------
    document
        A file with the JSON document that reproduce or generate printed, or with several, one on each line; - reads standard input.
    more
        More such files.
    output
        The page to write.
    pages
        A folder for a page of each result, linked from the table, if there are several. It is created if it does not exist.
    """
    check_page(output, _OPTION)
    documents = [one for name in (document, *more) for one in _documents(name)]
    try:
        own = _own_pages(documents) if pages is not None and len(documents) > 1 else {}
        names = [name if text else "" for name, text in own.items()]
        text = documents_page(documents, names, folder_from(output, pages or "."))
    except Undecodable as problem:
        raise UsageError(f"This is not a result of reproduce or generate: {problem}.", "Save what --json prints.") from None
    if own:
        _write_own(Path(pages or ""), own)
    code = write_page(output, lambda: text, ExitCode.SUCCESS, _OPTION)
    if code == ExitCode.SUCCESS:
        print(f"wrote {output}")
    return code


def _own_pages(documents: Sequence[NamedDocument]) -> dict[str, str]:
    """The name of each document's file, and its page: "" for a command that failed, which has nothing to show but its row."""
    made = {}
    for number, one in enumerate(documents, 1):
        name = f"{number:04}-{re.sub(r'[^A-Za-z0-9._-]+', '-', one.name)}.html"
        made[name] = "" if "error" in one.document else own_page(one)
    return made


def _write_own(folder: Path, own: dict[str, str]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvironmentProblem(f"{folder} cannot be made: {error.strerror}.", "Name another folder with --pages.") from None
    for name, text in own.items():
        if text:
            write(text, folder / name, "--pages")


def _documents(name: str) -> list[NamedDocument]:
    try:
        return read_documents(Path(name).name, report_text(name))
    except ValueError:
        raise UsageError(f"{name} has no JSON document in it.", "Save what reproduce --json or generate --json prints.") from None
