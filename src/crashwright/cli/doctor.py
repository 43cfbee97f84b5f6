"""``crashwright doctor``: is this machine, and that interpreter, fit for a search?"""

from __future__ import annotations

import json as json_module
import sys
from typing import Annotated

from cyclopts import App, Parameter

from crashwright.cli.json_errors import errors_as_json
from crashwright.cli.option_groups import EVERYDAY, short
from crashwright.reporting.doctor import doctor_document, doctor_lines
from crashwright.workflows.inquiries.doctor import doctor

app = App(
    name="doctor",
    group_parameters=EVERYDAY,
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
    result_action="return_value",
)


@app.default
def command(
    *,
    python: Annotated[str | None, short("python", "p")] = None,
    json: Annotated[bool, Parameter(negative="", show_default=False)] = False,
) -> int:
    """Check whether a search can run on this machine, with this interpreter.

    Parameters
    ----------
    python
        The Python interpreter that can import the crashing package [default: the one that runs crashwright].
    json
        Print the result as one JSON document on standard output.
    """
    with errors_as_json(json):
        diagnosis = doctor(python or sys.executable)
        if json:
            print(json_module.dumps(doctor_document(diagnosis), indent=2))
        else:
            print("\n".join(doctor_lines(diagnosis)))
        return diagnosis.exit_code
