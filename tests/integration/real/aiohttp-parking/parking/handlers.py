"""What the gates and the app ask for."""

from __future__ import annotations

from datetime import datetime

from aiohttp import web

from .stays import Stay, StayBook
from .tariffs import PER_HOUR, fee

BOOK = web.AppKey("book", StayBook)
routes = web.RouteTableDef()


def shown(stay: Stay) -> dict[str, object]:
    return {
        "number": stay.number,
        "plate": stay.plate,
        "arrived": stay.arrived.isoformat(),
        "left": stay.left.isoformat() if stay.left else None,
    }


def found(request: web.Request) -> Stay:
    stay = request.app[BOOK].get(int(request.match_info["number"]))
    if stay is None:
        raise web.HTTPNotFound(reason="no such stay")
    return stay


@routes.post("/stays")
async def arrive(request: web.Request) -> web.Response:
    body = await request.json()
    tariff = body.get("tariff", "day")
    if tariff not in PER_HOUR:
        raise web.HTTPUnprocessableEntity(reason=f"unknown tariff {tariff}")
    at = datetime.fromisoformat(body["at"])
    stay = request.app[BOOK].arrive(body["plate"], at, tariff)
    return web.json_response(shown(stay), status=201)


@routes.post(r"/stays/{number:\d+}/leave")
async def leave(request: web.Request) -> web.Response:
    stay = found(request)
    body = await request.json()
    request.app[BOOK].leave(stay.number, datetime.fromisoformat(body["at"]))
    return web.json_response(shown(stay))


@routes.get(r"/stays/{number:\d+}/fee")
async def show_fee(request: web.Request) -> web.Response:
    stay = found(request)
    return web.json_response({"number": stay.number, "fee": str(fee(stay))})
