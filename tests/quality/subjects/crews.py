"""Routes that name their crews, and what the crews may carry."""

from __future__ import annotations


class UnknownCrew(Exception):
    pass


class Plan:
    def __init__(self, loads: dict[str, int]) -> None:
        self.loads = loads
        self.routes: list[tuple[str, str]] = []

    def add(self, line: str) -> None:
        crew, _, stops = line.partition(" via ")
        if crew not in self.loads:
            raise UnknownCrew(f"no crew is called {crew!r}")
        self.routes.append((crew, stops))

    def busiest(self) -> int:
        return max(self.loads[crew] // len(stops.split(",")[1:]) for crew, stops in self.routes)


def busiest(lines: list[str], loads: dict[str, int]) -> int:
    plan = Plan(loads)
    for line in lines:
        plan.add(line)
    return plan.busiest()
