"""What a crash report says, whatever its format: a chain of exceptions with their frames.

Readers (``crashwright.crash.readers``) make these values; nothing here is resolved against installed code.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Link = Literal["cause", "context"]


@dataclass(frozen=True, slots=True)
class ReportedFrame:
    """One frame as printed. ``columns`` is the caret range in ``source`` (0-based, end exclusive, both relative to the stripped
    echoed line); ``anchor`` the part of it marked ``^`` where the rest is ``~``. ``repeated`` counts the further, not
    printed, repetitions of this frame (``[Previous line repeated N more times]``)."""

    path: str
    line: int | None
    function: str
    source: str | None = None
    columns: tuple[int, int] | None = None
    anchor: tuple[int, int] | None = None
    local_values: dict[str, str] = field(default_factory=dict)
    repeated: int = 0


@dataclass(frozen=True, slots=True)
class SyntaxPlace:
    """Where the text lies that a SyntaxError is about: no frame, for nothing ran there. ``columns`` are 0-based in ``source``, the
    stripped echoed line, end exclusive."""

    path: str
    line: int | None
    source: str | None = None
    columns: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class ReportedException:
    """One block of a chain. ``frames`` are outermost first, as Python prints them; ``type`` is the name as printed (with its
    module for non-builtins). ``link`` says how this block led to the *next* one; the last block has none. ``group`` are the
    members of an exception group, ``place`` what a SyntaxError points at."""

    type: str
    message: str
    frames: tuple[ReportedFrame, ...]
    notes: tuple[str, ...] = ()
    link: Link | None = None
    group: tuple[CrashReport, ...] = ()
    place: SyntaxPlace | None = None

    @property
    def short_type(self) -> str:
        """The class name without its module."""
        return self.type.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class ReportedEnvironment:
    """What a report says of where it crashed: the version of ``python``, distributions with their versions, the ``release`` tag of
    the application. A part that the report does not mention is None, or missing from ``packages``."""

    python: str | None = None
    packages: dict[str, str] = field(default_factory=dict)
    release: str | None = None


@dataclass(frozen=True, slots=True)
class OuterException:
    """An exception around the one that is looked at: the group that holds it (``member``), the exception that it caused, or that
    was raised while it was handled. ``frames`` are its own, left out where they are those of the inner one as well."""

    type: str
    link: Literal["cause", "context", "member"]
    frames: tuple[ReportedFrame, ...] = ()

    @property
    def short_type(self) -> str:
        """The class name without its module."""
        return self.type.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class CrashReport:
    """A chain of exceptions in the order of printing: the root cause first, the exception that a caller sees last.
    ``environment`` is None where the report has nothing on it. ``outer`` are the exceptions around the last one, from the nearest
    to the one that a caller sees, where it was chosen out of a larger report."""

    exceptions: tuple[ReportedException, ...]
    environment: ReportedEnvironment | None = None
    outer: tuple[OuterException, ...] = ()

    @property
    def crash(self) -> ReportedException:
        """The block that a test would see: the last one."""
        return self.exceptions[-1]


@dataclass(frozen=True, slots=True)
class Unknown:
    """Not an answer but the reason why there is none, in words for the user."""

    reason: str
