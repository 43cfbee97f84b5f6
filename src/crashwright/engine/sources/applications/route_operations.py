"""The operations of a web application: requests to its routes, by the statements that ``client_sessions`` writes for them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from crashwright.core.invocation import SentRequest
from crashwright.engine.frameworks.web import WRITING, Route
from crashwright.engine.sources.applications.client_sessions import MOST_TARGETS, Sending, met_by, requests_to, targets_on
from crashwright.engine.sources.applications.described_requests import choices_of, invented, typed
from crashwright.engine.sources.applications.operations import (
    AskedOperation,
    Asking,
    OpeningWithRows,
    call_in,
    names_in_calls,
    namespaces_of,
    words_of,
)
from crashwright.engine.sources.applications.pattern_words import pattern_words
from crashwright.engine.sources.applications.request_paths import shared_parts
from crashwright.engine.sources.applications.request_seeds import MOST_KEYS, keys_asked

MOST_OTHERS = 10
"""Requests that may make the state."""
MOST_CALLERS = 4
"""Words by which callers differ."""
MOST_WAYS = 4
"""In which one of them is sent."""


def route_operations(sending: Sending, routes: Sequence[Route], told: Sequence[SentRequest]) -> Asking:
    """What the report ``told`` of comes first among the targets."""
    on_path = targets_on(sending.path, routes)
    targets: list[tuple[Route, AskedOperation]] = []
    before: list[str] = []
    session: list[ast.Call] = []
    for request in told:
        route, _ = met_by(request, routes)
        if route is None:
            continue
        said = route._replace(methods=(request.method,))
        ways = sending.ways_told(request, route)
        if any(route is one for one in on_path) and len(targets) < MOST_TARGETS:
            targets.append((said, _operation(sending, said, ways)))
        before.insert(0, _name(said))
        session = [*(call for one in ways[:1] if (call := call_in(one)) is not None), *session]
    for route in on_path:
        known = [one.name for _, one in targets]
        targets += [(route, one) for one in _operations(sending, route) if one.name not in known]
    if not targets or not sending.openings:
        return Asking()
    first = targets[0][0]
    # Whoever sends the others has to be let in, too.
    guards = tuple(dict.fromkeys((*first.guards, *(guard for route in sending.routes for guard in route.guards))))
    signed = next(iter(sending.signed(first._replace(guards=guards))), [])
    others = [
        (one.ends, route.path.count("<"), -shared_parts(route.path, first.path), one)
        for route in sending.routes
        for one in _operations(sending, route._replace(methods=tuple(each for each in route.methods if each in WRITING)))
    ]
    # What the report tells of was possible, so it is among them in any case.
    nearest = sorted(others, key=lambda one: (one[3].name not in before, *one[:3]))[:MOST_OTHERS]
    opening = ast.parse("\n".join([*sending.openings[-1], *signed])).body
    in_order = tuple(one for *_, one in sorted(nearest, key=lambda one: one[:3]))
    # Requests alone say little of what was stored; with what was sent they are the state.
    whole = tuple(session) if any(one.body for one in told) else ()
    callers = tuple(dict.fromkeys(word for route, _ in targets for word in route.given))[:MOST_CALLERS]
    rows = tuple(
        OpeningWithRows(*(tuple(ast.parse("\n".join(part)).body) for part in way)) for way in sending.with_rows(first, signed)
    )
    return Asking(
        tuple(opening),
        tuple(one for _, one in targets),
        in_order,
        tuple(before),
        whole,
        with_rows=rows,
        callers=callers,
        headers=sending.headers(first),
    )


def _name(route: Route) -> str:
    return f"{route.methods[0]} {route.path}"


def _operations(sending: Sending, route: Route) -> list[AskedOperation]:
    """One for each of its methods."""
    if not route.methods:
        return []
    made = zip(route.methods, requests_to(route, (), sending.readings, sending.arguments), strict=False)
    return [_operation(sending, route._replace(methods=(method,)), ways) for method, ways in made]


def _operation(sending: Sending, route: Route, ways: Sequence[str]) -> AskedOperation:
    readings, method = sending.readings, route.methods[0]
    trees = [tree for key in route.keys if (tree := readings.tree(key)) is not None]
    code = [*trees, *readings.called(route.keys)]
    words = words_of(code, namespaces_of([key.module for key in route.keys]), readings.looked_up(route.keys))
    packages = dict.fromkeys(key.module.partition(".")[0] for key in route.keys)
    words = (*words, *(text for package in packages for text in pattern_words(code, package)))
    keys = tuple(dict.fromkeys((*(key for tree in trees for key in keys_asked(tree)), *names_in_calls(trees))))[:MOST_KEYS]
    # Nothing at first: an application says what it lacks.
    empty = (
        [said for read in _READ for said in sending.arguments(method, read, "{}")]
        if method in WRITING and route.description is None
        else []
    )
    path = next((call.args[0] for one in ways if (call := call_in(one)) is not None and call.args), None)
    bare = [f"client.{method}({ast.unparse(path)}, {said})" for said in empty] if path is not None else []
    texts = [*ways[:1], *bare, *ways[1:MOST_WAYS]] if route.description is not None else [*bare, *ways[:MOST_WAYS]]
    calls = [call for one in dict.fromkeys(texts) if (call := call_in(one, route)) is not None]
    told = {} if route.description is None else route.description.methods.get(method, {})
    schemas = {} if route.description is None else route.description.schemas
    known = {name: tuple(values) for name, values in readings.named(route.keys).items()}
    choices = {**known, **dict(choices_of(told, schemas))}
    of_one_kind, any_keys = typed(told, schemas), invented(told, schemas, readings.indexed)
    ends = method == "delete"
    return AskedOperation(_name(route), tuple(calls), keys, words, ends, choices, typed=of_one_kind, invented=any_keys)


_READ = (frozenset({"get_json", "json", "body"}), frozenset({"form", "POST"}))
"""What views read documents and forms by."""
