"""The public API."""

from fastapi import FastAPI

from shipping.models import Shipment
from shipping.tariff import quote

app = FastAPI()


@app.get("/health")
async def health() -> dict[str, str]:
    return {"status": "ok"}


@app.post("/quotes")
async def create_quote(shipment: Shipment) -> dict[str, float | str]:
    price = quote(shipment)
    return {"reference": shipment.reference, "price": price}
