"""Sales by region and month."""

from __future__ import annotations

import pandas as pd

REGIONS = ["North", "South", "West"]


def monthly(orders: pd.DataFrame) -> pd.DataFrame:
    """One row a month, one column a region."""
    return orders.pivot_table(index="month", columns="region", values="amount", aggfunc="sum", fill_value=0)


def shares(orders: pd.DataFrame) -> dict[str, float]:
    """What part of all sales each region has."""
    table = monthly(orders)
    total = table.to_numpy().sum()
    return {region: float(table[region].sum() / total) for region in REGIONS}
