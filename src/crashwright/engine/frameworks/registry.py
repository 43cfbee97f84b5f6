"""The frameworks of web applications, by what is set up for them."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import Any

from crashwright.core.preparation import Preparation
from crashwright.engine.frameworks.aiohttp import AiohttpApplication
from crashwright.engine.frameworks.asgi import AsgiApplication
from crashwright.engine.frameworks.django import DjangoProject
from crashwright.engine.frameworks.django_forms import complaints_of, pages_tell
from crashwright.engine.frameworks.flask import FlaskApplication
from crashwright.engine.frameworks.web import Route, WebFramework

MOST_ROUTES = 200


def web_of(preparation: Preparation) -> WebFramework | None:
    """The one that is set up: there is one at most."""
    if preparation.flask:
        return FlaskApplication(preparation.flask)
    if preparation.asgi:
        return AsgiApplication(preparation.asgi)
    if preparation.aiohttp:
        return AiohttpApplication(preparation.aiohttp)
    return DjangoProject() if preparation.django else None


def listening(preparation: Preparation) -> AbstractContextManager[None]:
    """While requests are asked: answers have what their pages were made with, if the framework keeps it."""
    return pages_tell() if preparation.django else nullcontext()


def complaints_in(response: Any) -> dict[str, str]:
    """What forms complain of that an answer was made with, by their fields, "" for what is about a whole form."""
    return dict(complaints_of(response))


def routes_of(preparation: Preparation) -> tuple[Route, ...]:
    """In the order in which they were made."""
    framework = web_of(preparation)
    return () if framework is None else tuple(islice(framework.routes(), MOST_ROUTES))
