"""Seeds that come to a view as requests do: through the test client of the web application, after the requests that make its state.

A view that shows a cart crashes for what another one has put into it, under a session that no test makes by hand. Which requests
there are the framework tells (``subject.routes``), what each carries is read from its view; the values are left to the search.

# Deviation: none of the papers does this; their subjects are called as they are.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl

from crashwright.core.invocation import SentRequest
from crashwright.core.location import CodeKey
from crashwright.core.preparation import Preparation
from crashwright.engine.sources.applications.described_requests import described, patterns_of
from crashwright.engine.sources.applications.request_paths import path_of, places_in
from crashwright.engine.sources.applications.request_seeds import MOST_KEYS, PLAIN, keys_asked, open_value, parts_read
from crashwright.engine.sources.applications.stored_objects import names_in, stores
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.introspection import class_name, is_class, live_at
from crashwright.engine.subject.models import Model
from crashwright.engine.subject.routes import METHODS, Route
from crashwright.engine.subject.usage.shapes import Plain
from crashwright.engine.subject.usage.usage import Session
from crashwright.engine.testcase.echoing.names import Known

MOST_BEFORE = 4
"""Requests that make the state."""
MOST_TARGETS = 2
MOST_VALUES, MOST_PLACES = 6, 2
"""Of what a view looks up, and of the keys that may be meant by it."""
MOST_SESSIONS = 60
MOST_STORED = 2
"""Requests that are sent after the same objects were stored."""
MOST_TOLD, MOST_TOLD_SESSIONS = 3, 40
"""Requests of the report that are sent, and sessions that end in one."""
_WRITING = ("post", "put", "patch", "delete")
_PARTS = frozenset({"GET", "POST", "args", "form", "json", "values", "data", "query_params"})
"""Of a request, those that a function reads by key."""
_WHOLE = frozenset({"get_json", "json", "body", "data"})
_SENT, _ASKED = frozenset({"body", "data"}), frozenset({"GET", "query_params"})
"""Of a request to Django or what builds on it, the parts that are its document and its query."""
_MOMENTS = frozenset({"fromisoformat", "strptime", "parse_date", "parse_datetime"})
_DAYS = ("2026-01-01", "2026-01-11", "2026-01-21")
"""For what is read as a date: around the moments that stored objects have."""
_CLIENTS = {
    "flask": ("flask.testing", "FlaskClient"),
    "django": ("django.test", "Client"),
    "asgi": ("starlette.testclient", "TestClient"),
}
Arguments = Callable[[str, set[str], str], Iterator[str]]
"""What a method of the client is given, by what a view reads."""


class Readings(NamedTuple):
    """``tree`` of a function; the functions that some ``call``, and these again; and the keys of tables that they all ``look up``.
    ``models`` are what the application stores. ``bodies`` are source texts of what some functions read of a document; ``modules``
    those that the path goes through."""

    tree: Callable[[CodeKey], ast.AST | None]
    called: Callable[[Sequence[CodeKey]], Sequence[ast.AST]]
    looked_up: Callable[[Sequence[CodeKey]], Sequence[Plain]]
    models: Sequence[Model] = ()
    bodies: Callable[[Sequence[CodeKey]], Iterable[str]] = lambda _keys: ()
    modules: Sequence[ast.AST] = ()


def is_telling(value: object) -> bool:
    """Whether a literal of the sessions is to stay as it is written: a test with ``/basket`` says more than one with ``basket``."""
    return type(value) is str and (value.startswith("/") or value in _DAYS)


def client_callees(preparation: Preparation, api: ApiModel) -> tuple[Callee, ...]:
    """What a test calls to send a request: the methods of the framework's test client."""
    cls = _client_class(preparation)
    found = [] if cls is None else [api.member(cls, method) for method in METHODS]
    return tuple(one for one in found if one is not None)


def client_names(preparation: Preparation, api: ApiModel) -> dict[str, Known]:
    """What the sessions name beyond the subject and what ``request_names`` has."""
    cls = _client_class(preparation)
    names: dict[str, Known] = {f"client.{one.name}": one for one in client_callees(preparation, api)}
    made = cls is not None and (preparation.django or preparation.asgi)
    return {**names, class_name(cls): api.constructor(cls)} if made and cls is not None else names


def client_sessions(
    preparation: Preparation,
    known: Mapping[str, Known],
    routes: Sequence[Route],
    path: Sequence[CodeKey],
    readings: Readings,
    told: Sequence[SentRequest] = (),
) -> tuple[Session, ...]:
    """Statements that send the requests that the report ``told`` of, then those which come to a view on the ``path`` of the crash:
    alone, after all that may write what it reads, and after each of these. ``known`` are the names that they can use."""
    opening = _opening(preparation, known)
    views = {key: place for place, key in enumerate(path)}
    targets = [(min(met), route) for route in routes if (met := [views[key] for key in route.keys if key in views])]
    if not opening or not (targets or told):
        return ()
    own = {key.module.partition(".")[0] for key in path}
    others = [route for route in routes if any(key.module.partition(".")[0] in own for key in route.keys)]
    sending = _Sending(opening, others, path, readings, _arguments(preparation))
    texts = [text for request in told[:MOST_TOLD] for text in sending.told(request, routes)][:MOST_TOLD_SESSIONS]
    for _, target in sorted(targets, key=lambda pair: pair[0])[:MOST_TARGETS]:
        texts += sending.to(target)
    return tuple([tuple(ast.parse(text).body) for text in dict.fromkeys(texts)][:MOST_SESSIONS])


