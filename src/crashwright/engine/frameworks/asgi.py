"""ASGI applications (Starlette, FastAPI and what is built on them): their routes, with the description of them that the application
gives (OpenAPI), if it gives one; their test client; and requests made of the scope that a server hands over."""

from __future__ import annotations

import ast
import enum
import importlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from crashwright.core.preparation import Application, FrameworkSetUp
from crashwright.engine.frameworks.framework import Framework, import_application
from crashwright.engine.frameworks.given_sessions import GivenSessions
from crashwright.engine.frameworks.guarded_routes import guards_of, importable, member_of, plain_caller, replaceable, returned_class
from crashwright.engine.frameworks.model_rows import ModelRows, StoringWay
from crashwright.engine.frameworks.session_keys import Source
from crashwright.engine.frameworks.sqlalchemy import SqlAlchemy, is_used
from crashwright.engine.frameworks.wanted_rows import plain_value
from crashwright.engine.frameworks.web import (
    METHODS,
    WHOLE,
    WRITING,
    Description,
    Route,
    application_named,
    call_of,
    expressions,
    keys_of_view,
    methods_of,
    parts_read,
)
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.introspection import class_home, class_module, class_mro, class_name, derives, identities, live_at
from crashwright.engine.subject.project import packages_beside
from crashwright.engine.testcase.names.source import Known

_PLACE = re.compile(r"\{(\w+)(:\w+)?\}")
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_WRITTEN = identities(str, int, float, bool)
"""What of a row is written as it is."""
_REQUESTS = "starlette.requests"
"""Home of the requests of most ASGI frameworks."""


class AsgiApplication:
    """At an ``address`` (``core.preparation.Application``)."""

    client = ("starlette.testclient", "TestClient")
    makes_client = True
    sends = "", ""

    def __init__(self, address: str) -> None:
        self._address = address
        self._name = address.partition(":")[2]
        self._sessions: GivenSessions | None = None
        """Once it is known what the application depends on."""
        self._model_rows: ModelRows | None = None

    def routes(self) -> Iterator[Route]:
        """See ``WebFramework``."""
        application = self._application()
        paths, schemas = _description(application)
        yield from _below(application, "", paths, schemas)

    def _application(self) -> Any:
        application = Application.at(self._address)
        importlib.import_module(application.module)
        return application.made_by(live_at(application.module, application.name))

    def names(self, api: ApiModel) -> dict[str, Known]:
        """The application, and what its routes depend on, with the classes of what that returns."""
        found = application_named(self._address, api)
        routes = list(_below(self._application(), "", _NOTHING, _NOTHING))
        for route in routes:
            for named in (importable(guard.live) for outer in route.guards for guard in outer.all()):
                if named is not None:
                    found.setdefault(named.qualname, named)
                    cls = returned_class(named.live)
                    if cls is not None and class_module(cls) != "builtins":
                        found.setdefault(class_name(cls), api.constructor(cls))
        guards = [guard for route in routes for outer in route.guards for guard in outer.all()]
        package = Application.at(self._address).module.partition(".")[0]
        self._sessions = GivenSessions(guards, package)
        self._model_rows = ModelRows(packages_beside(package)) if self._sessions else None
        stored = self._model_rows.names(api) if self._model_rows is not None else {}
        return {**stored, **found, **self._sessions.names(api)}

    def opening(self, known: Collection[str]) -> list[str]:
        """See ``WebFramework``."""
        all_known = Application.at(self._address).name in known and "TestClient" in known
        if not all_known:
            return []
        client = f"with TestClient({self._name}) as client:\n    pass"
        given = self._sessions
        if not given:
            return [client]
        # The events of its start may use the database, too.
        overriding = self._overriding(given.overrides)
        return [*given.lines(), *([client, overriding] if Application.at(self._address).call else [overriding, client])]

    def rows(self, known: Collection[str], named: Collection[str]) -> list[StoringWay]:
        """See ``WebFramework``."""
        if self._sessions is None or self._model_rows is None:
            return []
        opened = self._sessions.opened()
        ways = self._model_rows.ways(known, named, "session", entered=False) if opened else []
        return [way._replace(lines=[*opened, *way.lines]) for way in ways]

    def _overriding(self, overrides: Mapping[str, str]) -> str:
        """The statement that replaces what endpoints depend on, for this application alone."""
        application = Application.at(self._address)
        if application.call:
            return "\n".join(f"client.app.dependency_overrides[{one}] = {other}" for one, other in overrides.items())
        said = ", ".join(f"{one}: {other}" for one, other in overrides.items())
        return f"monkeypatch.setattr({f'{application.module}.{application.name}.dependency_overrides'!r}, {{{said}}})"

    def signing_in(self, route: Route, known: Mapping[str, Known], source: Source) -> Iterator[list[str]]:
        """What the route depends on that sends callers away is replaced by what gives a caller, for this application alone."""
        application = Application.at(self._address)
        known_overrides = {} if application.call or self._sessions is None else self._sessions.overrides
        found: list[tuple[list[str], dict[str, str]]] = []
        for named in replaceable(route.guards, source):
            cls = returned_class(named.live)
            maker = None if cls is None else known.get(class_name(cls))
            caller = plain_caller(cls)
            if not caller and cls is not None and isinstance(maker, Callee):
                is_choice = derives(cls, enum.Enum)
                caller = member_of(cls, route.guards, source) if is_choice else _caller(maker, cls)
            if not caller or named.qualname not in known:
                continue
            made, given = ([], caller) if cls is None else ([f"signed_in = {caller}"], "signed_in")
            found.append((made, {named.qualname: f"lambda: {given}"}))
        lines = list(dict.fromkeys(line for made, _ in found for line in made))
        if len(found) > 1 and len(lines) <= 1:
            everything = {name: given for _, overrides in found for name, given in overrides.items()}
            yield [*lines, self._overriding({**known_overrides, **everything})]
        for made, overrides in found:
            yield [*made, self._overriding({**known_overrides, **overrides})]

    def arguments(self, method: str, read: Collection[str], carried: str) -> Iterator[str]:
        """Of an application that says nothing of what its requests carry."""
        whole = method in WRITING and not WHOLE.isdisjoint(read)
        if whole:
            yield f"json={carried}"
        elif method in WRITING and "form" in read:
            yield f"data={carried}"
        if "query_params" in read and not whole:
            yield f"params={carried}"

    def calls(self, known: Collection[str], callee: Callee, read: Collection[str], carried: str) -> Iterator[str]:  # noqa: ARG002
        """None: requests are made of scopes (:func:`_scope_calls`), whatever is set up."""
        yield from ()


