"""Values that the message of a report says, in the place of values that are sent to an application or stored for it: where a test
crashes as reported but for what the message says, both are about one thing.

# Deviation: the papers' subjects are called, and not asked.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence

from crashwright.engine.search.message_facts import message_values
from crashwright.engine.sources.applications.operations import filled, leaves_of

MOST_SAID, MOST_SENT, MOST_STORED = 2, 8, 16
"""Values of the message; values of what is sent, and of what is stored, in whose place each is put."""


def texts_in_message(message: str) -> list[str]:
    """The texts among its values."""
    return [one for one in message_values(message) if type(one) is str and one]


def sent_instead(calls: Sequence[ast.Call], said: Sequence[str]) -> Iterator[list[ast.Call]]:
    """The ``calls``, with one of what is ``said`` for a text that they send, wherever that is."""
    sent = dict.fromkeys(leaf.value for call in calls for leaf in leaves_of(call) if type(leaf.value) is str and leaf.value)
    for value in said[:MOST_SAID]:
        for old in [one for one in sent if one != value][:MOST_SENT]:
            yield [_with_value(call, old, value) for call in calls]


def stored_instead(opening: Sequence[ast.stmt], made: Sequence[ast.stmt], said: Sequence[str]) -> Iterator[list[ast.stmt]]:
    """The ``opening``, with one of what is ``said`` for a text that the objects ``made`` in it have."""
    texts = dict.fromkeys(text for one in made for text in _texts_in(one))
    for value in said[:MOST_SAID]:
        for old in [one for one in texts if one != value][:MOST_STORED]:
            yield [_Renamed(old, value).visit(copy.deepcopy(one)) for one in opening]


def _with_value(call: ast.Call, old: object, new: str) -> ast.Call:
    return filled(call, {number: new for number, leaf in enumerate(leaves_of(call)) if leaf.value == old})


def _texts_in(statement: ast.stmt) -> Iterator[str]:
    yield from (node.value for node in ast.walk(statement) if isinstance(node, ast.Constant) and type(node.value) is str)


class _Renamed(ast.NodeTransformer):
    def __init__(self, old: str, new: str) -> None:
        self._old = old
        self._new = new

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(self._new) if node.value == self._old else node
