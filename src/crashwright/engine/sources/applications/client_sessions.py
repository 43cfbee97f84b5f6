"""Seeds that come to a view as requests do: through the test client of the web application, after the requests that make its state.

A view that shows a cart crashes for what another one has put into it, under a session that no test makes by hand. Which requests
there are the framework tells (``frameworks``), what each carries is read from its view; the values are left to the search.

# Deviation: none of the papers does this; their subjects are called as they are.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import parse_qsl

from crashwright.core.invocation import SentRequest
from crashwright.core.location import CodeKey
from crashwright.engine.frameworks.model_rows import StoringWay
from crashwright.engine.frameworks.saved_models import SavedModel, names_in, stores
from crashwright.engine.frameworks.session_keys import Source
from crashwright.engine.frameworks.web import METHODS, WHOLE, WRITING, Route, WebFramework, likely_methods, open_value, parts_read
from crashwright.engine.sources.applications.described_requests import described, patterns_of
from crashwright.engine.sources.applications.operations import SentHeader
from crashwright.engine.sources.applications.request_paths import path_of, places_in, shared_parts
from crashwright.engine.sources.applications.request_seeds import MOST_KEYS, PLAIN, keys_asked
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.introspection import class_name, is_class, live_at
from crashwright.engine.subject.usage.client_tests import ClientTest, distinct_openings
from crashwright.engine.subject.usage.shapes import Plain
from crashwright.engine.subject.usage.shipped_tests import imports_of_tests
from crashwright.engine.subject.usage.usage import Session
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase.names.source import Known
from crashwright.engine.testcase.statements import Named

MOST_BEFORE = 4
"""Requests that make the state."""
MOST_TARGETS = 2
MOST_VALUES, MOST_PLACES = 6, 2
"""Of what a view looks up, and of the keys that may be meant by it."""
MOST_SESSIONS = 100
MOST_OPENINGS, MOST_PLAYED = 2, 6
"""Of the project's own tests: ways to make the client, and tests after which the request is sent."""
MOST_STORED = 2
"""Requests that are sent after the same objects were stored, or by the same caller."""
MOST_FRONTS = 4
"""Texts that are tried in front of what a header is sent."""
MOST_SIGNED = 12
"""Ways in which a caller is signed in."""
MOST_TOLD, MOST_TOLD_SESSIONS = 3, 40
"""Requests of the report that are sent, and sessions that end in one."""
_PARTS = frozenset({"GET", "POST", "args", "form", "json", "values", "data", "query", "query_params"})
"""Of a request, those that a function reads by key."""
_MOMENTS = frozenset({"fromisoformat", "strptime", "parse_date", "parse_datetime"})
_DAYS = ("2026-01-01", "2026-01-11", "2026-01-21")
"""For what is read as a date: around the moments that stored objects have."""
_MISSING = object()
Arguments = Callable[[str, Collection[str], str], Iterator[str]]
"""What a method of the client is given, by what a view reads."""


class Readings(NamedTuple):
    """``tree`` of a function; the functions that some ``call``, and these again; and the keys of tables that they all ``look up``.
    ``models`` are what the application stores. ``bodies`` are source texts of what some functions read of a document; ``modules``
    those that the path goes through. ``tests`` of the project send requests themselves. ``source`` is that of a module.
    ``indexed``: what the keys are called by which the path looks something up, by the name of that; ``named``: what some functions,
    and those that they call, look up by each name."""

    tree: Callable[[CodeKey], ast.AST | None]
    called: Callable[[Sequence[CodeKey]], Sequence[ast.AST]]
    looked_up: Callable[[Sequence[CodeKey]], Sequence[Plain]]
    models: Sequence[SavedModel] = ()
    bodies: Callable[[Sequence[CodeKey]], Iterable[str]] = lambda _keys: ()
    modules: Sequence[ast.AST] = ()
    tests: Sequence[ClientTest] = ()
    source: Source = lambda _module: None
    indexed: Mapping[str, str] = MappingProxyType({})
    named: Callable[[Sequence[CodeKey]], Mapping[str, Sequence[Plain]]] = lambda _keys: {}


