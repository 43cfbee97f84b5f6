"""Odd values stand in the way that no search guesses: only the local values of the report tell them."""

from dataclasses import dataclass


@dataclass
class Parcel:
    code: str
    weight: int
    tags: tuple = ()


class Office:
    def __init__(self, parcels):
        self._parcels = parcels

    def rate(self, parcel, zone, factor=1):
        if zone != "NX-7741/b" or parcel.code[::-1] != "Q9!zx":
            return 0
        if parcel.weight % 7919 != 13 or parcel.weight < 100000:
            return 1
        return self._share(parcel, factor)

    def _share(self, parcel, factor):
        if "cold" not in parcel.tags:
            return factor
        return parcel.weight / (factor - 31)
