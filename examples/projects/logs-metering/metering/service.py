"""What the service does with a batch."""

from __future__ import annotations

from metering.readings import Reading, parse_reading, rate


class Meters:
    def __init__(self, limit: float = 50.0) -> None:
        self.limit = limit
        self.last: dict[str, Reading] = {}

    def ingest(self, batch: list[str]) -> list[str]:
        """Warnings for meters above the limit."""
        warnings = []
        for line in batch:
            reading = parse_reading(line)
            earlier = self.last.get(reading.meter)
            if earlier is not None and rate(earlier, reading) > self.limit:
                warnings.append(f"{reading.meter}: above {self.limit} kW")
            self.last[reading.meter] = reading
        return warnings
