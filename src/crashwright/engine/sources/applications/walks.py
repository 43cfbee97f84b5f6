"""Walks: an application is asked one thing after another, by chance, and what it did not refuse stays done. Where an order of
requests makes the state (a parcel arrives, is held, and is then loaded), no request alone and no pair of them does.

A walk goes on as long as answers have something new. What ends with the exception that is looked for, and all that was done before,
is a test.

# Deviation: the papers' subjects are called, and not asked.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

from crashwright.engine.sources.applications.conversation import Ask, Conversation, said_beside
from crashwright.engine.sources.applications.flows import Turn
from crashwright.engine.sources.applications.operations import AskedOperation, text_of
from crashwright.engine.sources.applications.replies import Reply

MOST_STEPS = 16
"""What may be done in one walk."""
MOST_ROUNDS = 6
"""Rounds in which each operation is asked."""
WAYS, WAYS_OF_TARGET = 4, 10
"""In which it is asked each time, until it is not refused."""
_NUMBER = re.compile(r"\d+")


class AskingWalk(NamedTuple):
    """What was ``done``, in order; ``found`` are calls that ended with what is looked for, each with how much was done before."""

    done: list[Turn]
    found: list[tuple[int, ast.Call]]


class AskingWalks:
    """Of one application. ``targets`` are asked after each of the ``others``; ``known``: how operations were asked before, and not
    refused."""

    def __init__(
        self,
        targets: Sequence[AskedOperation],
        others: Sequence[AskedOperation],
        known: Sequence[Turn],
        conversation: Conversation,
        rng: Random,
    ) -> None:
        self._targets = targets
        self._others = others
        self._known = known
        self._conversation = conversation
        self._rng = rng
        self._done: Counter[str] = Counter()
        """How often each was done: what was not yet comes first."""

    def walk(self, ask: Ask) -> AskingWalk:
        """One of them."""
        walk, heard, ended = AskingWalk([], []), set[object](), set[tuple[str, str]]()
        for _ in range(MOST_ROUNDS):
            goes_on = False
            for operation, most in self._round():
                for call in islice(self._ways(operation), most):
                    answer = ask(call)
                    news = _said(answer, call) - heard
                    heard |= news
                    end = operation.name, said_beside(answer.text, call)
                    if self._conversation.is_sought(answer) and end not in ended:
                        ended.add(end)
                        walk.found.append((len(walk.done), call))
                    if answer.succeeded:
                        self._conversation.learn(call, answer)
                        self._done[text_of(call)] += 1
                        walk.done.append(Turn(operation, call))
                        goes_on = goes_on or bool(news)
                        break
                if len(walk.done) == MOST_STEPS:
                    return walk
            if not goes_on:
                break
        return walk

    def _round(self) -> Iterator[tuple[AskedOperation, int]]:
        for one in self._rng.sample(self._others, len(self._others)):
            yield one, WAYS
            yield from ((target, WAYS_OF_TARGET) for target in self._targets)

    def _ways(self, operation: AskedOperation) -> list[ast.Call]:
        """As before, and a little different, by chance: what it may choose from comes first."""
        conversation, rng = self._conversation, self._rng
        begun = [one.call for one in self._known if one.operation.name == operation.name] or [
            call for way in operation.ways for call in conversation.begun(way)
        ]
        first = begun[:1]
        chosen = [*first, *(other for call in begun for other in conversation.with_choices(call, operation))]
        others = [
            *begun[1:],
            *(other for call in first for other in conversation.with_words(call, operation)),
            *(other for call in first for other in conversation.others(call)),
            *(other for call in first for other in conversation.with_twins(call)),
        ]
        rng.shuffle(others)
        rng.shuffle(chosen)
        likely = sorted((*others[:1], *chosen), key=lambda call: self._done[text_of(call)])
        return list({text_of(call): call for call in (*likely, *others)}.values())


def _said(answer: Reply, call: ast.Call) -> set[object]:
    """What an answer says under each key, beside numbers; its text where it has no keys."""
    if answer.succeeded and answer.values:
        return {(key, _NUMBER.sub("0", str(value))) for key, values in answer.values.items() for value in values}
    return {said_beside(answer.text, call)}
