from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined

from .data import Company, Customer, Item


def money(value: float) -> str:
    return f"{value:,.2f} EUR"


def environment() -> Environment:
    env = Environment(loader=PackageLoader("offers"), undefined=StrictUndefined, trim_blocks=True)
    env.filters["money"] = money
    return env


def render_offer(company: Company, customer: Customer, items: list[Item], days: int = 14) -> str:
    template = environment().get_template("offer.txt")
    return template.render(company=company, customer=customer, items=items, days=days)