def is_address(value: object) -> bool:
    """Whether a literal is to stay as it is written: a test with ``/basket`` says more than one with ``basket``."""
    return type(value) is str and value.startswith("/")


def is_telling(value: object) -> bool:
    """Likewise of the literals of :func:`client_sessions`."""
    return is_address(value) or (type(value) is str and value in _DAYS)


def client_callees(framework: WebFramework | None, api: ApiModel) -> tuple[Callee, ...]:
    """What a test calls to send a request: the methods of the framework's test client."""
    cls = _client_class(framework)
    found = [] if cls is None else [api.member(cls, method) for method in METHODS]
    return tuple(one for one in found if one is not None)


def client_names(framework: WebFramework | None, api: ApiModel) -> dict[str, Known]:
    """What the sessions name beyond the subject and what ``request_names`` has."""
    cls = _client_class(framework)
    names: dict[str, Known] = {f"client.{one.name}": one for one in client_callees(framework, api)}
    made = cls is not None and framework is not None and framework.makes_client
    return {**names, class_name(cls): api.constructor(cls)} if made and cls is not None else names


def names_of_tests(api: ApiModel) -> dict[str, Known]:
    """What the project's own tests import, where it is loaded."""
    found: dict[str, Known] = {}
    for name, (module, attribute) in imports_of_tests(api.package).items():
        live = live_at(module, attribute, _MISSING)
        if live is not _MISSING:
            found[name] = api.callee_of(live) or Named(module, attribute, live)
    return found


def client_sessions(
    framework: WebFramework | None,
    known: Mapping[str, Known],
    routes: Sequence[Route],
    path: Sequence[CodeKey],
    readings: Readings,
    told: Sequence[SentRequest] = (),
    beside: Collection[str] = (),
) -> tuple[Session, ...]:
    """Statements that send the requests that the report ``told`` of, then those which come to a view on the ``path`` of the crash:
    alone, after all that may write what it reads, and after each of these. ``known`` are the names that they can use; ``beside``
    are other packages of the project."""
    if framework is None:
        return ()
    sending = Sending.of(framework, known, routes, path, readings, beside)
    targets = targets_on(path, routes)
    if not sending.openings or not (targets or told):
        return ()
    texts = [text for request in told[:MOST_TOLD] for text in sending.told(request, routes)][:MOST_TOLD_SESSIONS]
    for target in targets:
        texts += sending.to(target)
    return tuple([tuple(ast.parse(text).body) for text in dict.fromkeys(texts)][:MOST_SESSIONS])


def targets_on(path: Sequence[CodeKey], routes: Sequence[Route]) -> list[Route]:
    """Those whose views are on the path, the outermost first; where several share a decorator or a base, those that have the most
    of it."""
    views = {key: place for place, key in enumerate(path)}
    targets = [(met, route) for route in routes if (met := {views[key] for key in route.keys if key in views})]
    most = max((len(met) for met, _ in targets), default=0)
    found = [(min(met), route) for met, route in targets if len(met) == most]
    return [target for _, target in sorted(found, key=lambda one: one[0])[:MOST_TARGETS]]


