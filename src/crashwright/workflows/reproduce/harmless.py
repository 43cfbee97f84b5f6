"""Tests without secrets: what of an engine's tests is written, sent or stored has harmless values of the same shape in the places
of secrets, and keeps a secret only if it does not crash without."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from crashwright.core.messages import BestTests, Found
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.engine.testcase.codec import decode, encode
from crashwright.engine.testcase.texts import with_texts
from crashwright.finishing.crash.finisher import FinishedTest

KEPT = "Careful: the test has a value that looks like a secret, and does not crash without it"
Finish = Callable[[Found, Callable[[], float]], FinishedTest]


@dataclass(frozen=True, slots=True)
class Harmless:
    """Of one run, by what its filter knows."""

    secrets: SecretFilter

    def test(self, test: dict[str, Any]) -> dict[str, Any]:
        """An encoded test with stand-ins in its values; names of code stay."""
        whole = decode(test)
        changed = with_texts(whole, self.secrets.literal, self.secrets.value)
        return test if changed.key() == whole.key() else encode(changed)

    def best(self, tests: BestTests) -> BestTests:
        """What is stored of a search."""
        return replace(tests, tests=tuple(map(self.test, tests.tests)))

    def finish(self, finish: Finish) -> Finish:
        """``finish`` for the test without secrets first, and as it was found if that one is worth less."""

        def finished(found: Found, seconds: Callable[[], float]) -> FinishedTest:
            without = self.test(found.test)
            if without is found.test:
                return finish(found, seconds)
            first = finish(replace(found, test=without), seconds)
            if first.level >= found.level or not first.verification.levels:
                return first
            second = finish(found, seconds)
            return second if second.worth > first.worth else first

        return finished

    def kept(self, test: dict[str, Any]) -> str:
        """What the user is told of a written test that has a secret; "" for others."""
        return "" if self.test(test) is test else KEPT

    def kept_in(self, written: str) -> str:
        """Likewise, of a candidate that is written as it is."""
        return "" if self.secrets.code(written) == written else KEPT
