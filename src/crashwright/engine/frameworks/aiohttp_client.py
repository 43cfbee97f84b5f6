"""A client for aiohttp's applications: aiohttp's own one needs a server, and what a handler raises ends there.

Tests import nothing of crashwright: what they use of this module is written into them (``testcase.printing.written``).
"""

from __future__ import annotations

import importlib
from typing import Any

from crashwright.engine.subject.introspection import live_at

NAME = "Client"
SOURCE = """
class Client:
    def __init__(self, app):
        self.loop = new_event_loop()
        self.run = self.loop.run_until_complete
        self.runner = AppRunner(self.run(app) if iscoroutine(app) else app)
        self.headers = {}
        self.cookies = {}

    def __enter__(self):
        self.run(self.runner.setup())
        return self

    def __exit__(self, *error):
        self.run(self.runner.cleanup())
        self.loop.close()

    def request(self, method, path, json=None, data=(), params=()):
        sent = FormData(data)() if json is None else JsonPayload(json)
        body = StreamReader(BaseProtocol(self.loop), 2**16, loop=self.loop)
        body.feed_data(sent.decode().encode())
        body.feed_eof()
        url = str(URL(path).extend_query(params))
        headers = {"Content-Type": sent.content_type, "Cookie": "; ".join(self.cookies.values())}
        headers.update((name.replace("_", "-"), value) for name, value in self.headers.items())
        request = make_mocked_request(method, url, headers, payload=body, loop=self.loop)
        try:
            answer = self.run(self.runner.server.request_handler(request))
        except HTTPException as error:
            answer = error
        self.cookies.update({one.key: f"{one.key}={one.coded_value}" for one in answer.cookies.values()})
        return answer

    def json(self, answer):
        return JSONDecoder().decode(answer.text)

    def get(self, path, **sent):
        return self.request("GET", path, **sent)

    def post(self, path, **sent):
        return self.request("POST", path, **sent)

    def put(self, path, **sent):
        return self.request("PUT", path, **sent)

    def patch(self, path, **sent):
        return self.request("PATCH", path, **sent)

    def delete(self, path, **sent):
        return self.request("DELETE", path, **sent)
"""
TAKEN = {
    "AppRunner": "aiohttp.web",
    "BaseProtocol": "aiohttp.base_protocol",
    "FormData": "aiohttp",
    "HTTPException": "aiohttp.web",
    "JSONDecoder": "json",
    "JsonPayload": "aiohttp",
    "StreamReader": "aiohttp",
    "URL": "yarl",
    "iscoroutine": "asyncio",
    "make_mocked_request": "aiohttp.test_utils",
    "new_event_loop": "asyncio",
}
"""The modules of the names that it takes from around it."""


def define() -> None:
    """The class is in this module from now on. Only where aiohttp is installed."""
    if NAME not in globals():
        for home in TAKEN.values():
            importlib.import_module(home)
        space: dict[str, Any] = {name: live_at(home, name) for name, home in TAKEN.items()}
        space["__name__"] = __name__
        exec(compile(SOURCE, __file__, "exec"), space)
        globals()[NAME] = space[NAME]
