"""Files of the current folder and of the user's home that a program looks for, and does not find. Most programs ask whether there
is one before they open it, and no audit event tells of that.

What notes them has a frame of its own in what is raised, so it is for runs that count for nothing.

# Deviation: the papers' subjects read no files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from crashwright.engine.sources.own_files import own_path

MOST = 24
"""Names that are noted: a program that asks for more goes through a list."""


@contextmanager
def sought_files() -> Iterator[dict[str, None]]:
    """Fills the dict with their names, as a user would write them."""
    found: dict[str, None] = {}
    system: Any = os
    as_ever = system.stat

    def stat(*arguments: Any, **keywords: Any) -> Any:
        try:
            return as_ever(*arguments, **keywords)
        except FileNotFoundError as error:
            if type(error.filename) is str and len(found) < MOST:
                name = own_path(error.filename, system.getcwd())
                if name:
                    found[name] = None
            raise

    system.stat = stat
    try:
        yield found
    finally:
        system.stat = as_ever
