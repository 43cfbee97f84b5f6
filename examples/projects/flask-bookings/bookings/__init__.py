"""Rooms to book by the hour."""

from flask import Flask

from bookings.views import views


def create_app() -> Flask:
    app = Flask(__name__)
    app.config["OPENING"] = 8
    app.register_blueprint(views)
    return app