class Sending(NamedTuple):
    """What the sessions of one crash have in common: the ways to make the client, as the project's own tests do first, and the
    routes of the application."""

    openings: Sequence[Sequence[str]]
    routes: Sequence[Route]
    path: Sequence[CodeKey]
    readings: Readings
    arguments: Arguments
    signed: Callable[[Route], Sequence[Sequence[str]]]
    """The ways in which a caller is signed in for a route."""
    sends: tuple[str, str] = ("", "")
    """See ``WebFramework.sends``."""
    rows: Callable[[Collection[str]], list[StoringWay]] = lambda _named: []
    """See ``WebFramework.rows``."""

    @classmethod
    def of(
        cls,
        framework: WebFramework,
        known: Mapping[str, Known],
        routes: Sequence[Route],
        path: Sequence[CodeKey],
        readings: Readings,
        beside: Collection[str] = (),
    ) -> Sending:
        """Without ``openings`` where the framework has none. ``beside`` are other packages of the project."""
        usual = framework.opening(known)
        openings = [_opening(one, usual) for one in distinct_openings(readings.tests)[:MOST_OPENINGS]]
        openings = [one for one in (*openings, usual) if one]
        own = {*beside, *(key.module.partition(".")[0] for key in path)}
        others = [route for route in routes if route.is_of(own)]
        signed = partial(_signed_in, framework, known, readings)
        rows = partial(framework.rows, known)
        return cls(openings, others, path, readings, framework.arguments, signed, sends=framework.sends, rows=rows)

    def to(self, target: Route) -> list[str]:
        """Sessions that end in a request to that route."""
        last = [request for one in requests_to(target, self.path, self.readings, self.arguments, PLAIN) for request in one]
        stored = stores(self.readings.models, self._named(target.keys))
        played = self._after_tests(target.path, last[:MOST_STORED])
        signed = self.signed(target)
        return [
            *self._alone(last, self.openings[-1:]),
            *self._by_callers(signed, [[]], last[:MOST_STORED]),
            *self._by_callers(signed[:1], stored, last[:1]),
            *self._after_requests(target, last),
            *played,
            *self._after_stores(stored, last[:MOST_STORED]),
        ]

    def told(self, request: SentRequest, routes: Sequence[Route]) -> list[str]:
        """Sessions that end in this very request, with what its view reads if the report does not say what it carried."""
        target, places = met_by(request, routes)
        keys = () if target is None else target.keys
        last = self.ways_told(request, target)
        values = {**places, **dict(parse_qsl(request.query))}
        stored = stores(self.readings.models, self._named(keys), values)
        first = self._after_requests(target, last[:MOST_STORED]) if target is not None else self._alone(last)
        signed = self.signed(target) if target is not None else []
        # What the report tells of is there already: most often only what was stored is missing, or who asks for it.
        played = self._after_tests(request.path, last[:MOST_STORED])
        callers = [*self._by_callers(signed, [[]], last[:1]), *self._by_callers(signed[:1], stored, last[:1])]
        return [*self._alone(last), *callers, *played, *self._after_stores(stored, last[:MOST_STORED]), *first]

    def ways_told(self, request: SentRequest, target: Route | None) -> list[str]:
        """Statements that send this very request, which comes to ``target``."""
        plain = f"client.{request.method}({request.address!r}"
        ways = [f"{plain}{''.join(f', {one}' for one in self._sent(request, target))})"]
        if target is not None and not request.body and (request.method in WRITING or not request.query):
            literal = target._replace(path=request.address, methods=(request.method,))
            ways += [one for each in requests_to(literal, (), self.readings, self.arguments) for one in each]
        return list(dict.fromkeys(ways))[:MOST_VALUES]

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

    def headers(self, target: Route) -> tuple[SentHeader, ...]:
        """What is read of the headers of each request by what runs before the view, and around it."""
        written, document = self.sends
        keys = (*target.before, *target.keys)
        trees = [*(tree for key in keys if (tree := self.readings.tree(key)) is not None), *self.readings.called(keys)]
        found: dict[str, tuple[str, ...]] = {}
        for tree in trees if written else ():
            for part, name in parts_read(tree):
                if part == "headers" and name.replace("-", "_").isidentifier():
                    found[name] = (*found.get(name, ()), *_looked_for(tree))
        return tuple(
            SentHeader(
                written.format(header=name.upper().replace("-", "_")), document, tuple(dict.fromkeys((*before, "")))[:MOST_FRONTS]
            )
            for name, before in found.items()
        )

    def with_rows(self, target: Route, signed: Sequence[str]) -> list[StoringWay]:
        """Openings beside which there are rows of all models that its view and the path name, with what they refer to."""
        ahead = max(stores(self.readings.models, self._named(target.keys)), key=len, default=[])
        behind = self.rows(names_and_attributes(self._trees(target.keys)))
        usual = [*self.openings[-1], *signed]
        first = [StoringWay([*ahead, *usual], ahead)] if ahead else []
        return [*first, *(way._replace(lines=[*usual, *way.lines]) for way in behind)]

    def _trees(self, keys: Sequence[CodeKey]) -> list[ast.AST]:
        """The functions of the view and of the path, and those that they call."""
        keys = [*keys, *self.path]
        return [*(tree for key in keys if (tree := self.readings.tree(key)) is not None), *self.readings.called(keys)]

    def _named(self, keys: Sequence[CodeKey]) -> frozenset[str]:
        """The names in these functions."""
        return names_in(self.readings.models, self._trees(keys), self.readings.modules)

    def _alone(self, last: Sequence[str], openings: Sequence[Sequence[str]] = ()) -> list[str]:
        return ["\n".join([*opening, request]) for request in last for opening in openings or self.openings]

    def _by_callers(self, signed: Sequence[Sequence[str]], stored: Sequence[Sequence[str]], last: Sequence[str]) -> list[str]:
        """By each caller, with what is ``stored``; what both make is the same."""
        texts: list[str] = []
        for flow in stored:
            made = {name for line in flow if (name := _made(line))}
            for way in signed:
                lines = [line for line in way if _made(line) not in made]
                texts += ["\n".join([*flow, *self.openings[-1], *lines, request]) for request in last]
        return texts

    def _after_tests(self, path: str, last: Sequence[str]) -> list[str]:
        """After what a test of the project does: those first that go next to the ``path``."""
        tests = sorted(self.readings.tests, key=lambda one: -max(shared_parts(asked, path) for asked in one.paths))[:MOST_PLAYED]
        whole = ["\n".join([*_opening(one, self.openings[-1]), *map(ast.unparse, one.sending)]) for one in tests]
        return [*whole, *(f"{one}\n{request}" for request in last for one in whole)]

    def _after_stores(self, stored: Sequence[Sequence[str]], last: Sequence[str]) -> list[str]:
        return ["\n".join([*flow, *self.openings[-1], request]) for flow in stored for request in last]

    def _after_requests(self, target: Route, last: Sequence[str]) -> list[str]:
        before = _before(target, self.routes, self.readings, self.arguments)
        flows = [[], *_flows(before), *([request] for one in before for request in one)]
        ways = (self.openings[-1], *self.openings[:-1])
        return ["\n".join([*opening, *flow, request]) for opening in ways for flow in flows for request in last]


