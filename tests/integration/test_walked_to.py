"""States of applications that only an order of requests makes, and one thing alone of each does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Place, reported_from

BOX_OFFICE = """
    from collections import deque

    from fastapi import FastAPI, HTTPException
    from pydantic import BaseModel, Field


    class ShowIn(BaseModel):
        name: str = Field(min_length=1)
        capacity: int = Field(gt=0)
        prices: dict[str, float] = Field(min_length=1)


    class OrderIn(BaseModel):
        show_id: int
        category: str
        count: int = Field(default=1, ge=1, le=10)


    def create_app():
        app = FastAPI()
        shows, orders = {}, {}

        @app.post("/shows", status_code=201)
        def open_show(body: ShowIn):
            shows[len(shows) + 1] = {**body.model_dump(), "sold": 0, "waiting": deque()}
            return {"id": len(shows)}

        @app.post("/orders", status_code=201)
        def order(body: OrderIn):
            show = shows.get(body.show_id)
            if show is None or body.category not in show["prices"]:
                raise HTTPException(404, "no such show or category")
            if show["sold"] + body.count > show["capacity"]:
                raise HTTPException(409, "sold out")
            show["sold"] += body.count
            orders[len(orders) + 1] = body
            return {"id": len(orders)}

        @app.post("/shows/{show_id}/waiting", status_code=202)
        def wait(show_id: int):
            show = shows.get(show_id)
            if show is None:
                raise HTTPException(404, "no such show")
            if show["sold"] < show["capacity"]:
                raise HTTPException(409, "there are tickets")
            show["waiting"].append("somebody")
            return {}

        @app.delete("/orders/{order_id}")
        def cancel(order_id: int):
            if order_id not in orders:
                raise HTTPException(404, "no such order")
            order = orders.pop(order_id)
            shows[order.show_id]["sold"] -= order.count
            return work(shows[order.show_id])

        return app


    def work(show):
        while show["waiting"] and show["sold"] < show["capacity"]:
            show["waiting"].popleft()
            show["sold"] += 1
            if show["sold"] < show["capacity"] and not show["waiting"]:
                raise ValueError("too many")
        return {}
"""

DEPOT = """
    from flask import Flask, request

    MOVES = {
        "announced": {"arrive": "sorted", "cancel": "returned"},
        "sorted": {"hold": "held", "load": "on tour"},
        "on tour": {"deliver": "delivered", "miss": "sorted"},
        "delivered": {},
        "returned": {},
    }


    def create_app():
        parcels = {}
        app = Flask(__name__)

        @app.post("/parcels")
        def announce():
            number = f"P{len(parcels) + 1:03d}"
            parcels[number] = {"number": number, "to": request.get_json()["to"], "state": "announced"}
            return parcels[number], 201

        @app.post("/parcels/<number>/scans")
        def scan(number):
            parcel = parcels.get(number)
            if parcel is None:
                return {"error": "no such parcel"}, 404
            return work(parcel, request.get_json()["event"])

        return app


    def work(parcel, event):
        if parcel["state"] not in MOVES:
            raise ValueError("too many")
        moves = MOVES[parcel["state"]]
        if event not in moves:
            return {"error": f"a parcel that is {parcel['state']} cannot {event}"}, 409
        parcel["state"] = moves[event]
        return parcel
"""


@pytest.mark.parametrize(
    ("library", "subject", "call", "view", "parts"),
    [
        (
            "fastapi",
            BOX_OFFICE,
            "return work(",
            "cancel",
            ('"capacity": 2', '"count": 2', 'post("/shows/1/waiting"', 'delete("/orders/1"'),
        ),
        ("flask", DEPOT, "return work(", "scan", ('post("/parcels"', '"arrive"', '"hold"', 'post("/parcels/P001/scans"')),
    ],
    ids=["more than one of each", "an order of requests"],
)
def test_the_state_is_made_by_requests(
    tmp_path: Path, library: str, subject: str, call: str, view: str, parts: tuple[str, ...]
) -> None:
    pytest.importorskip(library, reason="it is in the test extra")
    place = Place(tmp_path)
    place.subject(subject)
    reported_from(place, call, view)
    done = place.reproduce("--evaluations", "3000", "--json")
    assert done.code == 0, (done.out, done.err)
    text = json.loads(done.out)["test"]["text"]
    places = [text.index(part) for part in parts[:-1]]
    assert places == sorted(places)
    assert text.rindex(parts[-1]) > places[-1]
    assert done.left_nothing
