"""The routes of an ASGI application: which requests come to which functions, with the description of them that the application
gives (OpenAPI), if it gives one. Read by asking the framework."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from crashwright.engine.subject.introspection import live_at

_PLACE = re.compile(r"\{(\w+)(:\w+)?\}")
_NOTHING: Mapping[str, object] = MappingProxyType({})


class Operation(NamedTuple):
    """``path`` as other frameworks write places: ``/rooms/<number>``. ``described`` is what a description says of each method, with
    the ``schemas`` that it refers to."""

    path: str
    methods: frozenset[str]
    endpoint: Any
    converters: object
    described: Mapping[str, Any]
    schemas: Mapping[str, Any]


def operations_of(address: str) -> Iterator[Operation]:
    """Those of the application at ``address`` (``module:name``, or ``module:name()``), in the order in which they were added."""
    application = _application(address)
    paths, schemas = _description(application)
    yield from _below(application, "", paths, schemas)


def _application(address: str) -> Any:
    module, _, name = address.removesuffix("()").partition(":")
    importlib.import_module(module)
    found: Any = live_at(module, name)
    return found() if address.endswith("()") else found


def _below(holder: Any, prefix: str, paths: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[Operation]:
    """The routes of an application, of what is mounted in one, and of routers that it includes."""
    for one in getattr(holder, "routes", None) or ():
        included = getattr(one, "effective_route_contexts", None)
        for route in included() if included is not None else (one,):
            path = prefix + str(getattr(route, "path", ""))
            endpoint = getattr(route, "endpoint", None)
            if endpoint is None:
                yield from _below(route, path, paths, schemas)
                continue
            methods = frozenset(method.lower() for method in getattr(route, "methods", None) or ())
            described = paths.get(_PLACE.sub(r"{\1}", path), _NOTHING)
            converters = getattr(route, "param_convertors", None)
            yield Operation(_PLACE.sub(r"<\1>", path), methods, endpoint, converters, described, schemas)


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
