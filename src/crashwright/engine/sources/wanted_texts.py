"""Texts in which something stands where a comparison wanted it: in place of what was there, or before it.

What was wanted at a place in the code and was never put into any text comes first, then what was wanted last: there the code
stopped.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from crashwright.engine.instrument.comparison_log.wanted import Expression, Span, TextWant
from crashwright.engine.testcase.making.matching_text import matching_text

MOST_MATCHING = 24
"""Texts that are made for one regular expression."""
AT_ONCE = 3
"""Of these, how many are put in at one place."""


class WantedTexts:
    """Of one search."""

    def __init__(self) -> None:
        self._times: Counter[tuple[int, str, bool]] = Counter()
        self._matching: dict[Expression, tuple[str, ...]] = {}

    def texts(self, text: str, wants: Sequence[TextWant]) -> Iterator[str]:
        """``text`` with what was wanted, in the order of the module's docstring."""
        steps = [step for want in reversed(wants) for step in self._steps(want)]
        times = {step: self._times[step[1]] for step in steps}
        for (start, end), tried in sorted(steps, key=times.__getitem__):
            self._times[tried] += 1
            yield f"{text[:start]}{tried[1]}{text[end:]}"

    def steps(self, wants: Sequence[TextWant]) -> list[tuple[Span, str]]:
        """What is put in place of what, for all that was wanted."""
        return [(span, value) for want in wants for span, (_, value, _) in self._steps(want)]

    def _steps(self, want: TextWant) -> Iterator[tuple[Span, tuple[int, str, bool]]]:
        span, site = want.span, want.site
        for value in self._values(want.value, site):
            yield span, (site, value, False)
            if span.end > span.start and value:
                yield Span(span.start, span.start), (site, value, True)

    def _values(self, value: str | Expression, site: int) -> Sequence[str]:
        if not isinstance(value, Expression):
            return (value,)
        if value not in self._matching:
            rng = Random(zlib.crc32(value.pattern.encode("utf-8", "surrogatepass")))
            made = (matching_text(value.pattern, rng, value.flags) for _ in range(2 * MOST_MATCHING))
            self._matching[value] = tuple(dict.fromkeys(one for one in made if one is not None))[:MOST_MATCHING]
        return sorted(self._matching[value], key=lambda one: self._times[site, one, False])[:AT_ONCE]
