"""Matches a crash report against the installed subject: frames to code objects, and which of them are to be reproduced.

Nothing of the subject is imported. What cannot be matched is named, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from crashwright.core.errors import EnvironmentProblem, ReportError, UsageError
from crashwright.core.report import CrashReport, ReportedException, ReportedFrame
from crashwright.core.target import CallSite, CrashTarget
from crashwright.crash.distributions import Distribution, distribution_of
from crashwright.crash.interpreter import Interpreter
from crashwright.crash.matched_frames import FrameMatcher, MatchedFrame, belongs
from crashwright.crash.source_index import INLINED, INLINED_SINCE

_PYTHON = re.compile(r"[/\\][Pp]ython(\d)\.?(\d+)[/\\]")


@dataclass(frozen=True, slots=True)
class SkippedFrame:
    """A reported frame that is no part of the target, and why."""

    frame: ReportedFrame
    reason: str


@dataclass(frozen=True, slots=True)
class ResolvedCrash:
    """``notes`` are sentences for the user (other lines, other versions). ``distribution`` and ``version`` are the target
    package's, where its metadata tells. ``extra_path``: folders to put on the subject's path besides the interpreter's own."""

    target: CrashTarget
    skipped: tuple[SkippedFrame, ...] = ()
    notes: tuple[str, ...] = ()
    distribution: str | None = None
    version: str | None = None
    extra_path: tuple[str, ...] = ()


def resolve(report: CrashReport, interpreter: Interpreter, package: str | None = None, frame: int | None = None) -> ResolvedCrash:
    """The crash of ``report`` (its last exception) as a target in the installed subject.

    ``package``: the import name that decides; by default that of the innermost frame outside the standard library. ``frame``: the
    target frame, counted among the package's frames from the crash (1); by default the outermost. Raises EnvironmentProblem where
    the package is not installed or another version is, ReportError where the report has nothing to reproduce, UsageError for a
    ``frame`` that is not there.
    """
    matcher = FrameMatcher(interpreter)
    crash = report.crash
    if not crash.frames:
        raise ReportError(
            f"{crash.type} has no frames in this report: there is no call to reproduce.",
            "Paste the whole traceback, with its 'File' lines.",
        )
    frames, notes = _as_compiled_here(crash.frames, interpreter)
    matched = matcher.match_all(frames)
    chosen = package or _innermost_package(matched, interpreter)
    installed = distribution_of(chosen.partition(".")[0], interpreter.sys_path)
    _check(chosen, matched, matcher, installed, interpreter)
    target = _target(crash, matched, chosen, frame)
    target = replace(target, cause=_cause(report.exceptions[:-1], chosen, matcher, interpreter))
    notes += _notes(matched, chosen, crash, interpreter)
    extra = dict.fromkeys(one.extra_path for one in matched if one.extra_path and one.frame and belongs(one.module, chosen))
    return ResolvedCrash(
        target,
        tuple(SkippedFrame(one.reported, one.reason) for one in matched if one.frame is None),
        tuple(dict.fromkeys(notes)),
        installed.name if installed else None,
        installed.version if installed else None,
        tuple(extra),
    )


def _as_compiled_here(frames: Sequence[ReportedFrame], interpreter: Interpreter) -> tuple[tuple[ReportedFrame, ...], list[str]]:
    """From 3.12 on a list comprehension runs in its function's own frame: that frame then stands on the comprehension's line."""
    if interpreter.version[:2] < INLINED_SINCE:
        return tuple(frames), []
    kept: list[ReportedFrame] = []
    dropped = 0
    for frame in frames:
        if frame.function not in INLINED:
            kept.append(frame)
            continue
        dropped += 1
        if kept and kept[-1].path == frame.path:
            kept[-1] = replace(kept[-1], line=frame.line, source=frame.source, columns=frame.columns, anchor=frame.anchor)
    if not dropped:
        return tuple(kept), []
    plural = "s are" if dropped > 1 else " is"
    return tuple(kept), [f"{dropped} comprehension frame{plural} left out: Python {interpreter.version_text} has none"]


