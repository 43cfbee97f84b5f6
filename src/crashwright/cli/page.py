"""``crashwright page``: a page to look at, from JSON documents that were saved."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from crashwright.cli.option_groups import EVERYDAY
from crashwright.cli.page_file import check_page, write_page
from crashwright.cli.report_text import report_text
from crashwright.core.codec import Undecodable
from crashwright.core.errors import ExitCode, UsageError
from crashwright.reporting.html.documents_page import NamedDocument, documents_page, read_documents

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
    output: Annotated[str, Parameter(name=_OPTION)] = "crashwright.html",
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
    """
    check_page(output, _OPTION)
    documents = [one for name in (document, *more) for one in _documents(name)]
    try:
        text = documents_page(documents)
    except Undecodable as problem:
        raise UsageError(f"This is not a result of reproduce or generate: {problem}.", "Save what --json prints.") from None
    code = write_page(output, lambda: text, ExitCode.SUCCESS, _OPTION)
    if code == ExitCode.SUCCESS:
        print(f"wrote {output}")
    return code


def _documents(name: str) -> list[NamedDocument]:
    try:
        return read_documents(Path(name).name, report_text(name))
    except ValueError:
        raise UsageError(f"{name} has no JSON document in it.", "Save what reproduce --json or generate --json prints.") from None
