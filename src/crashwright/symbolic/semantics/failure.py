"""How an instruction may fail."""

from __future__ import annotations

from typing import NamedTuple

from crashwright.core.terms import Term


class Failure(NamedTuple):
    """With which exception (its name, or as written in ``raise``), and when: in terms of what was before. ``subjects`` are the
    values whose types the interpreter's message names, in its order; ``key`` what it quotes."""

    exception: str
    condition: Term
    subjects: tuple[Term, ...] = ()
    key: Term | None = None
