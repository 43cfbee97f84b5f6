"""``crashwright explain``: what a report says, and what would be searched, without running anything of the package."""

from __future__ import annotations

import json as json_module
import sys
from typing import Annotated

from cyclopts import App, Parameter

from crashwright.cli.json_errors import errors_as_json
from crashwright.cli.project_settings import configured
from crashwright.cli.report_text import report_text
from crashwright.reporting.explanation import explanation_rows
from crashwright.reporting.json_result import explanation_document
from crashwright.reporting.rows import show_rows
from crashwright.workflows.inquiries.explain import ExplainRequest, explain

_KEYS = ("index", "python", "path", "package", "frame", "allow", "preconditions", "json")

app = App(
    name="explain",
    config=configured(*_KEYS),
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
    result_action="return_value",
)


@app.default
def command(
    report: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    index: str | None = None,
    python: str | None = None,
    path: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    package: str | None = None,
    frame: int | None = None,
    allow: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    preconditions: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Say what a report tells, which code its frames are here, and what would be searched. Nothing of the package is run.

    Parameters
    ----------
    report
        The file with the report, or its address (with --allow fetch); - reads it from standard input.
    index
        Which report of a text that holds several, counted from 1; 2.1 is the first member of the second one's group.
    python
        The interpreter that can import the crashing package [default: the one that runs crashwright].
    path
        A folder to import from, besides what is installed; may be repeated.
    package
        The import name of the package to blame [default: your own code, else the installed library that was called].
    frame
        Where the test enters, counted from the crash frame, 1, outwards [default: the package's outermost frame].
    allow
        As for reproduce; of these, secrets matters here: values that look like secrets are shown.
    preconditions
        Also say under which conditions the crash happens, frame by frame, from the sources alone; takes up to 20 s.
    json
        One JSON document on standard output.
    """
    with errors_as_json(json):
        request = ExplainRequest(
            report=report_text(report, allow),
            report_name=report,
            index=index,
            python=python or sys.executable,
            path=path,
            package=package,
            frame=frame,
            allow=allow,
            asked_python=python or "",
            preconditions=preconditions,
        )
        explanation = explain(request)
        if json:
            print(json_module.dumps(explanation_document(explanation), indent=2))
        else:
            show_rows(explanation_rows(explanation))
        return explanation.exit_code
