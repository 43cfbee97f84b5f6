"""``crashwright verify``: does a test still reproduce the crash of a report, or is it fixed?"""

from __future__ import annotations

import json as json_module
import sys
from typing import Annotated

from cyclopts import App, Parameter

from crashwright.cli.json_errors import errors_as_json
from crashwright.cli.option_groups import EVERYDAY, short
from crashwright.cli.project_settings import configured
from crashwright.cli.report_text import report_text
from crashwright.reporting.json_result import verification_document
from crashwright.reporting.rows import show_rows
from crashwright.reporting.verification import verification_rows
from crashwright.supervision.fresh import run_fresh
from crashwright.supervision.scratch import Scratch
from crashwright.workflows.fixed_side import Fixed
from crashwright.workflows.inquiries.verify import VerifyRequest, verify

_SETTINGS = (
    "report-number",
    "python",
    "path",
    "package",
    "target-frame",
    "allow",
    "json",
    "fixed-python",
    "fixed-path",
    "fixed-ref",
)
"""The keys of ``[tool.crashwright]`` that it understands."""

app = App(
    name="verify",
    config=configured(*_SETTINGS),
    group_parameters=EVERYDAY,
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
    result_action="return_value",
)


@app.default
def command(
    test: str,
    report: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    report_number: str | None = None,
    python: Annotated[str | None, short("python", "p")] = None,
    path: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    package: str | None = None,
    target_frame: int | None = None,
    allow: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    json: Annotated[bool, Parameter(negative="", show_default=False)] = False,
    fixed_python: Annotated[str, Parameter(show_default=False)] = "",
    fixed_path: Annotated[str, Parameter(show_default=False)] = "",
    fixed_ref: Annotated[str, Parameter(show_default=False)] = "",
) -> int:
    """Check whether a test still reproduces the crash of a report, or the crash is fixed. The test is run three times, in fresh
    interpreters; if you name the fixed code, also three times with it.

    Exit codes: 0 reproduces the crash (and passes with the fix), 1 does not reproduce it, or still crashes with the fix, 4 only
    in part or not in every run, or raises another error with the fix, 3 does not run.

    Parameters
    ----------
    test
        A pytest file, from crashwright or your own, or FILE::TEST.
    report
        The file with the report of the crash, or its address (needs --allow fetch); - reads it from standard input.
    report_number
        Which report to use if the text has several. Example: --report-number 2 is the second one [default: the last].
    python
        The Python interpreter that can import the crashing package [default: the one that runs crashwright].
    path
        A folder to import your code from, if it is not installed; may be repeated.
    package
        The import name of the package to test [default: your own code, else the installed library that was called].
    target_frame
        The outermost frame that must match, counted outwards from the crash [default: the package's outermost frame].
    allow
        What the package may do, as for reproduce: network, processes, ctypes or write:FOLDER.
    json
        Print the result as one JSON document on standard output.
    fixed_python
        A Python interpreter that has the package with the bug fixed: the test has to pass there.
    fixed_path
        A folder with the fixed package: the test has to pass with it.
    fixed_ref
        A commit, branch or tag of the project with the bug fixed: the test has to pass there. Your working tree is not changed.
    """
    with errors_as_json(json):
        request = VerifyRequest(
            test=test,
            report=report_text(report, allow),
            index=report_number,
            python=python or sys.executable,
            path=path,
            package=package,
            frame=target_frame,
            allow=allow,
            fixed=Fixed(fixed_python, fixed_path, fixed_ref),
        )
        with Scratch() as scratch:
            result = verify(request, run_fresh, scratch, lambda level, run: None if json else _progress(level, run))
        if json:
            print(json_module.dumps(verification_document(result), indent=2))
        else:
            show_rows(verification_rows(result))
        return result.exit_code


def _progress(level: int, run: int) -> None:
    print(f"...        fresh run {run}: level {level} of 4", file=sys.stderr, flush=True)
