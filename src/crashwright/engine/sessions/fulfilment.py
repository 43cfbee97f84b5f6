"""What a crash search makes of what the symbolic engine knows (STAR, section 7): composed tests compete with its own, the values
that they pass are passed by others too, and its best test gets what its run lacked for a precondition to hold."""

from __future__ import annotations

from collections.abc import Callable

from crashwright.engine.search.crash_search import CrashSearch
from crashwright.engine.search.crash_seeds import CrashSeeds
from crashwright.engine.search.wished import Wished, by_name, passed_in
from crashwright.engine.sessions.insights import Insights
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.testcase import TestCase

ROUNDS = 4
"""Of giving the best test, between two generations, what its run lacked."""


class Fulfilment:
    """A state object of one fork. ``is_over`` says that no more tests are to be run."""

    def __init__(
        self, insights: Insights, search: CrashSearch, seeds: CrashSeeds, factory: Factory, is_over: Callable[[], bool]
    ) -> None:
        self._insights = insights
        self._search = search
        self._seeds = seeds
        self._suggestions = factory.suggestions
        self._is_over = is_over
        self._wished = Wished(factory, seeds.quoted)
        self._done: set[int] = set()

    def composed(self) -> list[TestCase]:
        """Tests that have come since this was asked last."""
        composed = self._seeds.composed(self._insights.composed())
        self._suggestions.show_more(passed_in(composed))
        return composed

    def advance(self) -> bool:
        """Between two generations. Whether fitness is another one now."""
        anew = self._insights.take() or self._insights.is_refuted(self._search.scorer.led)
        if anew:
            self._search.measure_anew(self._insights.fitness())
            self._done.clear()
        self._search.try_made(self.composed())
        for _ in range(ROUNDS):
            if not self._improves():
                break
        return anew

    def _improves(self) -> bool:
        """Whether there was a test to ask: one is asked once, and a better one may have come of it."""
        best = next(iter(self._search.algorithm.survivors()), None)
        if best is None or best.key() in self._done or self._is_over():
            return False
        self._done.add(best.key())
        wishes = self._insights.wishes(best)
        self._suggestions.show_more(by_name(wishes))
        self._search.try_made(self._wished.tests(best, wishes))
        return bool(wishes)
