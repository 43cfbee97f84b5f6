"""aiohttp's applications: their routes, and the client that tests define for them."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="aiohttp is in the test extra")

from aiohttp import web

from crashwright.core.preparation import FrameworkSetUp, Preparation
from crashwright.engine.frameworks import aiohttp_client
from crashwright.engine.frameworks.registry import routes_of, web_of
from crashwright.engine.frameworks.web import Route
from crashwright.engine.sources.applications.request_paths import path_of
from crashwright.engine.testcase.printing.imports import Imports
from crashwright.engine.testcase.printing.written import written_lines


async def stay(request: web.Request) -> web.Response:
    return web.json_response({"number": int(request.match_info["number"]), "of": request.query.get("of")})


async def arrive(request: web.Request) -> web.Response:
    body = await request.json() if request.content_type == "application/json" else dict(await request.post())
    if "plate" not in body:
        raise web.HTTPUnprocessableEntity(reason="plate is missing")
    return web.json_response(body, status=201)


class Gate(web.View):
    async def get(self) -> web.Response:
        raise LookupError(self.request.path)

    async def put(self) -> web.Response:
        return web.Response(text=str(self.request.app["opened"]))


@web.middleware
async def counted(request: web.Request, handler: Any) -> web.StreamResponse:
    return await handler(request)


async def opened(app: web.Application) -> None:
    app["opened"] = 1


def application() -> web.Application:
    app, inner = web.Application(middlewares=[counted]), web.Application()
    app.on_startup.append(opened)
    app.router.add_get(r"/stays/{number:\d+(?:\)|0)?}/fee", stay)
    app.router.add_view("/gate", Gate)
    inner.router.add_post("/stays", arrive)
    app.add_subapp("/v1", inner)
    return app


async def later() -> web.Application:
    return application()


def routes(monkeypatch: pytest.MonkeyPatch, made: object, name: str) -> tuple[Route, ...]:
    module = ModuleType("routed")
    setattr(module, name.removesuffix("()"), made)
    monkeypatch.setitem(sys.modules, "routed", module)
    return routes_of(Preparation(FrameworkSetUp("aiohttp", f"routed:{name}")))


@pytest.mark.parametrize(
    ("make", "name"), [(application, "build()"), (later, "build()"), (application(), "app")], ids=["factory", "awaited", "bound"]
)
def test_routes_of_all_kinds(monkeypatch: pytest.MonkeyPatch, make: object, name: str) -> None:
    found = [one for one in routes(monkeypatch, make, name) if one.methods]
    assert [(one.path, one.methods) for one in found] == [
        ("/stays/<number>/fee", ("get",)),
        ("/gate", ("get", "put")),
        ("/v1/stays", ("post",)),
    ]
    assert [one.keys[0].qualname for one in found] == ["stay", "Gate.get", "arrive"]
    assert found[0].patterns == (("number", r"\d+(?:\)|0)?"),)
    assert path_of(found[0])[:7] == "/stays/"
    assert [one.qualname for one in found[0].before] == ["counted"]
    assert found[1].home == __name__


def test_a_client_sends_requests_without_a_server() -> None:
    aiohttp_client.define()
    with aiohttp_client.Client(later()) as client:  # type: ignore[attr-defined]
        assert client.post("/v1/stays", json={"plate": "W 1"}).text == '{"plate": "W 1"}'
        assert client.post("/v1/stays", data={"plate": "W 1", "days": 2}).text == '{"plate": "W 1", "days": "2"}'
        assert client.post("/v1/stays", json={}).status == 422
        assert client.get("/stays/3/fee?of=a").text == '{"number": 3, "of": "a"}'
        assert client.get("/stays/3/fee", params={"of": "ü"}).text == '{"number": 3, "of": "\\u00fc"}'
        assert client.put("/gate").text == "1"
        assert client.get("/nowhere").status == 404
        with pytest.raises(LookupError, match="/gate"):
            client.get("/gate")


async def greet(request: web.Request) -> web.Response:
    answer = web.json_response({"key": request.headers.get("X-Key"), "seats": sorted(request.cookies.items())})
    answer.set_cookie("seat", "a 1")
    answer.set_cookie("row", request.cookies.get("row", "") + "3")
    return answer


def test_a_client_sends_the_cookies_that_it_was_given_and_the_headers_that_it_is_told() -> None:
    app = web.Application()
    app.router.add_get("/", greet)
    aiohttp_client.define()
    with aiohttp_client.Client(app) as client:  # type: ignore[attr-defined]
        assert client.json(client.get("/")) == {"key": None, "seats": []}
        client.headers.update(X_KEY="secret")
        assert client.json(client.get("/")) == {"key": "secret", "seats": [["row", "3"], ["seat", "a 1"]]}
        assert client.json(client.get("/"))["seats"] == [["row", "33"], ["seat", "a 1"]]


def test_what_is_ours_is_written_into_a_test_and_names_keep_their_meaning() -> None:
    framework = web_of(Preparation(FrameworkSetUp("aiohttp", f"{__name__}:application()")))
    assert framework is not None
    imports = Imports()
    imports.bind("shop.http", "Client", "Client")
    imports.bind("shop.http", "URL", "URL")
    local = imports.text(*framework.client)
    source = "\n".join(written_lines(imports, 88))
    assert local == "aiohttp_client_Client"
    assert f"class {local}:" in source
    assert "yarl_URL(path)" in source
    assert not any("crashwright" in line for line in (*imports.lines(), source))
    space: dict[str, Any] = {}
    exec("\n".join(line for line in imports.lines() if "shop" not in line) + "\n" + source, space)
    with space[local](application()) as client:
        assert client.put("/gate").text == "1"
