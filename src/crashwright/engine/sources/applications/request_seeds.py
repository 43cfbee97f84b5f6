"""Seeds for what a web framework calls: the entry, in or with a request that carries what the source asks it for.

No report shows the request, and no random call makes one: a Flask view reads it from the context that it runs in, one of Django or
of an ASGI framework is handed it. What the keys are is read from the functions on the path; the values are left to the search.

# Deviation: none of the papers does this; their subjects are called as they are.
"""

from __future__ import annotations

import ast
import keyword
import random
from collections.abc import Iterable, Iterator, Sequence

from crashwright.core.preparation import Preparation
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind, ParameterKind
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.introspection import class_home, class_mro, class_name, is_class, live_at
from crashwright.engine.subject.usage.usage import Session
from crashwright.engine.testcase.echoing.echoed_tests import Echo, usage_test
from crashwright.engine.testcase.echoing.names import EchoNames, Known
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Named

MOST_KEYS = 8
"""Of what a request carries."""
MOST_CALLEES = 3
_FLASK = {
    "get_json": "json",
    "json": "json",
    "form": "data",
    "args": "query_string",
    "values": "query_string",
    "headers": "headers",
}
"""What a view reads, and the argument of ``test_request_context`` that says it."""
PLAIN = ("''", "[]", "0")
_VALUES = ("", *PLAIN)
"""All of what a request carries at first: open, or the same simple value."""
_ASGI = "starlette.requests"
"""Home of the requests of most ASGI frameworks."""
_DJANGO = ("django.test", "RequestFactory"), ("django.contrib.auth.models", "AnonymousUser")


def request_names(preparation: Preparation, api: ApiModel, callees: Sequence[Callee] = ()) -> dict[str, Known]:
    """What the sessions of :func:`request_sessions` name beyond the subject's own callables."""
    found: dict[str, Known] = {}
    for callee in callees:
        asked = _asgi_request(callee)
        if asked is not None:
            found[class_name(asked[1])] = api.constructor(asked[1])
    application = preparation.flask or preparation.asgi
    if application:
        module, _, name = application.removesuffix("()").partition(":")
        live = live_at(module, name)
        factory = api.callee_of(live) if application.endswith("()") else None
        if factory is not None or not application.endswith("()"):
            found[name] = factory if factory is not None else Named(module, name, live)
    for module, name in _DJANGO if preparation.django else ():
        live = live_at(module, name)
        if is_class(live):
            found[name] = api.constructor(live)
    return found


