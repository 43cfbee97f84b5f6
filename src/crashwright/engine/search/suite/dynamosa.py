"""DynaMOSA (SPEC 5): MOSA whose objectives are the uncovered goals at the edge of what is covered, and whose population grows with
them."""

from __future__ import annotations

import random
from typing import TypeVar

from crashwright.core.settings import SuiteSettings
from crashwright.engine.search.algorithm import Operators
from crashwright.engine.search.suite.mosa import ManyObjectiveSearch
from crashwright.engine.search.suite.objectives import Policy, UnlockedGoals
from crashwright.engine.search.suite.problem import GoalProblem

T = TypeVar("T")
P = TypeVar("P")


def dynamosa(
    problem: GoalProblem[P],
    operators: Operators[T],
    settings: SuiteSettings,
    rng: random.Random,
    policy: Policy,
    secondary: bool = True,
) -> ManyObjectiveSearch[T, P]:
    """DynaMOSA: the goals that the problem's graph has unlocked are the objectives."""
    return ManyObjectiveSearch(problem, operators, settings, rng, UnlockedGoals(problem, policy), secondary)
