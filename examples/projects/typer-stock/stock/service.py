from .store import Item, Order, Store


class StockError(Exception):
    pass


def add_item(store: Store, sku: str, name: str, price: float) -> Item:
    if sku in store.items:
        raise StockError(f"{sku} is there already")
    if price <= 0:
        raise StockError("the price has to be positive")
    store.items[sku] = Item(sku, name, price)
    return store.items[sku]


def receive(store: Store, sku: str, count: int) -> None:
    if sku not in store.items:
        raise StockError(f"no item {sku}")
    store.items[sku].on_hand += count


def order(store: Store, sku: str, count: int) -> Order:
    if sku not in store.items:
        raise StockError(f"no item {sku}")
    if store.items[sku].on_hand < count:
        raise StockError("not enough on hand")
    made = Order(len(store.orders) + 1, [[sku, count]])
    store.orders[made.number] = made
    store.items[sku].on_hand -= count
    return made


def drop(store: Store, sku: str) -> None:
    if sku not in store.items:
        raise StockError(f"no item {sku}")
    del store.items[sku]


def value_of(store: Store, number: int) -> float:
    if number not in store.orders:
        raise StockError(f"no order {number}")
    return sum(store.items[sku].unit_price * count for sku, count in store.orders[number].lines)
