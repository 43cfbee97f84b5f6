"""KeyError in timesheet/hours.py:16 (minutes), reached from add.

All 3 frames and the message of the report. Red until the bug is fixed.
crashwright reproduce crash.txt --seed 1
"""

from timesheet.cli import add


def test_add_raises_key_error():
    add.callback("", ("",), 0.0)  # KeyError: 'h'
