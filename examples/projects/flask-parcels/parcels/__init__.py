"""Parcels to send: a basket that is kept in the session."""

from flask import Flask

from parcels.views import pages


def create_app() -> Flask:
    app = Flask(__name__)
    app.secret_key = "only for this example"
    app.register_blueprint(pages, url_prefix="/basket")
    return app
