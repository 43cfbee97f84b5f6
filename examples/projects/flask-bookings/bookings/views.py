"""The pages of the booking desk."""

from flask import Blueprint, current_app, jsonify, request

from bookings.slots import parse_slot, price

views = Blueprint("views", __name__)


@views.get("/rooms")
def rooms():
    return jsonify(opening=current_app.config["OPENING"])


@views.post("/bookings")
def book():
    order = request.get_json()
    slots = [parse_slot(text) for text in order["slots"] if text]
    total = price(slots, order.get("rate", 20.0))
    return jsonify(slots=len(slots), total=total), 201
