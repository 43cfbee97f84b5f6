"""z3's own interface without the checks and conversions of its Python one, which took a third of the time of a check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Unchecked:
    """For the solvers of one context."""

    def __init__(self, z3: Any, context: Any) -> None:
        self._z3 = z3
        self._context = context
        self._trackers: list[Any] = []

    def tracker(self, number: int) -> Any:
        """A truth that stands for the condition of that number."""
        while number >= len(self._trackers):
            self._trackers.append(self._z3.Bool(f"?{len(self._trackers)}", self._context))
        return self._trackers[number]

    def tell(self, solver: Any, condition: Any) -> None:
        """That a condition holds."""
        self._z3.Z3_solver_assert(self._context.ref(), solver.solver, condition.as_ast())

    def asked(self, solver: Any, assumed: Sequence[Any]) -> Any:
        """Whether all that a solver was told can hold, and what is assumed."""
        array = (self._z3.Ast * len(assumed))(*[one.as_ast() for one in assumed])
        found = self._z3.Z3_solver_check_assumptions(self._context.ref(), solver.solver, len(assumed), array)
        return self._z3.CheckSatResult(found)
