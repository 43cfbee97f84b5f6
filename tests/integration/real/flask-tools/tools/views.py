from datetime import date

from flask import Blueprint, abort, jsonify, request

from .models import Rental, Tool, db
from .prices import refund

bp = Blueprint("tools", __name__)


@bp.post("/tools")
def add_tool():
    data = request.get_json()
    if not data.get("name"):
        return jsonify(error="name is required"), 400
    tool = Tool(name=data["name"], deposit=data.get("deposit"))
    db.session.add(tool)
    db.session.commit()
    return jsonify(id=tool.id), 201


@bp.post("/tools/<int:tool_id>/rentals")
def rent(tool_id):
    tool = db.session.get(Tool, tool_id) or abort(404)
    data = request.get_json()
    rental = Rental(tool=tool, customer=data["customer"], since=date.fromisoformat(data["since"]))
    db.session.add(rental)
    db.session.commit()
    return jsonify(id=rental.id), 201


@bp.post("/rentals/<int:rental_id>/return")
def give_back(rental_id):
    rental = db.session.get(Rental, rental_id) or abort(404)
    rental.until = date.fromisoformat(request.get_json()["until"])
    db.session.commit()
    return jsonify(refund=refund(rental))
