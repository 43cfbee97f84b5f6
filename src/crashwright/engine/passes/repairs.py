"""From a test that reproduces the crash, but not as the report shows it, to such as might: the report's values in place of the
test's, the arguments that the echoed call shows, values of the types that a signature asks for.

Mutation would come to them too, by chance; these are the few that the report itself suggests.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator, Sequence

from crashwright.core.message_values import quoted_in
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.subject.usage.message_templates import Filled
from crashwright.engine.testcase.echoing.reshaping import reshaped
from crashwright.engine.testcase.echoing.shape import ShownCall
from crashwright.engine.testcase.editing.substitution import inserted, substituted
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Scalar
from crashwright.engine.testcase.testcase import TestCase

MOST = 60
"""Tests for one that falls short."""
DRAWS = 6
"""How often what an echoed call leaves open is drawn anew."""


class Repairs:
    """For one report. ``filled`` is what its message was put together of, ``shown`` gives the calls that it echoes."""

    def __init__(
        self,
        exception: str,
        message: str,
        filled: Filled,
        shown: Callable[[], Sequence[ShownCall]],
        factory: Factory,
        rng: random.Random,
    ) -> None:
        self._exception = exception
        self._filled = filled
        self._wanted = quoted_in(exception, message)
        self._shown = shown
        self._factory = factory
        self._rng = rng

    def of(self, near: Evaluation) -> list[TestCase]:
        """Tests to try in its place, different ones."""
        found: dict[int, TestCase] = {}
        for test in self._candidates(near.test, near.score.message):
            if test.is_valid():
                found.setdefault(test.key(), test)
            if len(found) == MOST:
                break
        found.pop(near.test.key(), None)
        return list(found.values())

    def _candidates(self, test: TestCase, message: str) -> Iterator[TestCase]:
        with_values = list(self._with_values(test, message))
        for one in with_values:
            yield one
        shown = self._shown()
        for one in (test, *with_values[:1]):
            for _ in range(DRAWS if shown else 0):
                yield reshaped(one, shown, self._factory, self._rng)

    def _with_values(self, test: TestCase, message: str) -> Iterator[TestCase]:
        """The values of the report for those that the test's own message quotes: all of them, else one."""
        pairs = [
            (_read(got), _read(wanted))
            for got, wanted in zip(quoted_in(self._exception, message), self._wanted, strict=False)
            if got != wanted
        ]
        whole = test
        for old, new in pairs:
            if old is not None and new is not None:
                yield from substituted(test, old[0], new[0])
                whole = next(substituted(whole, old[0], new[0]), whole)
        if len(pairs) > 1:
            yield whole
        yield from self._with_parts(test, message)

    def _with_parts(self, test: TestCase, message: str) -> Iterator[TestCase]:
        """The same for what the code put into its message without quotes. Where nothing stands in the test's, the text of the
        report goes behind a mark of a literal."""
        whole = test
        for old, new in self._filled.otherwise(message):
            changed = list(substituted(test, old, new) if old else inserted(test, new))
            yield from changed
            whole = next(substituted(whole, old, new) if old else inserted(whole, new), whole)
        yield whole


def _read(text: str) -> tuple[Scalar] | None:
    """The value that a message quotes."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return (text[1:-1],) if text[:1] == text[-1:] and text[:1] in ("'", '"') else None
    return (value,) if value is None or isinstance(value, bool | int | float | str | bytes) else None
