"""How somebody is let in whom an application turns away: by a header with what it gave out, or as a caller who was made otherwise.

# Deviation: the papers' subjects are called by anybody.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from crashwright.engine.sources.applications.conversation import Ask, Conversation
from crashwright.engine.sources.applications.flows import Flow, Turn
from crashwright.engine.sources.applications.operations import AskedOperation, Asking
from crashwright.engine.sources.applications.replies import Reply

FEWER_ASKED = 5
"""Questions after which it is clear whether somebody is let in."""
MOST_MADE = 8
"""Ways in which one operation may make another caller."""
_GIVEN = 8
"""Letters of a text that may be a token."""


class LettingIn:
    """``converse`` makes the calls of a flow, and then lets one ask."""

    def __init__(
        self,
        asking: Asking,
        conversation: Conversation,
        converse: Callable[[Flow, Callable[[Ask], None]], None],
        is_spent: Callable[[], bool],
    ) -> None:
        self._asking = asking
        self._conversation = conversation
        self._converse = converse
        self._is_spent = is_spent

    def changes(self, flow: list[Turn], operation: AskedOperation, said: str) -> bool:
        """Whether a turn of the flow was changed so that something else than ``said`` is said to ``operation``."""
        left = self._with_header(flow, operation, said)
        return (bool(left) and self._as_another(flow, operation)) or left != said

    def _with_header(self, flow: list[Turn], operation: AskedOperation, said: str) -> str:
        """What is not for a caller without a header that the code reads may be for one who sends there what was given out. What is
        ``said`` then: nothing, if it is not denied any more."""
        for place, one in reversed(list(enumerate(flow)) if self._asking.headers else []):
            found: list[tuple[str, ast.Call]] = []

            def talk(ask: Ask, one: Turn = one, found: list[tuple[str, ast.Call]] = found) -> None:
                ways = sent_from_now_on(one.call, ask(one.call), self._asking)
                found.extend((self._said_after(ask, call, operation), call) for call in ways)

            self._converse(flow[:place], talk)
            # Who is let in and may not do it is closer to the one who may.
            others = sorted((one for one in found if one[0] != said), key=lambda one: bool(one[0]))
            if others:
                flow[place] = Turn(one.operation, others[0][1])
                return others[0][0]
        return said

    def _said_after(self, ask: Ask, call: ast.Call, operation: AskedOperation) -> str:
        ask(call)
        return self._conversation.fill(ask, operation, most=FEWER_ASKED).denied

    def _as_another(self, flow: list[Turn], operation: AskedOperation) -> bool:
        """What is not for the caller may be for one who was made in another way: with a role that the views were given."""
        found: list[ast.Call] = []
        for place, one in enumerate(list(flow)):
            others = self._conversation.as_others(one.call, one.operation, self._asking.callers)
            for call in islice(others, MOST_MADE):
                if self._is_spent():
                    return False

                def talk(ask: Ask, call: ast.Call = call, later: Flow = tuple(flow[place + 1 :])) -> None:
                    if ask(call).succeeded and all(ask(each.call).succeeded for each in later):
                        filling = self._conversation.fill(ask, operation, most=FEWER_ASKED)
                        found.extend([] if filling.denied else [call])

                self._converse(flow[:place], talk)
                if found:
                    flow[place] = Turn(one.operation, found[0])
                    return True
        return False


def sent_from_now_on(call: ast.Call, answer: Reply, asking: Asking) -> Iterator[ast.Call]:
    """Calls after which each request has a header that the code reads, with what ``answer`` to ``call`` gave out in it: the call is
    a part of each."""
    given = [key for key, values in _document(answer.text).items() if type(values) is str and len(values) >= _GIVEN]
    for header in asking.headers:
        for key in given:
            for before in header.before:
                yield header.sending(before, call, key)


def _document(text: str) -> dict[str, Any]:
    """Of an answer."""
    try:
        found = json.loads(text.partition(" ")[2])
    except (ValueError, RecursionError):
        return {}
    return found if type(found) is dict else {}
