"""Seeds for what a web framework calls: the entry, in or with a request that carries what the source asks it for.

No report shows the request, and no random call makes one: some views read it from the context that they run in, others are handed
it (``frameworks``). What the keys are is read from the functions on the path; the values are left to the search.

# Deviation: none of the papers does this; their subjects are called as they are.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterable, Iterator, Sequence

from crashwright.engine.frameworks import registry
from crashwright.engine.frameworks.web import WebFramework, open_value
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.usage.usage import Session
from crashwright.engine.testcase.echoing.echoed_tests import Echo, usage_test
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.names.source import Known

MOST_KEYS = 8
"""Of what a request carries."""
MOST_CALLEES = 3
PLAIN = ("''", "[]", "0")
_VALUES = {"": "x", "''": "", "[]": "1", "0": "0"}
"""All of what a request carries at first: open, or the same simple value; and that as it stands in a header."""


def request_names(framework: WebFramework | None, api: ApiModel, callees: Sequence[Callee] = ()) -> dict[str, Known]:
    """What the sessions of :func:`request_sessions` name beyond the subject's own callables."""
    return {**registry.request_names(callees, api), **({} if framework is None else framework.names(api))}


def request_sessions(
    framework: WebFramework | None, known: Iterable[str], callees: Sequence[Callee], functions: Sequence[ast.AST]
) -> tuple[Session, ...]:
    """Statements that call each of ``callees`` with a request. ``known`` are the names of :func:`request_names`; ``functions`` the
    trees of those on the path, the entry's first."""
    names = frozenset(known)
    read = {node.attr for tree in functions for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    keys = list(dict.fromkeys(key for tree in functions for key in keys_asked(tree)))[:MOST_KEYS]
    texts: list[str] = []
    for callee in [one for one in callees if one.kind in (CalleeKind.FUNCTION, CalleeKind.METHOD)][:MOST_CALLEES]:
        for value, plain in _VALUES.items() if keys else (("", "x"),):
            carried = "{" + ", ".join(f"{key!r}: {value or open_value(key)}" for key in keys) + "}"
            texts += registry.request_calls(names, callee, functions, plain)
            if framework is not None:
                texts += framework.calls(names, callee, read, carried)
    return tuple(tuple(ast.parse(text).body) for text in dict.fromkeys(texts))


def request_seeds(
    sessions: Iterable[Session], names: NameChain, factory: Factory, rng: random.Random, drivers: frozenset[Known]
) -> list[Echo]:
    """Tests that do what the sessions say. ``drivers`` come to the entry too: the methods of a test client, programs."""
    echoes = (usage_test(session, names, factory, rng, drivers) for session in sessions)
    return [echo for echo in echoes if echo is not None and factory.has_room(echo.test.statements) and echo.test.is_valid()]


def keys_asked(tree: ast.AST, optional: bool = True) -> Iterator[str]:
    """Texts that something is asked for by, as an item or, where it may be missing, by ``get``."""
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(slice=ast.Constant(value=str() as key)):
                yield key
            case ast.Call(func=ast.Attribute(attr="get" | "getlist" | "pop"), args=[ast.Constant(value=str() as key), *_]):
                if optional:
                    yield key
