"""``crashwright explain``: what a report says, and what would be searched, without running anything of the package (but for
preconditions)."""

from __future__ import annotations

import json as json_module
import sys
from functools import partial
from typing import Annotated

from cyclopts import App, Parameter

from crashwright.cli.json_errors import errors_as_json
from crashwright.cli.option_groups import EVERYDAY, short
from crashwright.cli.project_settings import configured
from crashwright.cli.report_text import report_text
from crashwright.reporting.explanation import explanation_rows
from crashwright.reporting.json_result import explanation_document
from crashwright.reporting.rows import show_rows
from crashwright.workflows.inquiries.explain import ExplainRequest, explain
from crashwright.workflows.inquiries.witnessing import StartEngine

_KEYS = ("report-number", "python", "path", "package", "target-frame", "allow", "preconditions", "wants", "json")

app = App(
    name="explain",
    config=configured(*_KEYS),
    group_parameters=EVERYDAY,
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
    result_action="return_value",
)


@app.default
def command(
    report: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    report_number: str | None = None,
    python: Annotated[str | None, short("python", "p")] = None,
    path: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    package: str | None = None,
    target_frame: int | None = None,
    allow: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    preconditions: Annotated[bool, Parameter(negative="", show_default=False)] = False,
    wants: Annotated[bool, Parameter(negative="", show_default=False)] = False,
    json: Annotated[bool, Parameter(negative="", show_default=False)] = False,
) -> int:
    """Explain a report: its exception, the code of its frames on this machine, and what the search would look for. The package is
    not run, except with --preconditions.

    Parameters
    ----------
    report
        The file with the report, or its address (needs --allow fetch); - reads it from standard input.
    report_number
        Which report to use if the text has several. Example: --report-number 2 is the second one [default: the last].
    python
        The Python interpreter that can import the crashing package [default: the one that runs crashwright].
    path
        A folder to import your code from, if it is not installed; may be repeated.
    package
        The import name of the package to test [default: your own code, else the installed library that was called].
    target_frame
        The frame to call, counted outwards from the crash: 1 is the function that crashed [default: the package's outermost frame].
    allow
        As for reproduce. Only secrets and fetch matter here: show values that look like secrets, load the report from its address.
    preconditions
        Also show the conditions for the crash, frame by frame, as derived from the source code and compared with up to 3,000 runs
        of the package, confined as for reproduce. Takes up to 60 s.
    wants
        Also show what the code wants of each parameter of the function that a test enters, and of its class: types, attributes,
        keys, formats, each with the lines that say so. The whole package is read for it.
    json
        Print the result as one JSON document on standard output.
    """
    with errors_as_json(json):
        request = ExplainRequest(
            report=report_text(report, allow),
            report_name=report,
            index=report_number,
            python=python or sys.executable,
            path=path,
            package=package,
            frame=target_frame,
            allow=allow,
            asked_python=python or "",
            preconditions=preconditions,
            wants=wants,
        )
        explanation = explain(request, _engines() if preconditions else None)
        if json:
            print(json_module.dumps(explanation_document(explanation), indent=2))
        else:
            show_rows(explanation_rows(explanation))
        return explanation.exit_code


def _engines() -> StartEngine:
    # Only preconditions are held against runs.
    from crashwright.supervision.engine_process import EngineProcess
    from crashwright.supervision.watchdog import Watchdog

    return partial(EngineProcess, watchdog=Watchdog())
