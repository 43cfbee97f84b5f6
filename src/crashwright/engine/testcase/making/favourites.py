"""What the goal depends on: callables that are called more often than chance has it, where nobody asks for a certain one, and
fields that are set."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase.making.fields import Fields

SHARE = 0.3
"""Of the choices that may be one of them, how many are made among them alone."""


class Favourites:
    """None at first: then nothing is drawn, and every choice stays as it was."""

    def __init__(self) -> None:
        self._callees: tuple[Callee, ...] = ()
        self.fields = Fields()

    def add(self, callees: Sequence[Callee]) -> None:
        """These too."""
        self._callees = tuple(dict.fromkeys((*self._callees, *callees)))

    def instead_of(self, callees: Sequence[Callee], rng: Random) -> Callee:
        """One of ``callees``, where anything may be called."""
        if self._callees and rng.random() < SHARE:
            callees = self._callees
        return callees[int(rng.random() * len(callees))]

    def among(self, methods: Sequence[Callee], rng: Random) -> Callee:
        """One of ``methods``."""
        if self._callees and rng.random() < SHARE:
            methods = [callee for callee in methods if callee in self._callees] or methods
        return methods[int(rng.random() * len(methods))]
