"""aiohttp: the routes of an application, and requests to it without a server."""

from __future__ import annotations

import asyncio
import importlib
import re
from collections.abc import Collection, Iterator, Mapping
from types import CoroutineType
from typing import Any

from crashwright.core.preparation import Application, FrameworkSetUp
from crashwright.engine.frameworks import aiohttp_client
from crashwright.engine.frameworks.framework import Framework, import_application
from crashwright.engine.frameworks.model_rows import StoringWay
from crashwright.engine.frameworks.session_keys import Source
from crashwright.engine.frameworks.web import METHODS, WHOLE, WRITING, Route, application_named, keys_of_view, methods_of
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.code_index import key_of
from crashwright.engine.subject.introspection import class_module, is_class, live_at
from crashwright.engine.subject.layers import layers_of
from crashwright.engine.testcase.names.source import Known

_PLACE = re.compile(r"\{(\w+)\}")
_GROUP = re.compile(r"\(\?P<(\w+)>")


class AiohttpApplication:
    """At an ``address`` (``core.preparation.Application``). Tests define their client, as the framework has none that lets
    exceptions through."""

    client = (aiohttp_client.__name__, aiohttp_client.NAME)
    makes_client = True
    sends = "client.headers.update({header}={{value}})", "client.json({answer})"

    def __init__(self, address: str) -> None:
        self._address = address
        self._application = Application.at(address)
        aiohttp_client.define()

    def routes(self) -> Iterator[Route]:
        """See ``WebFramework``."""
        application = self._made()
        before = tuple(dict.fromkeys(key_of(layer) for one in application.middlewares for layer in layers_of(one)))
        for route in application.router.routes():
            resource = route.resource
            if resource is None:
                continue
            view = _ClassView(route.handler) if is_class(route.handler) else route.handler
            told = route.method.lower()
            methods = (told,) if told in METHODS else methods_of(view) if told == "*" else ()
            path = _PLACE.sub(r"<\1>", resource.canonical)
            yield Route(path, methods, keys_of_view(view), _patterns(resource), before=before, home=_home(route.handler))

    def _made(self) -> Any:
        importlib.import_module(self._application.module)
        made = self._application.made_by(live_at(self._application.module, self._application.name))
        return asyncio.run(_awaited(made)) if type(made) is CoroutineType else made

    def names(self, api: ApiModel) -> dict[str, Known]:
        """The application."""
        return application_named(self._address, api)

    def opening(self, known: Collection[str]) -> list[str]:
        """See ``WebFramework``."""
        made, name = self._address.partition(":")[2], aiohttp_client.NAME
        return [f"with {name}({made}) as client:\n    pass"] if {self._application.name, name} <= {*known} else []

    def signing_in(self, route: Route, known: Mapping[str, Known], source: Source) -> Iterator[list[str]]:  # noqa: ARG002
        """Nobody: there are no sessions in the framework itself. Who logs in by a request is known by the cookie or the header that
        the client sends from then on."""
        yield from ()

    def rows(self, known: Collection[str], named: Collection[str]) -> list[StoringWay]:  # noqa: ARG002
        """None."""
        return []

    def arguments(self, method: str, read: Collection[str], carried: str) -> Iterator[str]:
        """See ``WebFramework``."""
        whole = method in WRITING and not WHOLE.isdisjoint(read)
        if whole and "post" in read and "json" not in read:
            yield f"data={carried}"
        elif whole:
            yield f"json={carried}"
        elif "query" in read:
            yield f"params={carried}"

    def calls(self, known: Collection[str], callee: Callee, read: Collection[str], carried: str) -> Iterator[str]:  # noqa: ARG002
        """None: requests are sent by the client."""
        yield from ()


class _ClassView:
    """What a class of views answers, as other frameworks have it: an object that has the class."""

    def __init__(self, view_class: type) -> None:
        self.view_class = view_class


async def _awaited(made: Any) -> Any:
    return await made


def _home(handler: Any) -> str:
    return class_module(handler) if is_class(handler) else ""


def _patterns(resource: Any) -> tuple[tuple[str, str], ...]:
    """The regular expressions of the places of a path."""
    pattern = resource.get_info().get("pattern")
    text = "" if pattern is None else pattern.pattern
    return tuple((match[1], _inside(text, match.end())) for match in _GROUP.finditer(text))


def _inside(pattern: str, start: int) -> str:
    """What stands there up to the bracket that closes it."""
    depth, place = 1, start
    while place < len(pattern):
        if pattern[place] == "\\":
            place += 1
        elif pattern[place] in "()":
            depth += 1 if pattern[place] == "(" else -1
        if not depth:
            break
        place += 1
    return pattern[start:place]


def _after_import(set_up: FrameworkSetUp) -> None:
    import_application(set_up)
    importlib.import_module("aiohttp.test_utils")


AIOHTTP = Framework("aiohttp", lambda set_up: AiohttpApplication(set_up.address), after_import=_after_import)
