from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Address:
    street: str
    city: str


@dataclass
class Customer:
    name: str
    address: Address | None = None
    contact: str = ""


@dataclass
class Item:
    name: str
    price: float


@dataclass
class Company:
    name: str
    clerk: str
