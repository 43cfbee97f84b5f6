"""What somebody suggests (``--candidate``, code blocks of the report): run as it is, confined as all tests are, and told of.

Some are there at the start; others come in the course of the search, by message, or, where a run is repeated, after as many
evaluations as then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from crashwright.core.messages import CandidateTried, Suggestions
from crashwright.core.suggested import SuggestedCode
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.sources.candidate_tests import Candidate, candidates_of
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.source import When
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.testcase.testcase import TestCase


class Suggested:
    """See ``sources.source.Source``."""

    def __init__(self) -> None:
        self._first: list[Candidate] = []
        self._due: list[SuggestedCode] | None = None
        self._heard: tuple[SuggestedCode, ...] = ()

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002 (a Source)
        """Those of the start when the subject is cold, those that have come since between two generations."""
        if so_far.moment is When.AHEAD:
            yield from (made.test for candidate in self._first for made in candidate.made)
            return
        if self._due is None:
            self._due = sorted((one for one in subject.start.candidates if one.at), key=lambda one: one.at)
            self._first = _translated([one for one in subject.start.candidates if not one.at], subject, so_far)
        if so_far.moment is When.COLD:
            yield from _tried(self._first, so_far)
        elif new := self._arrived(so_far, subject.start.suggests):
            yield from _tried(_translated(new, subject, so_far), so_far)

    def _arrived(self, so_far: CrashSoFar, listens: bool) -> list[SuggestedCode]:
        due = self._due or []
        new = [one for one in due if one.at <= so_far.meter.evaluations]
        self._due = due[len(new) :]
        for message in so_far.bench.channel.receive(Suggestions) if listens else ():
            new += [one for one in message.candidates if one not in self._heard]
            self._heard = tuple(dict.fromkeys((*self._heard, *message.candidates)))
        if self._heard and new:
            so_far.told.note(Suggestions(self._heard))  # one of them may end this fork
        return new


def _translated(code: Sequence[SuggestedCode], subject: CrashSubject, so_far: CrashSoFar) -> list[Candidate]:
    """Code as tests, which are known as suggested from then on."""
    if not code:
        return []
    start = subject.start
    exports = Exports(subject.api.package, tuple(dict.fromkeys(frame.key.module for frame in start.target.package_frames)))
    made = candidates_of(code, subject.api, exports, so_far.factory, start.settings.search.seed)
    so_far.seeds.suggested([one for candidate in made for one in candidate.made])
    return made


def _tried(candidates: Sequence[Candidate], so_far: CrashSoFar) -> Iterator[TestCase]:
    """The tests of each in order, until one reproduces the crash; what becomes of each candidate is sent."""
    at = so_far.meter.evaluations
    for candidate in candidates:
        ran: list[Evaluation] = []
        try:
            for made in candidate.made:
                with so_far.patiently():
                    yield made.test
                ran += so_far.latest
                if ran and ran[-1].score.level == 4:
                    break
        finally:  # also where the search is over, and goes on with no more of them
            ran += so_far.latest
            level = max((one.score.level for one in ran), default=0)
            frames = max((one.score.frames for one in ran), default=0)
            so_far.bench.channel.send(CandidateTried(candidate.name, level, frames, len(candidate.made), at))
