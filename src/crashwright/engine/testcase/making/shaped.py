"""Values that were built for one parameter, to answer what the code asks of it: the statements that make them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random

from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase.statements import Statement

KEPT = 12
"""Values of one parameter."""
TRUSTED = 0.5
"""How often one of them is taken where there are some."""

Part = tuple[Statement, ...]


class Shaped:
    """By callable and name of the parameter. True where anything is known at all."""

    __slots__ = ("_known", "_next", "_only")

    def __init__(self) -> None:
        self._known: dict[tuple[Callee, str], list[Part]] = {}
        self._next: dict[tuple[Callee, str], int] = {}
        self._only: tuple[Callee, str, Part] | None = None

    def __bool__(self) -> bool:
        return bool(self._known)

    def learn(self, callee: Callee, parameter: str, part: Part, kept: int = KEPT) -> None:
        """``part``, whose last statement defines the value, suits that parameter; where there are as many as are ``kept``, it takes
        the place of the oldest."""
        key = callee, parameter
        parts = self._known.setdefault(key, [])
        if part in parts:
            return
        if len(parts) < kept:
            parts.append(part)
            return
        place = self._next.get(key, 0)
        parts[place] = part
        self._next[key] = (place + 1) % kept

    @contextmanager
    def only(self, callee: Callee, parameter: str, part: Part) -> Iterator[None]:
        """In the meantime that parameter gets ``part``."""
        self._only = callee, parameter, part
        try:
            yield
        finally:
            self._only = None

    def known(self, callee: Callee, parameter: str) -> Sequence[Part]:
        """All that suits that parameter."""
        return self._known.get((callee, parameter), ())

    def draw(self, callee: Callee, parameter: str, rng: Random) -> Part:
        """One of its values; empty where there is none, and half the time."""
        only = self._only
        if only is not None and only[0] is callee and only[1] == parameter:
            return only[2]
        parts = self._known.get((callee, parameter))
        return parts[int(rng.random() * len(parts))] if parts and rng.random() < TRUSTED else ()
