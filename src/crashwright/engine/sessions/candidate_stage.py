"""What is done with candidates first of all: each is run as it is, confined as all tests are, and told of."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from crashwright.core.messages import CandidateTried, Message, Suggestions
from crashwright.core.suggested import SuggestedCode
from crashwright.engine.search.crash_search import CrashSearch
from crashwright.engine.sessions.candidate_tests import Candidate, candidates_of
from crashwright.engine.sessions.crash_parts import Parts
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.testcase.candidates.translation import Translated
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.testcase import TestCase

NEAR = 40
"""Evaluations without progress after which what is one step away from the best tests is tried, where there are candidates: one step
away from these the crash is rather to be expected."""


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
        at = self._search.meter.evaluations
        for candidate in candidates:
            settled = self._try(candidate, at)
            if settled or self._search.meter.stopped:
                return settled
        return False

    def _try(self, candidate: Candidate, at: int) -> bool:
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
        self._send(CandidateTried(candidate.name, level, frames, len(candidate.made), at))
        return settled


class Candidates:
    """Of one fork: those that there are at its start, and those that come in the course of the search, by message, or, where a run
    is repeated, after as many evaluations as then. ``tests`` are all so far."""

    def __init__(self, parts: Parts, setup: Setup, factory: Factory, known: Callable[[Sequence[Translated]], None]) -> None:
        """``known`` hears of what becomes of them."""
        start = parts.start
        names = dict.fromkeys(frame.key.module for frame in start.target.package_frames)
        exports = Exports(parts.api.package, tuple(names))
        around = parts.api, exports, factory, start.settings.search.seed
        self._translated: Callable[[Sequence[SuggestedCode]], list[Candidate]] = lambda code: candidates_of(code, *around)
        self._setup = setup
        self._known = known
        self._listens = start.suggests
        self._first = self._made([one for one in start.candidates if not one.at])
        self._due = sorted((one for one in start.candidates if one.at), key=lambda one: one.at)
        self._heard: tuple[SuggestedCode, ...] = ()

    @property
    def tests(self) -> list[TestCase]:
        """Those that there were at the start."""
        return [made.test for candidate in self._first for made in candidate.made]

    @property
    def patience(self) -> float:
        """Evaluations without progress after which one looks around the best tests."""
        return NEAR if self._first else math.inf

    def begin(self, search: CrashSearch) -> bool:
        """Run those that there are. Whether one of them reproduces the crash, with nothing that speaks against it."""
        return self._run(search, self._first)

    def advance(self, search: CrashSearch) -> bool:
        """Run those that have come since, likewise."""
        now = self._setup.meter.evaluations
        new = [one for one in self._due if one.at <= now]
        self._due = self._due[len(new) :]
        for message in self._setup.bench.channel.receive(Suggestions) if self._listens else ():
            new += [one for one in message.candidates if one not in self._heard]
            self._heard = tuple(dict.fromkeys((*self._heard, *message.candidates)))
        if self._heard and new:
            self._setup.safe.note(Suggestions(self._heard))  # one of them may end this fork
        return bool(new) and self._run(search, self._made(new))

    def _made(self, code: Sequence[SuggestedCode]) -> list[Candidate]:
        made = self._translated(code)
        self._known([one for candidate in made for one in candidate.made])
        return made

    def _run(self, search: CrashSearch, candidates: Sequence[Candidate]) -> bool:
        bench = self._setup.bench
        return CandidateStage(search, bench.channel.send, self._setup.warm_up.unhurried).run(candidates)
