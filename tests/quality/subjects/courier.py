"""Coroutines: the crash lies two awaits deep."""

ROUTES = {"north": ("dock", "bridge"), "south": ("mill",)}


async def deliver(parcel, route="north"):
    stops = []
    for stop in ROUTES.get(route, ()):
        stops.append(await visit(parcel, stop))
    return stops


async def visit(parcel, stop):
    if len(parcel) > 3 and stop == "mill":
        return parcel["weight"]
    return 0
