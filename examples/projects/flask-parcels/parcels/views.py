"""The pages of the basket."""

from flask import Blueprint, abort, jsonify, request, session

from parcels.basket import Basket

pages = Blueprint("basket", __name__)


def basket() -> Basket:
    session.modified = True
    return Basket(session.setdefault("basket", {}))


@pages.post("/lines")
def add():
    line = request.get_json()
    try:
        basket().add(line["tariff"], int(line.get("pieces", 1)))
    except LookupError:
        abort(404)
    return jsonify(ok=True)


@pages.get("/summary")
def summary():
    chosen = basket()
    return jsonify(price=chosen.price(), kilograms=chosen.kilograms())
