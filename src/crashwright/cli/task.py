"""``crashwright task``: one report of a batch. The request comes on standard input, as JSON; the document goes out as of
``reproduce --json``."""

from __future__ import annotations

import json
import sys
import time
from contextlib import closing

from cyclopts import App

from crashwright.cli.json_errors import errors_as_json
from crashwright.core.codec import from_json
from crashwright.reporting.json_result import JsonReport
from crashwright.workflows.machinery import machinery
from crashwright.workflows.reproduce.request import Request
from crashwright.workflows.reproduce.story import reproduce

app = App(name="task", help_format="plaintext", suppress_keyboard_interrupt=False, result_action="return_value")


@app.default
def command() -> int:
    """Reproduce the crash of a request on standard input, for crashwright batch."""
    shown = JsonReport(sys.stdout, sys.stderr, time.monotonic)
    with errors_as_json(True), closing(shown):
        request = from_json(Request, json.loads(sys.stdin.buffer.read()))
        result = reproduce(request, machinery(), shown.event)
        shown.result(result)
        return result.exit_code
