"""What a stay costs."""

from __future__ import annotations

import math
from decimal import Decimal

from .stays import Stay

PER_HOUR = {"day": Decimal("2.50"), "night": Decimal("1.00"), "resident": Decimal("0.40")}
HIGHEST = Decimal("20.00")


def hours(stay: Stay) -> int:
    spent = stay.left - stay.arrived
    return max(1, math.ceil(spent.total_seconds() / 3600))


def fee(stay: Stay) -> Decimal:
    return min(HIGHEST, hours(stay) * PER_HOUR[stay.tariff])
