"""How far a raised exception agrees with the crash: the levels 0-4 of ``core.level``, judged on what a fresh run recorded."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from crashwright.core.chains import RaisedMember, may_be_within, members_differ, spliced, without_other_members
from crashwright.core.comprehensions import COMPREHENSIONS, inlines
from crashwright.core.level import (
    FramePlace,
    deciding,
    frames_agreeing,
    is_source,
    level,
    with_inlined_comprehensions,
    without_comprehensions,
)
from crashwright.core.message_rule import messages_agree, same_words
from crashwright.core.message_values import value_distance
from crashwright.core.recursion import Recursion, RecursionVerdict, is_recursion
from crashwright.core.target import CrashTarget, TargetFrame

CHAIN_AGREES = "the exceptions before it match as well"


@dataclass(frozen=True, slots=True)
class RaisedException:
    """What a fresh run recorded. ``frames`` are outermost first, the test's own included; ``python`` is the version that ran;
    ``refused`` what the guard refused until then, in words."""

    module: str
    type: str
    message: str
    frames: tuple[FramePlace, ...]
    python: tuple[int, int]
    refused: tuple[str, ...] = ()
    before: RaisedException | None = None
    """The exception that caused this one, or was handled when it was raised."""
    members: tuple[RaisedException, ...] = ()
    """Those of an exception group."""

    @property
    def printed(self) -> str:
        """As Python prints it, without further lines."""
        name = self.type if self.module in ("builtins", "__main__") else f"{self.module}.{self.type}"
        first = self.message.partition("\n")[0]
        return f"{name}: {first}" if first else name


@dataclass(frozen=True, slots=True)
class Agreement:
    """``frames`` of ``total`` package frames agree, counted from the crash outwards (0 where the type differs). ``raised`` is
    what was raised, None where nothing was; ``test_line`` the line of the test that led to it (0: none)."""

    level: int
    frames: int
    total: int
    type_agrees: bool = False
    message_agrees: bool = False
    raised: RaisedException | None = None
    test_line: int = 0
    comprehensions_dropped: bool = False
    same_values: bool = True
    """The message, where it agrees, also quotes the report's values, as far as a test can have them."""
    chain: str = ""
    """Where the report has exceptions of the package before this one: whether those raised here agree, in words; else ""."""
    thrown: RaisedException | None = None
    """What left the test: ``raised``, or the exception that it is within."""
    members: str = ""
    """How the members of the group differ from those of the report, in words."""
    in_other_words: bool = False
    """The message agrees, but this Python words it otherwise."""

    @property
    def wording(self) -> str:
        """What this Python says in place of the report's words; empty where it says the same."""
        if not self.in_other_words or self.raised is None:
            return ""
        return f"Python {'.'.join(map(str, self.raised.python))} words it {self.raised.message.partition(chr(10))[0]!r}"

    @property
    def near_miss(self) -> str:
        """What makes a reproduction doubtful, in words: another value in the message may be another bug. Else empty."""
        if self.level < 4 or self.same_values or self.raised is None:
            return ""
        return f"other value ({self.raised.printed})"

    @property
    def missing(self) -> str:
        """What is missing to a reproduction, in words; empty where nothing is."""
        if self.level == 4:
            return ""
        if self.raised is None:
            return "nothing is raised"
        if not self.type_agrees:
            return f"another exception is raised: {self.raised.printed}"
        if self.level == 0:
            return f"{self.raised.printed} is raised, but not at the crash line"
        parts = []
        if self.level < 3 and self.frames < self.total:
            parts.append(f"only {self.frames} of {self.total} frames match")
        if self.members:
            parts.append(self.members)
        if not self.message_agrees:
            parts.append(f"the message differs ({self.raised.printed})")
        return " and ".join(parts)


def nothing_raised(target: CrashTarget) -> Agreement:
    """The agreement of a run that raised nothing, or did not end."""
    return Agreement(0, 0, len(target.package_frames))


def agreement(target: CrashTarget, raised: RaisedException, test_file: str) -> Agreement:
    """How ``raised``, or that within it which comes nearest, compares with ``target``."""
    found = _agreement(target, raised, test_file)
    line = found.test_line
    for one, member, parent in _within(raised) if target.outer else ():
        if may_be_within(target.outer, member, _short(parent.type)):
            inner = _agreement(target, one, test_file)
            if (inner.level, inner.frames, inner.type_agrees) > (found.level, found.frames, found.type_agrees):
                words = f"within {_short(parent.type)}, as in the report"
                found = replace(inner, chain=f"{words}; {inner.chain}" if inner.chain else words)
    return replace(found, thrown=raised, test_line=line)


def _within(raised: RaisedException) -> Iterator[tuple[RaisedException, bool, RaisedException]]:
    """The exceptions within one with their whole stacks, each with whether it is a member, and what it is within."""
    for one, member in (*((one, True) for one in raised.members), *([] if raised.before is None else [(raised.before, False)])):
        frames = spliced(raised.frames, one.frames, lambda one, other: (one.file, one.function) == (other.file, other.function))
        whole = replace(one, frames=frames)
        yield whole, member, raised
        yield from _within(whole)


def _raised_members(raised: RaisedException) -> Iterator[RaisedMember]:
    for one in raised.members:
        if one.members:
            yield from _raised_members(one)
        else:
            places = tuple(place._replace(file=os.path.realpath(place.file)) for place in one.frames)
            yield RaisedMember(_short(one.type), one.message, places)


