"""Room for deep trees: hundreds of ``elif`` and long sums nest deeper than the usual recursion limit lets Python code walk."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

PYTHON = 20_000
"""For code in Python, which takes no C stack."""
COMPILER = 3_000
"""For the conversion of trees by the compiler, which does (before 3.12 it obeys this limit)."""


@contextmanager
def recursion_limit(least: int) -> Iterator[None]:
    """At least this limit, for a while."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, least))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
