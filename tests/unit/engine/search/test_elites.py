"""The best of each cell stays, whatever the others are."""

from __future__ import annotations

import random
from collections import Counter

from crashwright.engine.search.algorithm import Scored
from crashwright.engine.search.elites import MOST, Elites


def one(name: str, fitness: float, behaviour: object, size: int = 1) -> Scored[str]:
    return Scored(name, fitness, size, behaviour=behaviour)


def drawn(elites: Elites[str], times: int = 200) -> Counter[str]:
    rng = random.Random(1)
    return Counter(elites.draw(rng) for _ in range(times))


def test_a_cell_keeps_the_fittest_and_of_those_the_smallest() -> None:
    elites: Elites[str] = Elites()
    for scored in (
        one("bad", 2.0, "a"),
        one("large", 1.0, "a", 9),
        one("small", 1.0, "a", 2),
        one("late", 1.5, "a"),
        one("else", 9.0, "b"),
    ):
        elites.add(scored)
    assert set(drawn(elites)) == {"small", "else"}


def test_cells_are_drawn_alike_however_good_they_are() -> None:
    elites: Elites[str] = Elites()
    for number in range(10):
        elites.add(one(str(number), float(number), number))
    times = drawn(elites, 1000)
    assert len(times) == 10
    assert min(times.values()) > 80


def test_their_number_is_bounded_and_the_worst_goes() -> None:
    elites: Elites[str] = Elites()
    elites.add(one("worst", 99.0, "worst"))
    for number in range(2 * MOST):
        elites.add(one(str(number), 1.0, number))
        assert len(elites) <= MOST
    elites.add(one("worse", 98.0, "worse"))
    found = drawn(elites, 20 * MOST)
    assert len(elites) == MOST
    assert not found.keys() & {"worst", "worse"}
    elites.clear()
    assert not elites
