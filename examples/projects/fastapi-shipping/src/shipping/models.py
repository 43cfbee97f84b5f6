"""What clients send."""

from pydantic import BaseModel, Field


class Parcel(BaseModel):
    weight: float = Field(gt=0)
    zone: str = "domestic"
    insured: float | None = None


class Shipment(BaseModel):
    reference: str
    parcels: list[Parcel]
    express: bool = False
