"""Tests of the project that send requests: how it makes the client for them, and what each sends. Texts are read, nothing is
run."""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from crashwright.engine.subject.usage.shipped_tests import shipped_tests
from crashwright.engine.subject.usage.usage import DEFINITIONS, Session
from crashwright.engine.subject.walking import walk

MOST_TESTS = 24
"""Tests that are looked at."""
FIRST = "1"
"""Of a table's rows."""


class ClientTest(NamedTuple):
    """``opening`` are the statements up to the one that makes the variable ``client``, or, if a framework brings one, those before
    the first request; ``sending`` what follows, up to the last request, with what the test file defines for it; ``paths`` where
    these go, with the first number for what is filled in."""

    opening: Session
    sending: Session
    paths: tuple[str, ...]

    @property
    def makes_client(self) -> bool:
        """Whether it does: tests of Django have one."""
        return any("client" in _bound(line) for line in self.opening)


def client_tests(package: str, methods: Collection[str]) -> tuple[ClientTest, ...]:
    """Those of the project around ``package``. ``methods``: of clients."""
    wanted = frozenset(methods)
    found = (client_test(session, wanted) for session in shipped_tests(package, wanted, definitions=True))
    return tuple([one for one in found if one is not None][:MOST_TESTS])


def client_test(session: Session, methods: Collection[str]) -> ClientTest | None:
    """What a test sends; None where it sends nothing, or changes what others have: it would stay so for the tests that follow."""
    sent = [(place, call) for place, line in enumerate(session) for call in _requests(line, methods)]
    if not sent or _changes_others(session[: sent[-1][0]]):
        return None
    (first, call), (last, _) = sent[0], sent[-1]
    name = _client_of(call)
    written = _OfClient(name, frozenset(methods))
    lines = [written.visit(copy.deepcopy(_asked_only(line, methods))) for line in session[: last + 1]]
    made = max((place + 1 for place, line in enumerate(lines[:first]) if "client" in _bound(line)), default=first)
    aids = [line for line in lines[:made] if isinstance(line, DEFINITIONS)]
    opening = [line for line in lines[:made] if not isinstance(line, DEFINITIONS)]
    return ClientTest(tuple(opening), (*aids, *lines[made:]), tuple(_path(call.args[0]) for _, call in sent))


def _requests(line: ast.stmt, methods: Collection[str]) -> Iterator[ast.Call]:
    """Calls such as ``client.post("/rooms", ...)``, of variables."""
    for node in () if isinstance(line, DEFINITIONS) else walk(line):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(), attr=method), args=[first, *_]):
                if method in methods and _path(first).startswith("/"):
                    yield node


def _changes_others(session: Session) -> bool:
    """Whether it assigns to parts of what it has not made, such as ``app.dependency_overrides`` of an imported application."""
    made: set[str] = {"os"}  # of which it sets the environment
    for line in session:
        targets = line.targets if isinstance(line, ast.Assign) else []
        parts = [one for one in targets if isinstance(one, ast.Attribute | ast.Subscript)]
        if any(_root(part) not in made for part in parts):
            return True
        made |= _bound(line)
    return False


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _bound(line: ast.stmt) -> set[str]:
    return {node.id for node in walk(line) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _client_of(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    assert isinstance(call.func.value, ast.Name)
    return call.func.value.id


def _path(node: ast.expr) -> str:
    """The text of a path, with the number that is given first for what is filled in; "" for anything else."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(str(part.value) if isinstance(part, ast.Constant) else FIRST for part in parts)
        case _:
            return ""


def _asked_only(line: ast.stmt, methods: Collection[str]) -> ast.stmt:
    """Of what is asserted of an answer the request alone."""
    call = next(iter(_requests(line, methods)), None) if isinstance(line, ast.Assert) else None
    return line if call is None else ast.copy_location(ast.Expr(call), line)


def distinct_openings(tests: Iterable[ClientTest]) -> list[ClientTest]:
    """A test of each way to make a client, those that most tests begin with first."""
    found: dict[str, tuple[int, ClientTest]] = {}
    for one in tests:
        text = "\n".join(map(ast.unparse, one.opening))
        found[text] = (found.get(text, (0, one))[0] + 1, one)
    return [one for _, one in sorted(found.values(), key=lambda pair: (-pair[0], len(pair[1].opening)))]


class _OfClient(ast.NodeTransformer):
    """The client is called so, and paths are plain texts."""

    def __init__(self, name: str, methods: frozenset[str]) -> None:
        self._name = name
        self._methods = methods

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name("client", node.ctx), node) if node.id == self._name else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Attribute) and node.func.attr in self._methods and node.args:
            path = _path(node.args[0])
            if path.startswith("/"):
                node.args[0] = ast.copy_location(ast.Constant(path), node.args[0])
        return self.generic_visit(node)
