"""KeyError in timesheet/hours.py:16 (minutes), reached from add.

All 3 frames and the message of the report. Red until the bug is fixed.
crashwright reproduce crash.txt --path . --package timesheet --frame 3 --seed 1
"""

from timesheet.cli import add


def test_add_raises_key_error():
    add("aa")  # KeyError: 'h'
