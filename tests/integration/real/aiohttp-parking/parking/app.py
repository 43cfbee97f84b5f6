"""The application: ``python -m parking.app``."""

from __future__ import annotations

from aiohttp import web

from .handlers import BOOK, routes
from .stays import StayBook


def create_app() -> web.Application:
    app = web.Application()
    app[BOOK] = StayBook()
    app.add_routes(routes)
    return app


if __name__ == "__main__":
    web.run_app(create_app(), port=8080)
