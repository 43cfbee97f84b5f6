"""``crashwright verify``: does a test still reproduce the crash of a report, or is it fixed?"""

from __future__ import annotations

import json as json_module
import sys
from typing import Annotated

from cyclopts import App, Parameter

from crashwright.cli.json_errors import errors_as_json
from crashwright.cli.project_settings import configured
from crashwright.cli.report_text import report_text
from crashwright.reporting.json_result import verification_document
from crashwright.reporting.rows import show_rows
from crashwright.reporting.verification import verification_rows
from crashwright.supervision.fresh import run_fresh
from crashwright.supervision.scratch import Scratch
from crashwright.workflows.fixed_side import Fixed
from crashwright.workflows.inquiries.verify import VerifyRequest, verify

_SETTINGS = ("index", "python", "path", "package", "frame", "allow", "json", "fixed-python", "fixed-path", "fixed-ref")
"""The keys of ``[tool.crashwright]`` that it understands."""

app = App(
    name="verify",
    config=configured(*_SETTINGS),
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
    index: str | None = None,
    python: str | None = None,
    path: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    package: str | None = None,
    frame: int | None = None,
    allow: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = (),
    json: Annotated[bool, Parameter(negative="")] = False,
    fixed_python: str = "",
    fixed_path: str = "",
    fixed_ref: str = "",
) -> int:
    """Say whether a test still reproduces the crash of a report, or it is fixed. It is run three times, in fresh interpreters; with
    a fixed side three times there too.

    Exit codes: 0 reproduces it (and passes after the fix), 1 does not, or still crashes after the fix, 4 in part or now and then,
    or raises another error after the fix, 3 does not run.

    Parameters
    ----------
    test
        A pytest file of any origin, or FILE::TEST.
    report
        The file with the report of the crash, or its address (with --allow fetch); - reads it from standard input.
    index
        Which report of a text that holds several, counted from 1; 2.1 is the first member of the second one's group.
    python
        The interpreter that can import the crashing package [default: the one that runs crashwright].
    path
        A folder to import from, besides what is installed; may be repeated.
    package
        The import name of the package to blame [default: your own code, else the installed library that was called].
    frame
        The outermost frame that must agree, counted from the crash frame, 1 [default: the package's outermost frame].
    allow
        As for reproduce: network, processes, ctypes or write:FOLDER.
    json
        One JSON document on standard output.
    fixed_python
        An interpreter in which the bug is fixed: does the test pass there?
    fixed_path
        A folder to import the fixed package from, to the same end.
    fixed_ref
        A commit, branch or tag of the project in which it is fixed, to the same end; your working tree stays as it is.
    """
    with errors_as_json(json):
        request = VerifyRequest(
            test=test,
            report=report_text(report, allow),
            index=index,
            python=python or sys.executable,
            path=path,
            package=package,
            frame=frame,
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
