"""``crashwright page``: a page to look at, from JSON documents that were saved."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from crashwright.cli.page_file import check_page, write_page
from crashwright.cli.report_text import report_text
from crashwright.core.codec import Undecodable
from crashwright.core.errors import ExitCode, UsageError
from crashwright.reporting.html.documents_page import NamedDocument, documents_page, read_documents

_OPTION = "--output"
app = App(name="page", help_format="plaintext", suppress_keyboard_interrupt=False, result_action="return_value")


@app.default
def command(
    document: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *more: str,
    output: Annotated[str, Parameter(name=_OPTION)] = "crashwright.html",
) -> int:
    """Make a page to look at of what --json printed: one document as the command itself would show it, several as a table.

    Parameters
    ----------
    document
        A file with the JSON document of reproduce or generate, or with one a line; - reads standard input.
    more
        Further files.
    output
        The file to write.
    """
    check_page(output, _OPTION)
    documents = [one for name in (document, *more) for one in _documents(name)]
    try:
        text = documents_page(documents)
    except Undecodable as problem:
        raise UsageError(f"This is no result of reproduce or generate: {problem}.", "Save what their --json prints.") from None
    code = write_page(output, lambda: text, ExitCode.SUCCESS, _OPTION)
    if code == ExitCode.SUCCESS:
        print(f"wrote {output}")
    return code


def _documents(name: str) -> list[NamedDocument]:
    try:
        return read_documents(Path(name).name, report_text(name))
    except ValueError:
        raise UsageError(f"{name} holds no JSON document.", "Save what reproduce --json or generate --json prints.") from None
