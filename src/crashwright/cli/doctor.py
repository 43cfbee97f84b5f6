"""``crashwright doctor``: is this machine, and that interpreter, fit for a search?"""

from __future__ import annotations

import sys

from cyclopts import App

from crashwright.cli.option_groups import EVERYDAY
from crashwright.reporting.doctor import doctor_lines
from crashwright.workflows.inquiries.doctor import doctor

app = App(
    name="doctor",
    group_parameters=EVERYDAY,
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
    result_action="return_value",
)


@app.default
def command(*, python: str | None = None) -> int:
    """Check whether a search can run on this machine, with this interpreter.

    Parameters
    ----------
    python
        The Python interpreter that can import the crashing package [default: the one that runs crashwright].
    """
    diagnosis = doctor(python or sys.executable)
    for line in doctor_lines(diagnosis):
        print(line)
    return diagnosis.exit_code
