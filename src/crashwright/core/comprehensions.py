"""Comprehensions and their frames: from Python 3.12 on, those of lists, sets and dicts have none of their own (PEP 709)."""

from __future__ import annotations

from collections.abc import Sequence

COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>"})
"""The names of their code objects, where they have one."""
_INLINED_SINCE = (3, 12)


def inlines(version: Sequence[int]) -> bool:
    """Whether a Python of this version gives comprehensions no frame."""
    return tuple(version[:2]) >= _INLINED_SINCE
