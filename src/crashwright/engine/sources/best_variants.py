"""Which variants of an echoed call are worth starting from: some hundred are drawn one after the other, those that get furthest are
kept. (Random ones, a dozen, mostly die of the same wrong guess before they come to the entry.)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.testcase.testcase import TestCase

KEPT = 12
BATCH = 25
_PATIENCE = 2
"""Batches without a better one after which KEPT that are as good are enough."""


def best_variants(
    variants: Iterable[TestCase], run: Callable[[list[TestCase]], Sequence[Evaluation]], kept: int = KEPT
) -> list[TestCase]:
    """Up to ``kept`` of ``variants``, best first. ``run`` gives no score for what it does not run any more: then it is over, as
    it is with the variants: as many as the row of their source says."""
    waiting = iter(variants)
    found: list[Evaluation] = []
    best, since = float("inf"), 0
    while batch := list(islice(waiting, BATCH)):
        scores = run(batch)
        found += scores
        now = min((one.score.fitness for one in scores), default=best)
        best, since = (now, 0) if now < best else (best, since + 1)
        many = sum(one.score.fitness == best for one in found) >= kept
        if len(scores) < len(batch) or best == 0 or (many and since >= _PATIENCE):
            break
    return [found[place].test for place in _in_order(found)[:kept]]


def _in_order(found: Sequence[Evaluation]) -> list[int]:
    """Best first; of those that get equally far, first one of each coverage, then a second of each."""
    alike: Counter[tuple[float, object]] = Counter()
    keys: list[tuple[float, int, int]] = []
    for place, one in enumerate(found):
        kind = (one.score.fitness, one.score.coverage)
        keys.append((one.score.fitness, alike[kind], place))
        alike[kind] += 1
    return [place for *_, place in sorted(keys)]
