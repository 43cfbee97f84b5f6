import json
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass
class Item:
    sku: str
    name: str
    unit_price: float
    on_hand: int = 0


@dataclass
class Order:
    number: int
    lines: list[list] = field(default_factory=list)
    status: str = "open"


class Store:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.items: dict[str, Item] = {}
        self.orders: dict[int, Order] = {}
        if path.exists():
            data = json.loads(path.read_text())
            self.items = {one["sku"]: Item(**one) for one in data["items"]}
            self.orders = {one["number"]: Order(**one) for one in data["orders"]}

    def save(self) -> None:
        self.path.write_text(
            json.dumps(
                {"items": [asdict(one) for one in self.items.values()], "orders": [asdict(one) for one in self.orders.values()]}
            )
        )
