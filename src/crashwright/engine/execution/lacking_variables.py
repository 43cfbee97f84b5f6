"""Variables of the environment that a program asks for and does not find. Their names may be put together when it runs, and no
audit event tells of them.

What notes them has a frame of its own in what is raised, so it is for runs that count for nothing.

# Deviation: the papers' subjects are given everything as arguments.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

MOST = 8
"""Names that are noted: a program that asks for more goes through a list."""


@contextmanager
def lacking_variables() -> Iterator[dict[str, None]]:
    """Fills the dict with the variables of the environment that are asked for meanwhile and not set."""
    found: dict[str, None] = {}
    environ = cast(Any, os.environ)
    original = environ._data
    decode = environ.decodekey

    class Noting(dict[object, object]):
        def __missing__(self, key: object) -> object:
            _note(found, decode(key))
            raise KeyError(key)

    environ._data = Noting(original)
    try:
        yield found
    finally:
        environ._data = original


def _note(found: dict[str, None], name: object) -> None:
    if type(name) is str and len(found) < MOST:
        found[name] = None