def _agreement(target: CrashTarget, raised: RaisedException, test_file: str) -> Agreement:
    package = PackageFiles(target)
    wanted = [_place(frame) for frame in target.package_frames]
    got = package.deciding(raised.frames)
    dropped = _comprehensions_are_lost(wanted, raised.python)
    if dropped:
        wanted, got = without_comprehensions(wanted), without_comprehensions(got)
    elif target.inlined and not inlines(raised.python) and any(place.function in COMPREHENSIONS for place in got):
        # This Python makes frames that the report's does not.
        dropped = True
        wanted, got = with_inlined_comprehensions(wanted), with_inlined_comprehensions(got)
    same_type = _short(raised.type) == _short(target.exception)
    same_message = same_type and messages_agree(target.exception, target.message, raised.message)
    score, matched = _verdict(target, wanted, got, same_type, same_message)
    differ = members_differ(target.members, list(_raised_members(raised))) if target.members and score else ""
    name = os.path.basename(test_file)
    return Agreement(
        level=without_other_members(score) if differ else score,
        frames=matched if same_type else 0,
        total=len(wanted),
        type_agrees=same_type,
        message_agrees=same_message,
        same_values=same_message and value_distance(target.exception, target.message, raised.message) == 0,
        raised=raised,
        test_line=next((place.line for place in raised.frames if os.path.basename(place.file) == name), 0),
        comprehensions_dropped=dropped,
        chain=_chain_in_words(target, raised, test_file) if score and target.cause is not None else "",
        members=differ,
        in_other_words=same_message and not same_words(target.exception, target.message, raised.message),
    )


def _verdict(
    target: CrashTarget, wanted: list[FramePlace], got: list[FramePlace], same_type: bool, same_message: bool
) -> RecursionVerdict:
    if same_type and is_recursion(target.exception):
        recursion = Recursion.of(wanted, {_place(frame): frame.repeated for frame in target.package_frames})
        if recursion is not None:
            return recursion.judge(got, same_message)
    score = level(wanted, got, same_type, same_message, is_recursion(target.exception))
    return RecursionVerdict(score, len(wanted) if score >= 3 else frames_agreeing(wanted, got))


def _chain_in_words(target: CrashTarget, raised: RaisedException, test_file: str) -> str:
    """The first exception before the crash, from the last backwards, that does not agree with the report. It makes no level: what
    was handled before is part of the story, not of the crash."""
    wanted, got = target.cause, raised.before
    while wanted is not None:
        if got is None:
            return f"the report has {wanted.exception} before it; here nothing came before"
        found = agreement(replace(wanted, cause=None), got, test_file)
        if not found.type_agrees:
            return f"the report has {wanted.exception} before it; here it was {got.printed}"
        if found.level == 0:
            return f"{wanted.exception} before it was raised elsewhere here"
        if not found.message_agrees:
            return f"the message of {wanted.exception} before it differs ({got.printed})"
        wanted, got = wanted.cause, got.before
    return CHAIN_AGREES


class PackageFiles:
    """Which source files belong to the package of a target (``path in PackageFiles(target)``), or to the libraries that it crashed
    in."""

    def __init__(self, target: CrashTarget) -> None:
        self._own = _Files((frame, target.package) for frame in target.own_frames)
        self._libraries = _Files((frame, frame.key.module.partition(".")[0]) for frame in target.library_frames)

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and path in self._own

    def deciding(self, places: Iterable[FramePlace]) -> list[FramePlace]:
        """Those of ``places`` that decide, with real paths."""
        known = [(place, place.file in self._own) for place in places if place.file in self._own or place.file in self._libraries]
        real = [place._replace(file=os.path.realpath(place.file)) for place, _ in known]
        return deciding(real, [own for _, own in known])


class _Files:
    """The files of some frames, each with its package, and all others of these packages."""

    def __init__(self, frames: Iterable[tuple[TargetFrame, str]]) -> None:
        pairs = list(frames)
        self._files = {os.path.realpath(frame.path) for frame, _ in pairs}
        self._roots = tuple({root for frame, package in pairs if (root := _package_root(package, frame))})
        self._known: dict[str, bool] = {}

    def __contains__(self, path: str) -> bool:
        if path not in self._known:
            real = os.path.realpath(path)
            self._known[path] = real in self._files or (is_source(path) and real.startswith(self._roots))
        return self._known[path]


def _package_root(package: str, frame: TargetFrame) -> str | None:
    """The folder of ``package`` with a closing separator, found from a module below it; None for a package of a single file."""
    parts = frame.key.module.split(".")
    depth = package.count(".") + 1
    if not package or parts[:depth] != package.split("."):
        return None
    path = os.path.realpath(frame.path)
    is_package = os.path.basename(path) == "__init__.py"
    folder = os.path.dirname(path) if is_package else os.path.splitext(path)[0]
    for _ in range(len(parts) - depth):
        folder = os.path.dirname(folder)
    if os.path.basename(folder) != parts[depth - 1] or not os.path.isdir(folder):
        return None
    return folder + os.sep


def _place(frame: TargetFrame) -> FramePlace:
    return FramePlace(os.path.realpath(frame.path), frame.line, frame.key.name)


def _short(name: str) -> str:
    return name.rpartition(".")[2]


def _comprehensions_are_lost(wanted: list[FramePlace], python: tuple[int, int]) -> bool:
    """The report has frames that this interpreter no longer makes (PEP 709)."""
    return inlines(python) and any(place.function in COMPREHENSIONS for place in wanted)
