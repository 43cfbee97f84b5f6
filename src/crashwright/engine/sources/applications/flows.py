"""What was asked in turn, and flows that differ from one by one question or by two.

# Deviation: the papers' subjects are called, and not asked.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from crashwright.engine.sources.applications.operations import AskedOperation


class Turn(NamedTuple):
    """What was asked, and how."""

    operation: AskedOperation
    call: ast.Call


Flow = Sequence[Turn]


def one_apart(flow: Flow, more: Flow) -> Iterator[Flow]:
    """With one more, without one, the beginning of it with one more."""
    yield from ([*flow, one] for one in more)
    yield from ([*flow[:place], *flow[place + 1 :]] for place in range(len(flow)))
    yield from ([*flow[:end], one] for end in range(len(flow) - 1, 0, -1) for one in more)


def in_other_forms(flow: Flow, forms: Sequence[tuple[int, Turn]]) -> Iterator[Flow]:
    """With one in another form, then with two."""
    for place, one in forms:
        yield [*flow[:place], one, *flow[place + 1 :]]
    for (first, one), (second, other) in combinations(forms, 2):
        if first > second:
            first, one, second, other = second, other, first, one
        if first != second:
            yield [*flow[:first], one, *flow[first + 1 : second], other, *flow[second + 1 :]]


def two_apart(flow: Flow, more: Flow) -> Iterator[Flow]:
    """With two more, then the beginning of it with two."""
    yield from ([*flow, one, other] for one in more for other in more)
    yield from ([*flow[:end], one, other] for end in range(1, len(flow)) for one in more for other in more)
