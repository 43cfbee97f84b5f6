"""What one customer is about to send."""

from parcels.tariffs import tariff


class Basket:
    def __init__(self, store: dict) -> None:
        self.lines = store.setdefault("lines", [])

    def add(self, name: str, pieces: int) -> None:
        if tariff(name) is None:
            raise LookupError(name)
        self.lines.append([name, pieces])

    def price(self) -> float:
        return sum(tariff(name)["price"] * pieces for name, pieces in self.lines)

    def kilograms(self) -> float:
        grams = 0
        for name, pieces in self.lines:
            grams += tariff(name)["grams"] * pieces
        return grams / 1000
