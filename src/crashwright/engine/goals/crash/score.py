"""The score of one run against a crash, and the judgement of its exception that every crash fitness starts from."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from crashwright.core.chains import RaisedMember, may_be_within, members_differ, without_other_members
from crashwright.core.comprehensions import COMPREHENSIONS
from crashwright.core.level import FramePlace, deciding, frames_agreeing, level, without_comprehensions
from crashwright.core.message_rule import messages_agree, printed_message
from crashwright.core.recursion import Recursion, is_recursion
from crashwright.core.target import CrashTarget
from crashwright.engine.execution.outcome import Outcome, RaisedFrame
from crashwright.engine.goals.crash.block_coverage import Coverage
from crashwright.engine.goals.crash.evidence import Evidence
from crashwright.engine.goals.crash.frame_goal import FlagReader, FlagsOf, Standing
from crashwright.engine.goals.crash.message_distance import message_distance
from crashwright.engine.instrument.trace import Trace
from crashwright.engine.subject.introspection import class_mro, class_name


class CrashScore(NamedTuple):
    """``fitness`` is minimised, 0 = reproduced. ``level`` is the score 0-4 of the exception; ``frames`` how many package frames
    were entered in the right chain, and ``standing`` how far the run came in the last of them; ``agreeing`` how many frames of the
    traceback agree, from the crash outwards. ``coverage`` is what the secondary objective compares where the fitness is equal."""

    fitness: float
    level: int
    frames: int
    agreeing: int
    coverage: Coverage | None = None
    standing: Standing = Standing.NOT_ENTERED
    led: tuple[int, bool] | None = None
    """Where the line of the last frame was reached and its arguments were measured: its function, and whether what of a
    precondition leads there held."""
    message: str = ""
    """Of a run of level 4 that the report's evidence speaks against, or of level 3: what it said."""
    ends_alike: bool = True
    """Whether a recursion ended in the report's innermost frame, with all of its message. That is chance, and no test is refused
    for it; but one that does is not made into one that does not."""
    missed: int | None = None
    """The approach level of the decision that took the wrong side, where one did."""


class Variant(NamedTuple):
    """What can be chosen of a crash fitness. ``trace_distance``: see ``trace_distance.TRACE_DISTANCES``. ``block_coverage``: scores
    carry coverage, for ties; ``literal``: of wrong sides too. ``flags``: distances of flag branches come from inside the functions
    that they call (paper 003). ``one_chain``: what was raised elsewhere than in the frames that were entered is no evidence."""

    trace_distance: str = "closest"
    block_coverage: bool = True
    flags: FlagsOf | None = None
    literal: bool = False
    one_chain: bool = True

    def flags_of(self, trace: Trace) -> FlagReader | None:
        """Those of one run, where they are wanted."""
        return None if self.flags is None else self.flags(trace)


class Judgement(NamedTuple):
    """What the exception of a run has in common with the crash. ``same_type`` and ``message`` (0 = agrees) count only where
    ``at_line``: it was raised at the crash frame's line. ``kinship`` is the distance of its class to the wanted one: 0 same name,
    0.5 one inherits from the other, 1 unrelated. ``against`` is how much of the report's evidence speaks against a run of level 4
    (``evidence``)."""

    level: int
    agreeing: int
    at_line: bool
    same_type: bool
    kinship: float
    message: float
    against: float = 0.0
    said: str = ""
    """The message, where ``against`` is more than 0, or where nothing else differs."""
    ends_alike: bool = True
    """See :class:`CrashScore`."""


MOST_FILES = 2000
"""File names whose place is remembered."""
MOST_CLASSES = 200
"""Classes of exceptions whose kinship is remembered."""
_ELSEWHERE = {kinship: Judgement(0, 0, False, kinship == 0.0, kinship, 1.0) for kinship in (0.0, 0.5, 1.0)}
"""For an exception raised at another line."""
MESSAGE_DIFFERS = 3
"""The level of a run that ends as the report does, but for the message."""
NEAR_MISS, LARGEST_NEAR_MISS = 0.001, 0.009
"""The fitness of a run of level 4 that the report's evidence speaks against: how little and how much."""
LARGEST_REST = 0.1
"""The most that :func:`rest` gives."""
NOTHING = Judgement(0, 0, False, False, 1.0, 1.0)


