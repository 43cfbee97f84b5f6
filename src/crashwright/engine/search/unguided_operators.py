"""EvoCrash's search with operators of searches for whole modules in place of its guided ones, to see what guidance brings (paper
001, section III.C: "traditional search algorithms target all methods in the class under test").

New tests call any public callable of the module that holds the target; crossover and mutation are those of ``evocrash`` but for
what makes them guided: nothing is repeated and nothing taken back because a call of the target is missing. For comparisons only: no
command offers it.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from crashwright.engine.search.evocrash_operators import OPERATORS, EvoCrashOperators
from crashwright.engine.search.operators import TestOperators
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.module_api import callables_of
from crashwright.engine.testcase.editing import edits
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.testcase import TestCase


class UnguidedOperators(EvoCrashOperators):
    """See the module."""

    def mutate(self, individual: TestCase, rng: random.Random) -> TestCase:
        """Once, whatever it leaves of calls."""
        changed = edits.mutate_evenly(individual, self._factory, rng)
        return changed if self._drives(changed) else individual

    def _drives(self, test: TestCase) -> bool:
        within = 0 < len(test.statements) <= self._length or self._factory.has_room(test.statements)
        return within and not (self._quarantine and self._quarantine.holds(test))


def aim_at_module(operators: TestOperators, factory: Factory, api: ApiModel, module: str) -> None:
    """Where ``operators`` are unguided: what new tests have to call is any public callable of the module."""
    if isinstance(operators, UnguidedOperators):
        factory.add_entries(callables_of(api, module))


ALL_OPERATORS: dict[str, Callable[[Factory, int, Quarantine], TestOperators]] = {**OPERATORS, "unguided": UnguidedOperators}
"""The guided ones, and these."""
