"""Prices of parcels."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from enum import Enum


class Zone(Enum):
    HOME = "home"
    NEAR = "near"
    FAR = "far"


class PricingError(ValueError):
    """A parcel that cannot be priced."""


@dataclass(frozen=True)
class Parcel:
    weight: Decimal
    length: int
    width: int
    height: int
    fragile: bool = False

    @property
    def girth(self) -> int:
        return self.length + 2 * (self.width + self.height)

    @property
    def volume(self) -> int:
        return self.length * self.width * self.height


@dataclass
class Quote:
    zone: Zone
    base: Decimal
    surcharges: dict[str, Decimal] = field(default_factory=dict)
    delivery: date | None = None

    @property
    def total(self) -> Decimal:
        return self.base + sum(self.surcharges.values(), Decimal(0))


RATES = {Zone.HOME: Decimal("3.90"), Zone.NEAR: Decimal("7.50"), Zone.FAR: Decimal("14.20")}
CENT = Decimal("0.01")


def parse_price(text: str) -> Decimal:
    """A price such as "4.90" or "4,90 EUR"."""
    text = text.strip()
    if not text:
        raise ValueError("empty price")
    if text.endswith("EUR"):
        text = text[:-3].rstrip()
    if text.count(",") == 1:
        text = text.replace(",", ".")
    value = Decimal(text)
    if value < 0:
        raise PricingError(f"negative price: {value}")
    return value.quantize(CENT, ROUND_HALF_UP)


def zone_of(postcode: str, home: str = "10") -> Zone:
    if len(postcode) != 5 or not postcode.isdigit():
        raise PricingError("postcodes have five digits")
    if postcode.startswith(home):
        return Zone.HOME
    if postcode[0] == home[0]:
        return Zone.NEAR
    return Zone.FAR


def quote(parcel: Parcel, zone: Zone, on: date | None = None) -> Quote:
    if parcel.weight <= 0:
        raise PricingError("weight must be positive")
    if parcel.weight > Decimal("31.5") or parcel.girth > 360:
        raise PricingError("too large for a parcel")
    result = Quote(zone, RATES[zone])
    if parcel.weight > 10:
        result.surcharges["heavy"] = ((parcel.weight - 10) * Decimal("0.35")).quantize(CENT, ROUND_HALF_UP)
    if parcel.fragile:
        result.surcharges["fragile"] = Decimal("2.50")
    if parcel.volume > 100_000:
        result.surcharges["bulky"] = Decimal("5.00")
    if on is not None:
        days = 1 if zone is Zone.HOME else 2
        result.delivery = on + timedelta(days=days)
        if result.delivery.weekday() >= 5:
            result.delivery += timedelta(days=7 - result.delivery.weekday())
    return result


def discount(total: Decimal, parcels: int, voucher: str | None = None) -> Decimal:
    """The total after discounts."""
    share = Decimal(0)
    if parcels >= 100:
        share = Decimal("0.15")
    elif parcels >= 10:
        share = Decimal("0.05")
    if voucher == "WELCOME" and parcels < 10:
        share += Decimal("0.10")
    elif voucher:
        raise PricingError(f"unknown voucher {voucher!r}")
    return (total * (1 - share)).quantize(CENT, ROUND_HALF_UP)


def summary(quotes: list[Quote]) -> dict[str, Decimal]:
    totals: dict[str, Decimal] = {}
    for one in quotes:
        totals[one.zone.value] = totals.get(one.zone.value, Decimal(0)) + one.total
    return totals
