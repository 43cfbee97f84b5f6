"""Prices by weight and zone."""

from __future__ import annotations

from shipping.models import Parcel, Shipment

STEPS = [(2.0, 4.5), (10.0, 9.0), (31.5, 16.0)]
SURCHARGE = {"domestic": 0.0, "eu": 6.0, "world": 19.0}


def parcel_price(parcel: Parcel) -> float:
    base = next(price for limit, price in STEPS if parcel.weight <= limit)
    return base + SURCHARGE[parcel.zone] + (parcel.insured or 0.0) * 0.01


def quote(shipment: Shipment) -> float:
    total = sum(parcel_price(parcel) for parcel in shipment.parcels)
    return round(total * (1.5 if shipment.express else 1.0), 2)
