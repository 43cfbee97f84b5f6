"""What every way to an instruction comes through: its dominators, and what may be run between."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from crashwright.symbolic.ir.nodes import Function, Way


class Passage(NamedTuple):
    """``node`` is run on every way to an instruction, the last such before it; ``between`` may be run in between, in any order and
    number. ``completes``: whether ``node`` certainly did not raise."""

    node: int
    between: frozenset[int]
    completes: bool


class Dominance:
    """Of one function (Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm")."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._order = _order(function)
        self._nearest = self._dominators()
        self._known: dict[int, Passage | None] = {}

    def passage(self, number: int) -> Passage | None:
        """To the instruction of that number; None where nothing leads there."""
        if number not in self._known:
            self._known[number] = self._found(number) if self._nearest.get(number, number) != number else None
        return self._known[number]

    def _found(self, number: int) -> Passage:
        nodes, first = self._function.nodes, self._nearest[number]
        between: set[int] = set()
        waiting = [number]
        completes = True
        while waiting:
            for edge in nodes[waiting.pop()].before:
                if edge.node == first:
                    completes = completes and edge.way is Way.NORMAL
                elif edge.node not in between and edge.node in self._nearest:
                    between.add(edge.node)
                    waiting.append(edge.node)
        return Passage(first, frozenset(between), completes)

    def _dominators(self) -> dict[int, int]:
        place = {number: place for place, number in enumerate(self._order)}
        found = {self._order[0]: self._order[0]}
        changed = True
        while changed:
            changed = False
            for number in self._order[1:]:
                known = [edge.node for edge in self._function.nodes[number].before if edge.node in found]
                nearest = self._common(known, place, found)
                if found.get(number) != nearest:
                    found[number], changed = nearest, True
        return found

    @staticmethod
    def _common(several: Iterable[int], place: dict[int, int], found: dict[int, int]) -> int:
        first, *others = several
        for other in others:
            while first != other:
                if place[first] > place[other]:
                    first = found[first]
                else:
                    other = found[other]
        return first


def _order(function: Function) -> list[int]:
    """Those that the entry leads to, each behind one at least of those before it (reverse postorder)."""
    behind: dict[int, list[int]] = {}
    for node in function.nodes:
        for edge in node.before:
            behind.setdefault(edge.node, []).append(node.number)
    done: list[int] = []
    seen = {0}
    waiting = [(0, iter(behind.get(0, ())))]
    while waiting:
        number, rest = waiting[-1]
        following = next((one for one in rest if one not in seen), None)
        if following is None:
            done.append(number)
            waiting.pop()
        else:
            seen.add(following)
            waiting.append((following, iter(behind.get(following, ()))))
    return done[::-1]
