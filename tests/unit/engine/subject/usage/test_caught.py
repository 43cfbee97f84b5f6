"""Exceptions that a module waits for."""

from __future__ import annotations

import ast
import socket

from crashwright.engine.subject.usage.caught import caught_in, waited_for

SOURCE = """
try:
    work()
except (KeyError, socket.gaierror):
    pass
except Exception:
    pass

def leave(kind, value):
    return issubclass(kind, Own) or isinstance(value, (OSError, int))
"""


class Own(Exception):
    pass


def test_what_is_caught_or_asked_for_may_be_thrown() -> None:
    found = waited_for(ast.parse(SOURCE), {"Own": Own, "socket": socket})
    assert set(found) == {KeyError, socket.gaierror, Own, OSError}


def test_lambdas_raise_what_is_caught_or_the_usual() -> None:
    assert caught_in(ast.parse(SOURCE)) == ("KeyError", "Exception")
    assert caught_in(ast.parse("pass")) == ("ValueError", "KeyError", "OSError")
