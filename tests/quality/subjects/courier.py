"""Coroutines: the crash lies two awaits deep."""

ROUTES = {"north": ("dock", "bridge"), "south": ("mill",)}


async def deliver(parcel, route="north"):
    weight = 0
    for stop in ROUTES.get(route, ()):
        weight += await visit(parcel, stop)
    return weight


async def visit(parcel, stop):
    if stop == "mill":
        return parcel["weight"]
    return 0
