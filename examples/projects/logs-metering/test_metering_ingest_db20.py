"""ZeroDivisionError in metering/readings.py:25 (rate), reached from Meters.ingest.

Both frames and the message of the report. Red until the bug is fixed.
crashwright reproduce worker.log --seed 1
"""

from metering.service import Meters


def test_ingest_raises_zero_division_error():
    meters = Meters()
    batch = [";1111-11-11111;1"]
    meters.ingest(batch)
    meters.ingest(batch)  # ZeroDivisionError: float division by zero
