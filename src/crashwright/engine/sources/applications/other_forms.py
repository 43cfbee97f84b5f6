"""Other ways in which an application does not refuse what was asked of it at one place of a flow.

# Deviation: the papers' subjects are called, and not asked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain

from crashwright.engine.sources.applications.conversation import Ask, Conversation
from crashwright.engine.sources.applications.flows import Flow, Turn
from crashwright.engine.sources.applications.operations import keys_in, without_keys

Converse = Callable[[Flow, Callable[[Ask], None]], None]


def other_forms(flow: Flow, place: int, conversation: Conversation, converse: Converse, is_over: Callable[[], bool]) -> list[Turn]:
    """With one more key, with one less, with another word that its code knows. ``converse`` makes the calls of a flow, and then
    lets one ask."""
    one, found = flow[place], list[Turn]()

    def with_key(ask: Ask, key: str) -> None:
        call = conversation.fill(ask, one.operation, conversation.with_key(one.call, key)).call
        if call is not None and key in keys_in(call):
            found.append(Turn(one.operation, call))

    others = list(chain(without_keys(one.call), conversation.with_words(one.call, one.operation)))

    def with_others(ask: Ask) -> None:
        # What succeeded may be in the way of the next one.
        while others:
            call = others.pop(0)
            if ask(call).succeeded:
                found.append(Turn(one.operation, call))
                return

    for key in one.operation.keys:
        if key not in keys_in(one.call):
            converse(flow[:place], partial(with_key, key=key))
    while others and not is_over():
        left = len(others)
        converse(flow[:place], with_others)
        if len(others) == left:
            break
    return found
