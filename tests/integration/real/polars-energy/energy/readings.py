"""Meter readings as the grid operator sends them."""

from __future__ import annotations

from pathlib import Path

import polars as pl

SCHEMA = {"meter": pl.String, "day": pl.String, "kwh": pl.Float64}


def read(path: str | Path) -> pl.DataFrame:
    frame = pl.read_csv(path, schema=SCHEMA)
    return frame.with_columns(pl.col("day").str.to_date("%Y-%m-%d"))


def daily(frame: pl.DataFrame) -> pl.DataFrame:
    """The sum of each day, oldest first."""
    return frame.group_by("day").agg(pl.col("kwh").sum()).sort("day")
