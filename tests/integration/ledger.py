"""A subject with classes, results of several classes without annotations, an enum and sets, for tests of repeatability."""

from __future__ import annotations

import enum


class Kind(enum.Enum):
    DEBT = "debt"
    GIFT = "gift"


class Entry:
    def __init__(self, name, amount, kind=Kind.DEBT):
        self.name = name
        self.amount = amount
        self.kind = kind


class Loan(Entry):
    pass


class Ledger:
    def __init__(self, currency="EUR"):
        self.currency = currency
        self.entries = {}
        self.names = {"ada", "bob", currency}

    def add(self, name, amount):
        entry = Loan(name, amount) if amount > 100 else Entry(name, amount)
        self.entries[name] = entry
        return entry if name in self.names else self

    def settle(self, name, parts):
        entry = self.entries.get(name)
        if entry is None or entry.kind is Kind.GIFT:
            return sorted(self.names)
        return self._share(entry, parts)

    def _share(self, entry, parts):
        if isinstance(entry, Loan) and parts == entry.amount * 7 + 3:
            return entry.amount // parts
        return entry.amount
