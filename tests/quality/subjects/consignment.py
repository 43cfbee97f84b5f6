"""What a consignment costs: a record of plain data, each part of which is asked for something."""

from __future__ import annotations

from typing import Any

RATES = {"inland": 3, "island": 7, "overseas": 12}


def marks_of(record: dict[str, Any]) -> list[Any]:
    marks = record.get("marks")
    return marks if isinstance(marks, list) else []


def quote(record: dict[str, Any]) -> int:
    if "fragile" not in marks_of(record):
        return 0
    parcel = record.get("parcel")
    if not isinstance(parcel, dict) or parcel.get("weight") is None:
        raise ValueError("no parcel")
    return rate(parcel, record.get("zone"))


def rate(parcel: dict[str, Any], zone: object) -> int:
    if zone not in RATES:
        return 1
    if isinstance(parcel["weight"], int) and parcel["weight"] > 730:
        return RATES["island"] // len(parcel["labels"])
    return 2
