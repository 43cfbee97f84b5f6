"""What somebody suggests: code, and under which name it is told of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SuggestedCode:
    """Python that somebody suggests as a reproduction, under a name to tell of it by. It is taken in after ``at`` evaluations, as
    it was in an earlier run."""

    name: str
    source: str
    at: int = 0
