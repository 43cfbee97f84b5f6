from pathlib import Path
from typing import Annotated

import typer

from . import service
from .store import Store

app = typer.Typer()
PATH = Path("stock.json")


@app.command()
def add(sku: str, name: str, price: float) -> None:
    store = Store(PATH)
    item = service.add_item(store, sku, name, price)
    store.save()
    print(f"item {item.sku} costs {item.unit_price}")


@app.command()
def receive(sku: str, count: Annotated[int, typer.Argument(min=1)]) -> None:
    store = Store(PATH)
    service.receive(store, sku, count)
    store.save()


@app.command()
def order(sku: str, count: Annotated[int, typer.Option(min=1)] = 1) -> None:
    store = Store(PATH)
    made = service.order(store, sku, count)
    store.save()
    print(f"order {made.number}")


@app.command()
def drop(sku: str) -> None:
    store = Store(PATH)
    service.drop(store, sku)
    store.save()


@app.command()
def value(number: int) -> None:
    print(f"{service.value_of(Store(PATH), number):.2f}")