class _Sending(NamedTuple):
    """What the sessions of one crash have in common: the lines that make the client, the routes of the application."""

    opening: Sequence[str]
    routes: Sequence[Route]
    path: Sequence[CodeKey]
    readings: Readings
    arguments: Arguments

    def to(self, target: Route) -> list[str]:
        """Sessions that end in a request to that route."""
        last = [request for one in _requests(target, self.path, self.readings, self.arguments, PLAIN) for request in one]
        stored = stores(self.readings.models, self._named(target.keys))
        return [*self._after_requests(target, last), *self._after_stores(stored, last[:MOST_STORED])]

    def told(self, request: SentRequest, routes: Sequence[Route]) -> list[str]:
        """Sessions that end in this very request, with what its view reads if the report does not say what it carried."""
        met = [(route, places) for route in routes if (places := places_in(route, request.path)) is not None]
        target, places = next(iter(met), (None, {}))
        keys = () if target is None else target.keys
        plain = f"client.{request.method}({request.address!r}"
        last = [f"{plain}{''.join(f', {one}' for one in self._sent(request, target))})"]
        if target is not None and not request.body and (request.method in _WRITING or not request.query):
            literal = target._replace(path=request.address, methods=(request.method,))
            last += [one for ways in _requests(literal, (), self.readings, self.arguments) for one in ways]
        values = {**places, **dict(parse_qsl(request.query))}
        stored = stores(self.readings.models, self._named(keys), values)
        last = list(dict.fromkeys(last))[:MOST_VALUES]
        first = self._after_requests(target, last[:MOST_STORED]) if target is not None else self._alone(last)
        # What the report tells of is there already: most often only what was stored is missing.
        return [*self._alone(last), *self._after_stores(stored, last[:MOST_STORED]), *first]

    def _sent(self, request: SentRequest, target: Route | None) -> list[str]:
        """The arguments that say what the report tells of the body."""
        if not request.body:
            return []
        try:
            body = json.loads(request.body)
        except ValueError:
            return []  # what looked like a secret was taken out of it
        read = set() if target is None else _attributes(target.keys, self.readings)
        return list(self.arguments(request.method, {*read, "json", "get_json", "body"}, repr(body)))

    def _named(self, keys: Sequence[CodeKey]) -> frozenset[str]:
        """The names in the functions of the view and of the path, and in those that they call."""
        keys = [*keys, *self.path]
        trees = [*(tree for key in keys if (tree := self.readings.tree(key)) is not None), *self.readings.called(keys)]
        return names_in(self.readings.models, trees, self.readings.modules)

    def _alone(self, last: Sequence[str]) -> list[str]:
        return ["\n".join([*self.opening, request]) for request in last]

    def _after_stores(self, stored: Sequence[Sequence[str]], last: Sequence[str]) -> list[str]:
        return ["\n".join([*flow, *self.opening, request]) for flow in stored for request in last]

    def _after_requests(self, target: Route, last: Sequence[str]) -> list[str]:
        before = _before(target, self.routes, self.readings, self.arguments)
        flows = [[], *_flows(before), *([request] for one in before for request in one)]
        return ["\n".join([*self.opening, *flow, request]) for flow in flows for request in last]


