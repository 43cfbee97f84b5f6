"""ZeroDivisionError in cohorts/retention.py:28 (retention).

The frame and the message of the report. Red until the bug is fixed.
crashwright reproduce crash.txt --seed 1
"""

from cohorts.retention import retention


def test_retention_raises_zero_division_error():
    retention([], 0, 0)  # ZeroDivisionError: division by zero
