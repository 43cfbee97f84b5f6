"""The routes of ASGI applications, as the frameworks tell them."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest
from fastapi import APIRouter, FastAPI
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Mount
from starlette.routing import Route as StarletteRoute

from crashwright.core.preparation import FrameworkSetUp, Preparation
from crashwright.engine.frameworks.registry import routes_of
from crashwright.engine.frameworks.web import Route
from crashwright.engine.sources.applications.request_paths import path_of


def rate(number: int) -> int:
    return number


async def plain(request: object) -> PlainTextResponse:
    return PlainTextResponse(str(request))


def routes(monkeypatch: pytest.MonkeyPatch, application: object, name: str = "app") -> tuple[Route, ...]:
    module = ModuleType("routed")
    setattr(module, name.removesuffix("()"), application)
    monkeypatch.setitem(sys.modules, "routed", module)
    return routes_of(Preparation(FrameworkSetUp("asgi", f"routed:{name}")))


def test_described_routes_have_what_their_requests_carry(monkeypatch: pytest.MonkeyPatch) -> None:
    app, router = FastAPI(openapi_url=None), APIRouter(prefix="/tools")
    router.add_api_route("/{number}/rate", rate, methods=["GET", "POST"])
    app.include_router(router)
    (found,) = [one for one in routes(monkeypatch, app) if one.keys and one.keys[0].qualname == "rate"]
    assert (found.path, found.methods) == ("/tools/<number>/rate", ("get", "post"))
    assert found.description is not None
    assert found.description.methods["get"]["parameters"][0]["name"] == "number"


def test_routes_that_are_mounted_and_factories(monkeypatch: pytest.MonkeyPatch) -> None:
    inner = [StarletteRoute("/{name}/{size:int}", plain, methods=["PUT"])]
    (found,) = routes(monkeypatch, lambda: Starlette(routes=[Mount("/shop", routes=inner)]), "create_app()")
    assert (found.path, found.methods, path_of(found)) == ("/shop/<name>/<size>", ("put",), "/shop/x/1")


def test_an_application_that_cannot_be_described_has_routes_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Starlette):
        def openapi(self) -> None:
            raise TypeError("not a type")

    (found,) = routes(monkeypatch, Broken(routes=[StarletteRoute("/", plain)]))
    assert found.description is not None
    assert not found.description.methods
