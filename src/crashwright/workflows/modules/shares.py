"""How the budget of a package is divided among its modules: in proportion to their size; what one leaves goes to the rest.

Where there are more modules than there is time for, only the largest have a share; the others get what those leave.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from crashwright.core.settings import Budget
from crashwright.environment.package_modules import SourceModule
from crashwright.workflows.generate.time import LEAST_SEARCH


class Shares:
    """``budget`` bounds the search in all modules, ``jobs`` of which are searched at a time; ``most`` of those that are not
    ``done`` have a share of its seconds (None: all)."""

    def __init__(
        self, budget: Budget, modules: Sequence[SourceModule], jobs: int, most: int | None = None, done: Container[str] = ()
    ) -> None:
        self._budget = budget
        waiting = [module for module in modules if module.name not in done]
        self._seconds = None if budget.seconds is None else budget.seconds * min(jobs, len(waiting))
        largest = sorted(waiting, key=lambda module: (-module.weight, module.name))[:most]
        self._weights = {module.name: module.weight for module in largest}
        self._evaluations = _split(budget.evaluations, modules)

    def take(self, module: str) -> Budget:
        """What ``module`` may use; it is asked for once, when its turn comes."""
        all_left = sum(self._weights.values()) or 1
        weight = self._weights.pop(module, 0 if self._weights else all_left)
        evaluations = self._evaluations.get(module)
        if self._seconds is None or self._budget.seconds is None:
            return Budget(None, evaluations)
        share = min(self._budget.seconds, max(LEAST_SEARCH, self._seconds * weight / all_left))
        self._seconds -= share
        return Budget(share, evaluations)

    def give_back(self, taken: Budget, used: float) -> None:
        """The search of a module that was given ``taken`` ended after ``used`` seconds."""
        if self._seconds is not None and taken.seconds is not None:
            self._seconds += max(0.0, taken.seconds - used)


def _split(evaluations: int | None, modules: Sequence[SourceModule]) -> dict[str, int]:
    """Whole numbers that do not depend on who comes first."""
    if evaluations is None:
        return {}
    total = sum(module.weight for module in modules)
    return {module.name: max(1, evaluations * module.weight // total) for module in modules}