def _attributes(keys: Sequence[CodeKey], readings: Readings) -> set[str]:
    trees = [tree for key in keys if (tree := readings.tree(key)) is not None]
    return {node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def _flows(before: Sequence[Sequence[str]]) -> list[list[str]]:
    """All requests after each other, each with what is left open, then each with the first value that is looked up, and so on."""
    longest = max(map(len, before), default=0)
    return [[one[turn % len(one)] for one in before] for turn in range(longest)]


def _client_class(preparation: Preparation) -> type | None:
    kinds = (("flask", preparation.flask), ("django", preparation.django), ("asgi", preparation.asgi))
    named = next((_CLIENTS[kind] for kind, used in kinds if used), None)
    live = None if named is None else live_at(*named)
    return live if is_class(live) else None


def _opening(preparation: Preparation, known: Mapping[str, Known]) -> list[str]:
    """The statements that make a client, which lets exceptions through."""
    if preparation.flask:
        application = preparation.flask.partition(":")[2]
        if application.removesuffix("()") not in known:
            return []
        name = "app" if application.endswith("()") else application
        made = [f"{name} = {application}"] if application.endswith("()") else []
        return [*made, f"{name}.testing = True", f"client = {name}.test_client()"]
    if preparation.asgi:
        application = preparation.asgi.partition(":")[2]
        known_too = application.removesuffix("()") in known and "TestClient" in known
        return [f"with TestClient({application}) as client:\n    pass"] if known_too else []
    return ["client = Client()"] if preparation.django and "Client" in known else []


def _before(target: Route, routes: Sequence[Route], readings: Readings, arguments: Arguments) -> list[list[str]]:
    """Requests that write: those next to the target's path first, then in the order in which they are found; deletions last. Of
    each the ways in which it can be sent."""
    found: list[tuple[bool, int, list[str]]] = []
    for route in routes:
        methods = [method for method in route.methods if method in _WRITING]
        if route is not target and methods:
            ways = next(_requests(route._replace(methods=(methods[0],)), (), readings, arguments))
            found.append((methods[0] == "delete", -_shared(route.path, target.path), ways))
    return [ways for *_, ways in sorted(found, key=lambda one: one[:2])][:MOST_BEFORE]


def _shared(one: str, other: str) -> int:
    """How many parts from the front two paths have in common."""
    pairs = zip(one.strip("/").split("/"), other.strip("/").split("/"), strict=False)
    return next((place for place, (mine, theirs) in enumerate(pairs) if mine != theirs), 100)


def _requests(
    route: Route, keys: Sequence[CodeKey], readings: Readings, arguments: Arguments, plain: Sequence[str] = ()
) -> Iterator[list[str]]:
    """For each method that the view answers the ways to send it: with open values for what its source reads, then with the same
    ``plain`` value for all, then with what it looks up in tables for one of those that it cannot do without."""
    found = [tree for key in dict.fromkeys((*route.keys, *keys)) if (tree := readings.tree(key)) is not None]
    helping = readings.called(route.keys)
    read = {node.attr for tree in (*found, *helping) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    parts = [key for tree in (*found, *helping) for part, key in parts_read(tree) if part in _PARTS]
    # What is read of a whole body, nobody says: it may be any key.
    whole = [key for tree in found for key in keys_asked(tree)] if read & _WHOLE else []
    asked = list(dict.fromkeys([*parts, *whole]))[:MOST_KEYS]
    needed = [key for key in asked if any(key in keys_asked(tree, optional=False) for tree in found)]
    carried = [{key: open_value(key) for key in asked}, *(dict.fromkeys(asked, value) for value in plain)]
    if read & _MOMENTS:
        carried.insert(1, {key: repr(_DAYS[place % len(_DAYS)]) for place, key in enumerate(asked)})
    for value in readings.looked_up(route.keys)[:MOST_VALUES] if needed else ():
        carried += [{key: repr(value) if key == one else open_value(key) for key in needed} for one in needed[:MOST_PLACES]]
    nested = list(readings.bodies(list(dict.fromkeys((*route.keys, *keys))))) if read & _WHOLE else []
    told = route.operation.described if route.operation is not None else {}
    for method in route.methods or _told(read):
        path = path_of(route._replace(patterns=(*route.patterns, *patterns_of(told.get(method, {})))))
        if route.operation is not None and method in told:
            ways = list(described(told[method], route.operation.schemas))
            yield [f"client.{method}({path!r}{said and ', '}{said})" for said in ways]
            continue
        ways = ["{" + ", ".join(f"{key!r}: {value}" for key, value in one.items()) + "}" for one in carried]
        ways = list(dict.fromkeys([*nested[:1], *ways, *nested[1:]]))
        yield [
            f"client.{method}({path!r}{''.join(f', {said}' for said in arguments(method, read, one))})"
            for one in ways
            if asked or nested
        ] or [f"client.{method}({path!r})"]


def _told(read: set[str]) -> tuple[str, ...]:
    """The methods that a view of Django seems to answer."""
    parts = (("get", _ASKED), ("post", frozenset({"POST"})), ("post", _SENT))
    return tuple(method for method, part in parts if read & part)[:1] or ("get",)


def _arguments(preparation: Preparation) -> Arguments:
    if preparation.flask:
        return _flask_arguments
    return _asgi_arguments if preparation.asgi else _django_arguments


def _flask_arguments(method: str, read: set[str], carried: str) -> Iterator[str]:
    if method in _WRITING and read & {"get_json", "json"}:
        yield f"json={carried}"
    elif method in _WRITING and read & {"form", "values"}:
        yield f"data={carried}"
    if read & {"args", "values"} and not (method in _WRITING and "values" in read):
        yield f"query_string={carried}"


def _django_arguments(method: str, read: set[str], carried: str) -> Iterator[str]:
    if (method == "get" and read & _ASKED) or (method == "post" and "POST" in read):
        yield carried
    elif method in _WRITING and read & _SENT:
        yield f"{carried}, content_type='application/json'"


def _asgi_arguments(method: str, read: set[str], carried: str) -> Iterator[str]:
    """Of an application that says nothing of what its requests carry."""
    if method in _WRITING and read & _WHOLE:
        yield f"json={carried}"
    elif method in _WRITING and "form" in read:
        yield f"data={carried}"
    if "query_params" in read and not (method in _WRITING and read & _WHOLE):
        yield f"params={carried}"
