"""``crashwright task``: one report of a batch, or one module of several. The request comes on standard input, as JSON; the document
goes out as of ``reproduce --json``, or ``generate --json``."""

from __future__ import annotations

import json
import sys
import time
from contextlib import closing

from cyclopts import App

from crashwright.cli.json_errors import errors_as_json
from crashwright.core.errors import UsageError
from crashwright.workflows.generate.request import SuiteRequest
from crashwright.workflows.places.place import ASKED
from crashwright.workflows.reproduce.request import Request

app = App(name="task", help_format="plaintext", suppress_keyboard_interrupt=False, result_action="return_value")


@app.default
def command() -> int:
    """Do what a request on standard input asks for, for crashwright batch and generate."""
    with errors_as_json(True):
        try:
            data = json.loads(sys.stdin.buffer.read())
        except ValueError:
            # Whoever asks may be killed before all of it is written.
            raise UsageError("There is no request on standard input.", "crashwright batch and generate write one.") from None
        request = ASKED.from_json(data)
        return _suite(request) if isinstance(request, SuiteRequest) else _crash(request)


# Each loads its own story: such a process is started for every crash and every module.


def _crash(request: Request) -> int:
    from crashwright.reporting.json_result import JsonReport
    from crashwright.workflows.machinery import machinery
    from crashwright.workflows.reproduce.story import reproduce

    shown = JsonReport(sys.stdout, sys.stderr, time.monotonic)
    with closing(shown):
        result = reproduce(request, machinery(), shown.event)
        shown.result(result)
        return result.exit_code


def _suite(request: SuiteRequest) -> int:
    from crashwright.reporting.suite_progress import SuiteJsonReport
    from crashwright.workflows.generate.machinery import suite_machinery
    from crashwright.workflows.generate.story import generate

    shown = SuiteJsonReport(sys.stdout, sys.stderr, time.monotonic)
    with closing(shown):
        result = generate(request, suite_machinery(), shown.event)
        shown.result(result)
        return result.exit_code
