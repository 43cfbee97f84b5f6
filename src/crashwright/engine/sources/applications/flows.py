"""What was asked in turn, and flows that differ from one by one question or by two.

# Deviation: the papers' subjects are called, and not asked.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from crashwright.engine.sources.applications.operations import AskedOperation, OpenPlace, added, filled, keys_in, leaves_of


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


def enlarged(flow: Flow, is_counted: Callable[[OpenPlace], bool]) -> Iterator[Flow]:
    """With twice as much of everything that is counted, then with more at its beginning alone: where there is one of each, nothing
    is left over."""
    twice = [one._replace(call=_twice(one, is_counted)) for one in flow]
    for end in range(len(flow), 0, -1):
        if twice[end - 1].call is not flow[end - 1].call:
            yield [*twice[:end], *flow[end:]]


def _twice(turn: Turn, is_counted: Callable[[OpenPlace], bool]) -> ast.Call:
    """With what it may count and need not, too."""
    call = turn.call
    for one in (leaf for way in turn.operation.ways for leaf in leaves_of(way)):
        amount = _amount(one, is_counted)
        if amount and one.name not in keys_in(call):
            call = added(call, one.name, amount)
    places = enumerate(leaves_of(call))
    counted = {number: 2 * amount for number, one in places if (amount := _amount(one, is_counted))}
    return filled(call, counted) if counted else call


def _amount(place: OpenPlace, is_counted: Callable[[OpenPlace], bool]) -> int:
    """0 for what is none."""
    return place.value if type(place.value) is int and place.value > 0 and is_counted(place) else 0
