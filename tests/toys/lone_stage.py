"""A search that consists of one stage: what ``SoFar`` asks of it, where nothing comes of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar, cast

from crashwright.core.settings import Budget
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.sources.so_far import SoFar
from crashwright.engine.sources.source import Share, When
from crashwright.engine.testcase.testcase import TestCase

S = TypeVar("S")


class LoneStage(SoFar[S]):
    """``run`` is left to the test."""

    def __init__(self, budget: int, factory: object = None) -> None:
        super().__init__(cast(Any, factory), cast(Any, None), BudgetMeter(Budget(None, budget), lambda: 0.0))
        self.begin(When.AHEAD, Share())

    @property
    def best(self) -> float:
        return math.inf

    @property
    def gained(self) -> int:
        return 0

    def tell(self, scores: Sequence[S]) -> None: ...

    def is_new(self, score: S) -> bool:
        return False

    def test_of(self, score: S) -> TestCase:
        raise NotImplementedError

    def patiently(self) -> AbstractContextManager[None]:
        return nullcontext()

    def warm_up(self, tests: Sequence[TestCase]) -> None: ...
    def go_on(self) -> None: ...
    def look_round(self) -> None: ...