def met_by(request: SentRequest, routes: Sequence[Route]) -> tuple[Route | None, dict[str, str]]:
    """The route that it comes to, with what stands in its places: one that answers its method, if that is told."""
    met = [(route, places) for route in routes if (places := places_in(route, request.path)) is not None]
    met.sort(key=lambda one: request.method not in one[0].methods)
    return next(iter(met), (None, {}))


def _looked_for(tree: ast.AST) -> Iterator[str]:
    """Texts that may stand in front of what is sent, and a blank behind them: ``Bearer ``."""
    for node in walk(tree):
        value = node.value if isinstance(node, ast.Constant) else None
        if type(value) is str and value.strip().isalpha() and (value.endswith(" ") or value[:1].isupper()):
            yield f"{value.strip()} "


def _made(line: str) -> str:
    """The variable that a line makes."""
    name, equals, _ = line.partition(" = ")
    return name if equals and name.isidentifier() else ""


def _signed_in(framework: WebFramework, known: Mapping[str, Known], readings: Readings, route: Route) -> list[list[str]]:
    return list(islice(framework.signing_in(route, known, readings.source), MOST_SIGNED))


def _opening(test: ClientTest, usual: Sequence[str]) -> list[str]:
    """How it makes its client, in the ``usual`` way if it does not say."""
    return [*(() if test.makes_client else usual), *map(ast.unparse, test.opening)]


def names_and_attributes(trees: Iterable[ast.AST]) -> frozenset[str]:
    """That some code has."""
    nodes = [node for tree in trees for node in walk(tree)]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return frozenset(names | {node.attr for node in nodes if isinstance(node, ast.Attribute)})