def _below(holder: Any, prefix: str, paths: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[Route]:
    """The routes of an application, of what is mounted in one, and of routers that it includes."""
    for one in getattr(holder, "routes", None) or ():
        included = getattr(one, "effective_route_contexts", None)
        for route in included() if included is not None else (one,):
            path = prefix + str(getattr(route, "path", ""))
            endpoint = getattr(route, "endpoint", None)
            if endpoint is None:
                yield from _below(route, path, paths, schemas)
                continue
            told = frozenset(method.lower() for method in getattr(route, "methods", None) or ())
            described = Description(paths.get(_PLACE.sub(r"{\1}", path), _NOTHING), schemas)
            methods = tuple(method for method in METHODS if method in told) or methods_of(endpoint)
            patterns = expressions(getattr(route, "param_convertors", None))
            guards = guards_of(getattr(route, "dependant", None))
            yield Route(_PLACE.sub(r"<\1>", path), methods, keys_of_view(endpoint), patterns, described, guards)


def _description(application: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The paths and the schemas of what an application says of itself."""
    describe = getattr(application, "openapi", None)
    if describe is None:
        return _NOTHING, _NOTHING
    try:
        told = describe()
    except Exception:  # noqa: BLE001 - one endpoint has a type that cannot be described: requests are read from the code instead
        return _NOTHING, _NOTHING
    return told.get("paths", _NOTHING), told.get("components", _NOTHING).get("schemas", _NOTHING)


def _caller(maker: Callee, cls: type) -> str:
    """The source of an object of that class: a row of a model, with a key, or what its constructor takes."""
    if not is_used():
        return call_of(maker, ())
    values = {one.name: 1 if one.key else plain_value(one) for one in SqlAlchemy().fields(cls) if one.key or one.required}
    told = ", ".join(f"{name}={value!r}" for name, value in values.items() if id(type(value)) in _WRITTEN)
    return f"{class_name(cls)}({told})" if told else call_of(maker, ())


def _scope_names(callees: Sequence[Callee], api: ApiModel) -> dict[str, Known]:
    """The classes of requests that ``callees`` take."""
    asked = [found[1] for callee in callees if (found := _request(callee)) is not None]
    return {class_name(cls): api.constructor(cls) for cls in asked}


def _scope_calls(known: frozenset[str], callee: Callee, functions: Sequence[ast.AST], plain: str) -> Iterator[str]:
    """Calls with a request made of the scope that a server hands over, in which all that is read is ``plain``."""
    asked = _request(callee)
    if asked is None or class_name(asked[1]) not in known:
        return
    read = [(part, key) for tree in functions for part, key in parts_read(tree)]
    headers = [(key.lower().encode(), plain.encode()) for part, key in read if part == "headers"]
    headers += [(b"cookie", f"{key}={plain}".encode()) for part, key in read if part == "cookies"]
    query = "&".join(f"{key}={plain}" for part, key in read if part == "query_params").encode()
    path = {key: plain for part, key in read if part == "path_params"}
    scope = {"type": "http", "method": "GET", "path": "/", "headers": headers, "query_string": query, "path_params": path}
    before = [one.name for one in callee.parameters[: asked[0]]]
    yield call_of(callee, (*before, f"{class_name(asked[1])}({scope!r})"))


def _request(callee: Callee) -> tuple[int, type] | None:
    """Where ``callee`` takes a request, and of what class."""
    for place, one in enumerate(callee.parameters):
        if isinstance(one.hint, ClassHint) and one.declared and _REQUESTS in {class_home(cls) for cls in class_mro(one.hint.cls)}:
            return place, one.hint.cls
    return None


def _after_import(set_up: FrameworkSetUp) -> None:
    """Has the test client at hand, and what it runs on."""
    import_application(set_up)
    try:
        importlib.import_module("starlette.testclient")
    except (ImportError, RuntimeError):
        return  # it needs an HTTP library that is not installed: endpoints can still be called, without a request


ASGI = Framework(
    "asgi",
    lambda set_up: AsgiApplication(set_up.address),
    after_import=_after_import,
    request_names=_scope_names,
    request_calls=_scope_calls,
)
