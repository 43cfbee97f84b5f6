"""What is used next, seen from what was used."""

from __future__ import annotations

import polars as pl

from .readings import daily


def usual(frame: pl.DataFrame, meter: str) -> float:
    """What a meter counts on a usual day."""
    own = frame.filter(pl.col("meter") == meter)
    return own.get_column("kwh").median()


def peak(frame: pl.DataFrame, meter: str) -> float:
    own = frame.filter(pl.col("meter") == meter)
    return own.get_column("kwh").max()


def peak_factor(frame: pl.DataFrame, meter: str) -> float:
    """How much more than usual the worst day was."""
    return round(peak(frame, meter) / usual(frame, meter), 2)


def trend(frame: pl.DataFrame) -> float:
    days = daily(frame).get_column("kwh")
    return days.tail(7).mean() - days.head(7).mean()
