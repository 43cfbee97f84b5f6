"""Customers, invoices and their lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum


class Terms(Enum):
    CASH = 0
    NET14 = 14
    NET30 = 30


@dataclass
class Customer:
    name: str
    country: str = "DE"
    terms: Terms | None = None
    vat_id: str | None = None


@dataclass
class Line:
    text: str
    quantity: int
    price: Decimal

    @property
    def amount(self) -> Decimal:
        return self.quantity * self.price


@dataclass
class Invoice:
    customer: Customer
    issued: date
    lines: list[Line] = field(default_factory=list)
    sent: bool = False

    def due(self) -> date:
        """The day by which it must be paid."""
        return self.issued + timedelta(days=self.customer.terms.value)

    def total(self) -> Decimal:
        return sum((line.amount for line in self.lines), Decimal(0))