def _innermost_package(matched: Sequence[MatchedFrame], interpreter: Interpreter) -> str:
    for one in reversed(matched):
        if one.missing_package:
            raise _not_installed(one.missing_package, interpreter)
        if one.module and not one.stdlib:
            return one.module.partition(".")[0]
    if any(one.stdlib for one in matched):
        raise ReportError(
            "All frames found here belong to the standard library: there is no package of yours in this crash.",
            "Name the folder of your code with --path DIR, or take a module of the standard library with --package NAME.",
        )
    place = matched[-1].reported.path
    raise EnvironmentProblem(
        f"No frame of the report was found in the environment of {interpreter.executable} (such as {place}).",
        "Name the interpreter that has the package with --python, or the folder of the code with --path DIR.",
    )


def _not_installed(package: str, interpreter: Interpreter) -> EnvironmentProblem:
    top = package.partition(".")[0]
    return EnvironmentProblem(
        f"The package {package} is not installed for {interpreter.executable}.",
        f"Install the version that crashed there: pip install {top.replace('_', '-')} (its distribution may have another name). "
        "Or name another interpreter with --python.",
    )


def _check(
    package: str, matched: Sequence[MatchedFrame], matcher: FrameMatcher, installed: Distribution | None, interpreter: Interpreter
) -> None:
    """The package has frames, and its innermost one, where it crashed, is found in the installed source."""
    own = [one for one in matched if belongs(one.module or one.missing_package, package)]
    if not own or (not own[-1].module and own[-1].missing_package):
        if not matcher.locator.installed(package):
            raise _not_installed(package, interpreter)
        others = dict.fromkeys(one.module.partition(".")[0] for one in matched if one.module and not one.stdlib)
        raise ReportError(
            f"The report has no frame of {package}.", f"Its frames belong to: {', '.join(others)}." if others else "See --package."
        )
    if own[-1].frame is None:
        reported = own[-1].reported
        version = f" ({installed.name} {installed.version})" if installed else ""
        raise EnvironmentProblem(
            f"The crash frame {own[-1].module}:{reported.line} in {reported.function} cannot be placed{version}: {own[-1].reason}.",
            "Install the version of the package that the report comes from.",
        )


def _target(crash: ReportedException, matched: Sequence[MatchedFrame], package: str, number: int | None) -> CrashTarget:
    own = [index for index, one in enumerate(matched) if one.frame is not None and belongs(one.module, package)]
    if number is not None and not 1 <= number <= len(own):
        raise UsageError(
            f"There is no frame {number}: the report has {len(own)} of {package}.", f"--frame takes 1 (the crash) to {len(own)}."
        )
    start = own[0] if number is None else own[-number]
    return CrashTarget(
        package=package,
        exception=crash.type,
        # A printed note cannot be told from a further line of the message: both count (core.message_rule.printed_message).
        message="\n".join((crash.message, *crash.notes)),
        frames=tuple(
            replace(one.frame, in_package=belongs(one.module, package)) for one in matched[start:] if one.frame is not None
        ),
        call_sites=tuple(
            CallSite(one.reported.source, one.reported.function, dict(one.reported.local_values))
            for one in matched[:start]
            if one.reported.source is not None
        ),
    )


def _cause(
    earlier: Sequence[ReportedException], package: str, matcher: FrameMatcher, interpreter: Interpreter
) -> CrashTarget | None:
    """The exception before, where it crashed in the package as well and is found here."""
    if not earlier:
        return None
    frames, _ = _as_compiled_here(earlier[-1].frames, interpreter)
    matched = matcher.match_all(frames)
    if not any(one.frame is not None and belongs(one.module, package) for one in matched):
        return None
    return replace(_target(earlier[-1], matched, package, None), cause=_cause(earlier[:-1], package, matcher, interpreter))


def _notes(matched: Sequence[MatchedFrame], package: str, crash: ReportedException, interpreter: Interpreter) -> list[str]:
    own = [one for one in matched if belongs(one.module, package)]
    notes = [one.note for one in own if one.note and one.frame is not None]
    notes += [f"frame {one.reported.path}:{one.reported.line} left out: {one.reason}" for one in own if one.frame is None]
    beyond = matched[-1]
    if beyond.frame is None and not belongs(beyond.module, package):
        notes.append(
            f"the innermost frame, {beyond.reported.path}:{beyond.reported.line}, is not part of the target: {beyond.reason}"
        )
    versions = {(int(a), int(b)) for frame in crash.frames for a, b in _PYTHON.findall(frame.path)}
    if len(versions) == 1 and interpreter.version[:2] not in versions:
        major, minor = versions.pop()
        notes.append(f"the report is of Python {major}.{minor}, the subject runs on {interpreter.version_text}")
    return notes
