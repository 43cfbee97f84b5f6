"""What may be sent, and for how much."""

TARIFFS = {
    "letter": {"price": 1.1, "grams": 500},
    "box": {"price": 5.5, "grams": 10_000},
    "pallet": {"price": 89.0, "grams": None},
}


def tariff(name: str) -> dict | None:
    return TARIFFS.get(name.strip().lower())