def _attributes(keys: Sequence[CodeKey], readings: Readings) -> set[str]:
    trees = [tree for key in keys if (tree := readings.tree(key)) is not None]
    return {node.attr for tree in trees for node in walk(tree) if isinstance(node, ast.Attribute)}


def _flows(before: Sequence[Sequence[str]]) -> list[list[str]]:
    """All requests after each other, each with what is left open, then each with the first value that is looked up, and so on."""
    longest = max(map(len, before), default=0)
    return [[one[turn % len(one)] for one in before] for turn in range(longest)]


def _client_class(framework: WebFramework | None) -> type | None:
    live = None if framework is None else live_at(*framework.client)
    return live if is_class(live) else None


def _before(target: Route, routes: Sequence[Route], readings: Readings, arguments: Arguments) -> list[list[str]]:
    """Requests that write: those next to the target's path first, then in the order in which they are found; deletions last. Of
    each the ways in which it can be sent."""
    found: list[tuple[bool, int, list[str]]] = []
    for route in routes:
        methods = [method for method in route.methods if method in WRITING]
        if route is not target and methods:
            ways = next(requests_to(route._replace(methods=(methods[0],)), (), readings, arguments))
            found.append((methods[0] == "delete", -shared_parts(route.path, target.path), ways))
    return [ways for *_, ways in sorted(found, key=lambda one: one[:2])][:MOST_BEFORE]


def requests_to(
    route: Route, keys: Sequence[CodeKey], readings: Readings, arguments: Arguments, plain: Sequence[str] = ()
) -> Iterator[list[str]]:
    """For each method that the view answers the ways to send it: with open values for what its source reads, then with the same
    ``plain`` value for all, then with what it looks up in tables for one of those that it cannot do without."""
    found = [tree for key in dict.fromkeys((*route.keys, *keys)) if (tree := readings.tree(key)) is not None]
    helping = readings.called(route.keys)
    read = {node.attr for tree in (*found, *helping) for node in walk(tree) if isinstance(node, ast.Attribute)}
    parts = [key for tree in (*found, *helping) for part, key in parts_read(tree) if part in _PARTS]
    # What is read of a whole body, nobody says: it may be any key.
    whole = [key for tree in found for key in keys_asked(tree)] if read & WHOLE else []
    asked = list(dict.fromkeys([*parts, *whole]))[:MOST_KEYS]
    needed = [key for key in asked if any(key in keys_asked(tree, optional=False) for tree in found)]
    carried = [{key: open_value(key) for key in asked}, *(dict.fromkeys(asked, value) for value in plain)]
    if read & _MOMENTS:
        carried.insert(1, {key: repr(_DAYS[place % len(_DAYS)]) for place, key in enumerate(asked)})
    for value in readings.looked_up(route.keys)[:MOST_VALUES] if needed else ():
        carried += [{key: repr(value) if key == one else open_value(key) for key in needed} for one in needed[:MOST_PLACES]]
    nested = list(readings.bodies(list(dict.fromkeys((*route.keys, *keys))))) if read & WHOLE else []
    told = route.description.methods if route.description is not None else {}
    for method in route.methods or likely_methods(read):
        path = path_of(route._replace(patterns=(*route.patterns, *patterns_of(told.get(method, {})))))
        if route.description is not None and method in told:
            ways = list(described(told[method], route.description.schemas, route.description.document, readings.indexed))
            yield [f"client.{method}({path!r}{said and ', '}{said})" for said in ways]
            continue
        ways = ["{" + ", ".join(f"{key!r}: {value}" for key, value in one.items()) + "}" for one in carried]
        ways = list(dict.fromkeys([*nested[:1], *ways, *nested[1:]]))
        yield [
            f"client.{method}({path!r}{''.join(f', {said}' for said in arguments(method, read, one))})"
            for one in ways
            if asked or nested
        ] or [f"client.{method}({path!r})"]
