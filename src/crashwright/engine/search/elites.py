"""The best individual of each cell: where a search stands still, it goes on from all that ever was different.

# Deviation: not in the papers; MAP-Elites (Mouret and Clune 2015), and from Go-Explore (Ecoffet et al. 2021) that those cells are
preferred from which the search seldom went on.
"""

from __future__ import annotations

import random
from typing import Generic, TypeVar

from crashwright.engine.search.algorithm import Scored

T = TypeVar("T")
MOST = 400
"""Cells that are kept."""
AT_A_TIME = 40
"""Cells that are to go next."""


class _Cell(Generic[T]):
    """``drawn``: how often its individual became a parent."""

    __slots__ = ("best", "drawn")

    def __init__(self, best: Scored[T]) -> None:
        self.best = best
        self.drawn = 0


class Elites(Generic[T]):
    """By behaviour; within a cell fitness decides, then size."""

    def __init__(self) -> None:
        self._cells: list[_Cell[T]] = []
        self._places: dict[object, int] = {}
        self._worst: list[tuple[float, int]] = []

    def __len__(self) -> int:
        return len(self._cells)

    def add(self, scored: Scored[T]) -> None:
        """Keep it where it is the best of its cell. In place of the cell that is worst, where there are too many."""
        place = self._places.get(scored.behaviour)
        if place is not None:
            cell = self._cells[place]
            best = cell.best
            if scored.fitness < best.fitness:
                self._cells[place] = _Cell(scored)  # nobody has gone on from here
            elif scored.fitness == best.fitness and scored.size < best.size:
                cell.best = scored
        elif len(self._cells) < MOST:
            self._places[scored.behaviour] = len(self._cells)
            self._cells.append(_Cell(scored))
        else:
            self._displace(scored)

    def _displace(self, scored: Scored[T]) -> None:
        """Of the worst cells those that were drawn most go first."""
        cells = self._cells
        place = self._place_of_worst()
        if scored.fitness > cells[place].best.fitness:
            return
        self._worst.pop()
        del self._places[cells[place].best.behaviour]
        self._places[scored.behaviour] = place
        cells[place] = _Cell(scored)

    def _place_of_worst(self) -> int:
        """They are looked for many at a time: to look through all cells for each test would take longer than the test."""
        cells, worst = self._cells, self._worst
        while worst and cells[worst[-1][1]].best.fitness != worst[-1][0]:
            worst.pop()  # it has become better
        if not worst:
            order = sorted([(cell.best.fitness, cell.drawn, place) for place, cell in enumerate(cells)])
            worst += [(fitness, place) for fitness, _, place in order[-AT_A_TIME:]]
        return worst[-1][1]

    def draw(self, rng: random.Random) -> T:
        """The individual of one of two cells, drawn at random, that was drawn less often; the better one where they are even."""
        cells, count = self._cells, len(self._cells)
        one, other = cells[int(rng.random() * count)], cells[int(rng.random() * count)]
        chosen = min(one, other, key=lambda cell: (cell.drawn, cell.best.fitness))
        chosen.drawn += 1
        return chosen.best.individual

    def individuals(self) -> list[T]:
        """Of all cells."""
        return [cell.best.individual for cell in self._cells]

    def clear(self) -> None:
        """Forget all of them."""
        self._cells.clear()
        self._worst.clear()
        self._places.clear()
