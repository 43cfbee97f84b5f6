"""What is done with candidates first of all: each is run as it is, confined as all tests are, and told of."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple

from crashwright.core.messages import CandidateTried, Message, SuggestedCode
from crashwright.engine.search.crash_search import CrashSearch
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.testcase.candidates.programs import programs
from crashwright.engine.testcase.candidates.translation import Surroundings, Translated, translations
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.testcase import TestCase


class Candidate(NamedTuple):
    """What somebody suggests, under its ``name``, as tests."""

    name: str
    made: tuple[Translated, ...]


def candidates_of(
    suggested: Sequence[SuggestedCode], api: ApiModel, exports: Exports, factory: Factory, seed: int
) -> list[Candidate]:
    """The tests of each; a fork that takes over makes the very same ones, so that those that ended a fork are known."""
    around = Surroundings(api, exports, factory, random.Random(seed))
    found = []
    for one in suggested:
        made = [test for program in programs(one.source) for test in translations(program, around)]
        found.append(Candidate(one.name, tuple(one for one in made if one.test.is_valid())))
    return found


class CandidateStage:
    """Runs them in order, each within ``patiently()``; what becomes of each is sent."""

    def __init__(
        self, search: CrashSearch, send: Callable[[Message], None], patiently: Callable[[], AbstractContextManager[None]]
    ) -> None:
        self._search = search
        self._send = send
        self._patiently = patiently

    def run(self, candidates: Sequence[Candidate]) -> bool:
        """Whether one of them reproduces the crash, with nothing that speaks against it."""
        for candidate in candidates:
            settled = self._try(candidate)
            if settled or self._search.meter.stopped:
                return settled
        return False

    def _try(self, candidate: Candidate) -> bool:
        level = frames = 0
        settled = False
        for made in candidate.made:
            with self._patiently():
                found = self._search.evaluator.evaluate_all([made.test], once=True)
                self._search.tell(found)
            level = max([level, *(one.score.level for one in found)])
            frames = max([frames, *(one.score.frames for one in found)])
            settled = self._search.is_settled
            if settled or level == 4 or self._search.meter.stopped:
                break
        self._send(CandidateTried(candidate.name, level, frames, len(candidate.made)))
        return settled


def tests_of(candidates: Sequence[Candidate]) -> list[TestCase]:
    """All of them."""
    return [made.test for candidate in candidates for made in candidate.made]