class CrashJudge:
    """Compares outcomes with a crash target. ``belongs`` tells whether a source file is the package's, ``library`` whether it is
    one of the libraries that it crashed in."""

    def __init__(self, target: CrashTarget, belongs: Callable[[str], bool], library: Callable[[str], bool] | None = None) -> None:
        self._belongs = belongs
        self._library = library
        self._files: dict[str, str | None] = {}
        self._kin: dict[type, float] = {}
        self._short = target.exception.rpartition(".")[2]
        self._message = target.message
        self._evidence = Evidence(target)
        self._outer, self._members = target.outer, target.members
        self.recursion = is_recursion(target.exception)
        frames = target.package_frames
        self._inlined = not any(frame.key.name.endswith("comp>") for frame in frames)
        places = [FramePlace(os.path.realpath(frame.path), frame.line, frame.key.name) for frame in frames]
        self.want: list[FramePlace] = without_comprehensions(places) if self._inlined else places
        self._crash = self.want[-1] if self.want else None
        repeated = {place: frame.repeated for place, frame in zip(places, frames, strict=True)}
        self._cycle = Recursion.of(self.want, repeated) if self.recursion else None

    def places(self, frames: Sequence[RaisedFrame]) -> list[FramePlace]:
        """The frames that decide, outermost first."""
        found = []
        files = self._files
        for code, line, _ in frames:
            path = code.co_filename
            file = files[path] if path in files else self._file(path)
            if file is not None:
                found.append(FramePlace(file, line, code.co_name))
        if self._library is not None:
            found = deciding(found, [self._belongs(place.file) for place in found])
        return without_comprehensions(found) if self._inlined else found

    def judge(self, outcome: Outcome) -> Judgement:
        """Judge the exception of ``outcome``, or that within it which comes nearest; cheap where it is none of the package's."""
        error = outcome.error
        if error is None:
            return NOTHING
        found = self._judge(error, outcome)
        if not outcome.inner:
            return found
        for one in outcome.inner:
            if may_be_within(self._outer, one.member, one.parent):
                found = max(found, self._judge(one.error, one.alone), key=lambda judged: (judged.level, judged.at_line))
        if self._members and found.level > 2 and members_differ(self._members, self._raised_members(outcome)):
            return found._replace(level=without_other_members(found.level))
        return found

    def _raised_members(self, outcome: Outcome) -> list[RaisedMember]:
        return [
            RaisedMember(
                class_name(type(one.error)),
                printed_message(one.error),
                tuple(FramePlace(os.path.realpath(frame.code.co_filename), frame.line, frame.code.co_name) for frame in one.frames),
            )
            for one in outcome.inner
            if one.member and not issubclass(type(one.error), BaseExceptionGroup)
        ]

    def _judge(self, error: BaseException, outcome: Outcome) -> Judgement:
        frames = outcome.frames
        if self._cycle is not None:
            return self._judge_cycle(self._cycle, error, frames)
        at_line = self._at_crash(frames)
        if at_line is None:
            return NOTHING
        kinship = self._kinship(type(error))
        if not at_line:
            return _ELSEWHERE[kinship]
        got = self.places(frames)
        if kinship:
            return Judgement(0, frames_agreeing(self.want, got), True, False, kinship, 1.0)
        text = printed_message(error)
        agrees = messages_agree(self._short, self._message, text)
        reached = level(self.want, got, True, agrees, self.recursion)
        agreeing = len(self.want) if reached >= 3 else frames_agreeing(self.want, got)
        against = self._evidence.distance(outcome, text) if reached == 4 else 0.0
        distance = 0.0 if agrees else message_distance(self._message, text)
        return Judgement(
            level=reached,
            agreeing=agreeing,
            at_line=True,
            same_type=True,
            kinship=0.0,
            message=distance,
            against=against,
            said=text if against or reached == MESSAGE_DIFFERS else "",
        )

    def _judge_cycle(self, cycle: Recursion, error: BaseException, frames: Sequence[RaisedFrame]) -> Judgement:
        kinship = self._kinship(type(error))
        if kinship:
            return _ELSEWHERE[kinship]
        text = printed_message(error)
        agrees = messages_agree(self._short, self._message, text)
        places = self.places(frames)
        reached, agreeing = cycle.judge(places, agrees)
        distance = 0.0 if agrees else message_distance(self._message, text)
        alike = places[-1:] == self.want[-1:] and text.partition("\n")[0] == self._message.partition("\n")[0]
        return Judgement(reached, agreeing, reached > 0, True, 0.0, distance, ends_alike=alike)

    def may_be(self, outcome: Outcome) -> bool:
        """Whether the level of ``outcome`` may be above 0: the exception has the right name and comes from the crash's line."""
        error = outcome.error
        if error is None:
            return False
        return self._looks_like(error, outcome.frames) or any(self._looks_like(one.error, one.frames) for one in outcome.inner)

    def _looks_like(self, error: BaseException, frames: Sequence[RaisedFrame]) -> bool:
        return not self._kinship(type(error)) and (self._cycle is not None or bool(self._at_crash(frames)))

    def _at_crash(self, frames: Sequence[RaisedFrame]) -> bool | None:
        """Whether the innermost frame of the package is the crash frame; None where there is none of the package. Most runs need no
        more than this."""
        crash, files = self._crash, self._files
        for code, line, _ in reversed(frames):
            path = code.co_filename
            file = files[path] if path in files else self._file(path)
            if file is not None and not (self._inlined and code.co_name in COMPREHENSIONS):
                return crash is not None and line == crash.line and code.co_name == crash.function and file == crash.file
        return None

    def _kinship(self, kind: type) -> float:
        if type(kind) is not type:
            return self._kinship_of(kind)  # a class of such a class may be hashed in its own way
        known = self._kin.get(kind)
        if known is None:
            if len(self._kin) >= MOST_CLASSES:
                self._kin.clear()  # tests may define classes of their own
            known = self._kin[kind] = self._kinship_of(kind)
        return known

    def _kinship_of(self, kind: type) -> float:
        if class_name(kind) == self._short:
            return 0.0
        return 0.5 if any(class_name(cls) == self._short for cls in class_mro(kind)) else 1.0

    def _file(self, path: str) -> str | None:
        if len(self._files) >= MOST_FILES:
            self._files.clear()  # code that is compiled at run time may have a file name of its own each time
        known = self._files[path] = os.path.realpath(path) if self._counts(path) else None
        return known

    def _counts(self, path: str) -> bool:
        return self._belongs(path) or (self._library is not None and self._library(path))


def near_miss(judgement: Judgement) -> float:
    """The fitness of a run of level 4: 0 where all evidence of the report agrees."""
    return NEAR_MISS + (LARGEST_NEAR_MISS - NEAR_MISS) * judgement.against if judgement.against else 0.0


def rest(judgement: Judgement, frames: int) -> float:
    """What a fitness of the papers is where they would call a run a success, in [0, 0.1]: 0 only for the level 4 that counts as
    reproduced here, below 0.05 where only the message differs.

    # Deviation: the papers look at no message, and their trace distances are 0 for some traces that have other frames in between.
    """
    if judgement.level == 4:
        return near_miss(judgement)
    if judgement.level == MESSAGE_DIFFERS:
        return 0.01 + 0.04 * judgement.message
    return LARGEST_REST - 0.04 * judgement.agreeing / max(1, frames)