def request_sessions(
    preparation: Preparation, known: Iterable[str], callees: Sequence[Callee], functions: Sequence[ast.AST]
) -> tuple[Session, ...]:
    """Statements that call each of ``callees`` with a request. ``known`` are the names of :func:`request_names`; ``functions`` the
    trees of those on the path, the entry's first."""
    names = frozenset(known)
    read = {node.attr for tree in functions for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    keys = list(dict.fromkeys(key for tree in functions for key in keys_asked(tree)))[:MOST_KEYS]
    texts: list[str] = []
    for callee in [one for one in callees if one.kind in (CalleeKind.FUNCTION, CalleeKind.METHOD)][:MOST_CALLEES]:
        for value in _VALUES if keys else _VALUES[:1]:
            carried = "{" + ", ".join(f"{key!r}: {value or open_value(key)}" for key in keys) + "}"
            texts += _asgi(names, callee, functions, value)
            if preparation.flask:
                texts += _flask(preparation.flask.partition(":")[2], names, callee, read, carried)
            if preparation.django and "RequestFactory" in names:
                texts += _django(names, callee, read, carried)
    return tuple(tuple(ast.parse(text).body) for text in dict.fromkeys(texts))


def request_seeds(
    sessions: Iterable[Session], names: EchoNames, factory: Factory, rng: random.Random, drivers: frozenset[Known]
) -> list[Echo]:
    """Tests that do what the sessions say. ``drivers`` come to the entry too: the methods of a test client, programs."""
    echoes = (usage_test(session, names, factory, rng, drivers) for session in sessions)
    return [echo for echo in echoes if echo is not None and factory.has_room(echo.test.statements) and echo.test.is_valid()]


def _flask(application: str, names: frozenset[str], callee: Callee, read: set[str], carried: str) -> Iterator[str]:
    if application.removesuffix("()") not in names:
        return
    for argument in dict.fromkeys(said for attribute, said in _FLASK.items() if attribute in read):
        method = ", method='POST'" if argument in ("json", "data") else ""
        yield f"with {application}.test_request_context({argument}={carried}{method}):\n    pass\n{_call(callee, ())}"


def _django(names: frozenset[str], callee: Callee, read: set[str], carried: str) -> Iterator[str]:
    first = next(iter(callee.parameters), None)
    if first is None or not _is_request(callee):
        return
    ways = [f"get('/', {carried})"] if "GET" in read or not read & {"POST", "body"} else []
    ways += [f"post('/', {carried})"] if "POST" in read else []
    ways += [f"post('/', {carried}, content_type='application/json')"] if "body" in read else []
    for way in ways:
        lines = [f"{first.name} = RequestFactory().{way}"]
        lines += [f"{first.name}.user = AnonymousUser()"] if "user" in read and "AnonymousUser" in names else []
        lines += [f"{first.name}.session = {{}}"] if "session" in read else []
        yield "\n".join([*lines, _call(callee, (first.name,))])


def _asgi(names: frozenset[str], callee: Callee, functions: Sequence[ast.AST], value: str) -> Iterator[str]:
    """With a request made of the scope that a server hands over."""
    asked = _asgi_request(callee)
    if asked is None or class_name(asked[1]) not in names:
        return
    read = [(part, key) for tree in functions for part, key in parts_read(tree)]
    plain = {"": "x", "''": "", "[]": "1", "0": "0"}[value]
    headers = [(key.lower().encode(), plain.encode()) for part, key in read if part == "headers"]
    headers += [(b"cookie", f"{key}={plain}".encode()) for part, key in read if part == "cookies"]
    query = "&".join(f"{key}={plain}" for part, key in read if part == "query_params").encode()
    path = {key: plain for part, key in read if part == "path_params"}
    scope = {"type": "http", "method": "GET", "path": "/", "headers": headers, "query_string": query, "path_params": path}
    before = [one.name for one in callee.parameters[: asked[0]]]
    yield _call(callee, (*before, f"{class_name(asked[1])}({scope!r})"))


def _asgi_request(callee: Callee) -> tuple[int, type] | None:
    """Where ``callee`` takes a request of an ASGI framework, and of what class."""
    for place, one in enumerate(callee.parameters):
        if isinstance(one.hint, ClassHint) and one.declared and _ASGI in {class_home(cls) for cls in class_mro(one.hint.cls)}:
            return place, one.hint.cls
    return None


def parts_read(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """What is read of the parts of a request, by key, in the order of the source: ``request.headers["etag"]``."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Subscript | ast.Call)]
    for node in sorted(nodes, key=lambda node: (node.end_lineno or 0, node.end_col_offset or 0)):
        match node:
            case ast.Subscript(value=ast.Attribute(attr=part), slice=ast.Constant(value=str() as key)):
                yield part, key
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr=part), attr="get"), args=[ast.Constant(value=str() as key), *_]
            ):
                yield part, key


def _is_request(callee: Callee) -> bool:
    first = callee.parameters[0]
    if isinstance(first.hint, ClassHint) and first.declared:
        return class_name(first.hint.cls).endswith("Request")
    return first.name == "request"


def _call(callee: Callee, given: tuple[str, ...]) -> str:
    """The call, with the names of required parameters for what is not given."""
    kinds = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)
    required = [one.name for one in callee.parameters if one.required and one.kind in kinds][len(given) :]
    arguments = ", ".join((*given, *required))
    if callee.kind is CalleeKind.METHOD and callee.owner is not None:
        return f"{class_name(callee.owner)}().{callee.name}({arguments})"
    return f"{callee.qualname}({arguments})"


def open_value(key: str) -> str:
    """The name of a value that is left to the search, where the key can be one."""
    if not key.isidentifier():
        return "''"
    return f"{key}_" if keyword.iskeyword(key) else key


def keys_asked(tree: ast.AST, optional: bool = True) -> Iterator[str]:
    """Texts that something is asked for by, as an item or, where it may be missing, by ``get``."""
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(slice=ast.Constant(value=str() as key)):
                yield key
            case ast.Call(func=ast.Attribute(attr="get" | "getlist" | "pop"), args=[ast.Constant(value=str() as key), *_]):
                if optional:
                    yield key
