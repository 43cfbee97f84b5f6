"""Examines a crash report against the installed subject: frames to code objects, the package to blame, the target frame.

Nothing of the subject is imported. What cannot be matched is named, never guessed; what stands in the way of a search is kept as a
value, so that ``explain`` can say all the rest.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from crashwright.core.chains import GroupMember
from crashwright.core.comprehensions import COMPREHENSIONS, inlines
from crashwright.core.errors import CrashwrightError, EnvironmentProblem, ReportError, UsageError
from crashwright.core.level import FramePlace
from crashwright.core.location import CodeKey
from crashwright.core.recursion import cycle_frames, folded, is_recursion
from crashwright.core.report import CrashReport, ReportedException, ReportedFrame
from crashwright.core.target import Callback, CallSite, CrashTarget, TargetFrame, belongs
from crashwright.crash.called_library import called_library
from crashwright.crash.matched_frames import FrameMatcher, MatchedFrame
from crashwright.crash.ownership import deciding, innermost_own, is_own, is_own_path, outermost, own_files
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.crash.secrets.written import written_out
from crashwright.crash.unreproducible import why_unreproducible
from crashwright.environment.distributions import Distribution, distribution_of
from crashwright.environment.interpreter import Interpreter
from crashwright.environment.shadowing import shadowing_problem
from crashwright.environment.skew import message_note, python_note, report_inlines, reported_version, version_note


@dataclass(frozen=True, slots=True)
class ExaminedReport:
    """All that can be said before a search. ``frames`` are those of the last exception, outermost first, as they are made here.
    ``package`` and ``target`` are what would be searched for and why; without a target, ``problem`` is the reason.
    ``deciding`` are the places in ``frames`` of those that decide. ``reported_version`` is the package's version by the report,
    where that tells. ``extra_path``: folders to put on the subject's
    path besides the interpreter's own."""

    frames: tuple[MatchedFrame, ...]
    package: str = ""
    why_package: str = ""
    why_frame: str = ""
    target: CrashTarget | None = None
    problem: CrashwrightError | None = None
    notes: tuple[str, ...] = ()
    distribution: Distribution | None = None
    reported_version: str | None = None
    extra_path: tuple[str, ...] = ()
    deciding: tuple[int, ...] = ()


def examine(
    report: CrashReport,
    interpreter: Interpreter,
    package: str | None = None,
    frame: int | None = None,
    secrets: SecretFilter | None = None,
) -> ExaminedReport:
    """What can be said of the last exception of ``report``. ``package``, ``frame``: as for :func:`crash.resolve.resolve`.
    ``secrets``: all that is said has passed it; ``report`` itself has not, for its lines are compared with the installed ones."""
    return _Examiner(report, interpreter, package, frame, secrets or SecretFilter()).examine()


class _Examiner:
    """One examination: what is asked, and what was found on the way."""

    def __init__(
        self, report: CrashReport, interpreter: Interpreter, package: str | None, frame: int | None, secrets: SecretFilter
    ) -> None:
        self._report = report
        self._crash = report.crash
        self._interpreter = interpreter
        self._asked_package = package
        self._asked_frame = frame
        self._secrets = secrets
        self._matcher = FrameMatcher(interpreter)
        secrets.report(report)  # what is a secret in one place is one in all others

    def examine(self) -> ExaminedReport:
        if not self._crash.frames:
            return ExaminedReport((), problem=why_unreproducible(self._crash) or self._no_frames())
        matched, notes = self._match(_rounds_left_out(self._crash))
        found = ExaminedReport(tuple(matched), notes=tuple(notes), problem=why_unreproducible(self._crash, matched))
        if found.problem is not None:
            return found
        try:
            package, why = self._package(matched)
        except CrashwrightError as problem:
            return replace(found, problem=problem)
        installed = distribution_of(package.partition(".")[0], self._interpreter.sys_path)
        version = reported_version(self._report, package, installed)
        places, told = self._deciding(self._crash, matched, package)
        found = replace(
            found, package=package, why_package=why, distribution=installed, reported_version=version, deciding=tuple(places)
        )
        try:
            self._check(package, matched, installed, version)
            target, why_frame = self._target(self._crash, matched, package, self._asked_frame)
        except CrashwrightError as problem:
            return replace(found, problem=problem)
        target = replace(
            target,
            cause=self._cause(self._report.exceptions[:-1], package),
            outer=tuple(replace(one, frames=()) for one in self._report.outer),
            led_here=tuple(self._led_here(package)),
            members=tuple(self._members(self._crash)),
        )
        notes += [*told, *self._notes(target, matched, package, version, installed)]
        own = [one for one in matched if one.frame and belongs(one.module, package)]
        extra = dict.fromkeys(one.extra_path for one in own if one.extra_path)
        if extra:
            extra |= dict.fromkeys(self._matcher.locator.roots_of([one.path for one in own]))
        shadowed = shadowing_problem(extra, self._interpreter)
        if shadowed is not None:
            return replace(found, problem=shadowed)
        return replace(found, target=target, why_frame=why_frame, notes=tuple(dict.fromkeys(notes)), extra_path=tuple(extra))

    def _deciding(self, crash: ReportedException, matched: Sequence[MatchedFrame], package: str) -> tuple[list[int], list[str]]:
        return deciding(matched, package, is_recursion(crash.type), with_libraries=not self._asked_package)

    def _match(self, frames: Sequence[ReportedFrame]) -> tuple[list[MatchedFrame], list[str]]:
        """Each frame against the environment, comprehensions as this interpreter compiles them, without secrets."""
        here, notes = _as_compiled_here(frames, self._interpreter)
        matched = self._matcher.match_all(here)
        if not inlines(self._interpreter.version):
            shows_columns = any(frame.columns is not None for one in self._report.exceptions for frame in one.frames)
            matched = self._matcher.with_comprehensions(matched, shows_columns)
        self._secrets.spare(written_out(self._secrets.known, [(one.module, one.path) for one in matched if is_own(one)]))
        return list(map(self._sifted, matched)), notes

    def _no_frames(self) -> ReportError:
        if self._crash.place is not None:
            return ReportError(
                f"{self._crash.type}: the report shows the place of the error in a text, but no call that led to it.",
                "Paste the whole traceback, with the frames above that place.",
            )
        return ReportError(
            f"{self._crash.type} has no frames in this report, so there is no call to reproduce.",
            _members_advice(self._crash) or "Paste the whole traceback, with its 'File' lines.",
        )

    def _package(self, matched: Sequence[MatchedFrame]) -> tuple[str, str]:
        """The package to blame, and why that."""
        if self._asked_package:
            return self._asked_package, "named with --package"
        inner = next((one for one in reversed(matched) if one.missing_package or (one.module and not one.stdlib)), None)
        if inner is not None and inner.missing_package:
            raise self._not_installed(inner.missing_package)
        own = innermost_own(matched)
        if own is not None and own is not inner:
            return own.module.partition(".")[0], "the innermost frame of your own code, which is not installed, belongs to it"
        called = called_library(matched, self._interpreter) if own is None else ""
        if inner is not None and called and called != inner.module.partition(".")[0]:
            return called, f"it was called, and led to the crash in {inner.module.partition('.')[0]}, which it needs"
        if inner is not None:
            where = "the innermost frame" if inner is matched[-1] else "the innermost frame outside the standard library"
            return inner.module.partition(".")[0], f"{where} belongs to it"
        if any(one.stdlib for one in matched):
            raise ReportError(
                "All frames found here belong to the standard library: there is no package of yours in this crash.",
                _members_advice(self._crash)
                or "Name the folder of your code with --path DIR, or take a module of the standard library with --package NAME.",
            )
        if not matched:
            raise ReportError(
                "All frames of the report are comprehensions, which have no frames of their own in the interpreter "
                f"{self._interpreter.executable}: no call that led to them is left.",
                "Paste the whole traceback, with the frames above them, or name the interpreter that crashed with --python.",
            )
        place = matched[-1].reported.path
        raise EnvironmentProblem(
            f"No frame of the report was found in the environment of {self._interpreter.executable} (such as {place}).",
            _members_advice(self._crash)
            or "Name the interpreter that has the package with --python, or the folder of the code with --path DIR.",
        )

    def _not_installed(self, package: str) -> EnvironmentProblem:
        top = package.partition(".")[0]
        version = reported_version(self._report, package, None)
        # An import name need not be that of a distribution: pip might fetch a stranger's package by it.
        known = self._report.environment is not None and version is not None
        what = f"pip install {top.replace('_', '-')}=={version}" if known else "install the distribution that provides it"
        return EnvironmentProblem(
            f"The package {package} is not installed for {self._interpreter.executable}.",
            f"Install the version that crashed there: {what}{'' if known else ' (it may have another name than the import)'}. "
            "Or name another interpreter with --python, or the folder of the code with --path.",
        )

    def _check(self, package: str, matched: Sequence[MatchedFrame], installed: Distribution | None, version: str | None) -> None:
        """The package has frames, and its innermost one, where it crashed, is found in the installed source."""
        own = [one for one in matched if belongs(one.module or one.missing_package, package)]
        if not own or (not own[-1].module and own[-1].missing_package):
            if not self._matcher.locator.installed(package):
                raise self._not_installed(package)
            others = dict.fromkeys(one.module.partition(".")[0] for one in matched if one.module and not one.stdlib)
            raise ReportError(
                f"The report has no frame of {package}.",
                f"Its frames belong to: {', '.join(others)}." if others else _members_advice(self._crash) or "See --package.",
            )
        if own[-1].frame is None:
            reported = own[-1].reported
            here = f" ({installed.name} {installed.version})" if installed else ""
            where = f"{own[-1].module}:{reported.line} in {reported.function}"
            raise EnvironmentProblem(
                f"The crash frame {where} cannot be placed{here}: {own[-1].reason}.",
                f"The report is from {installed.name} {version}: pip install {installed.name}=={version} there."
                if version and installed is not None and version != installed.version and not is_own(own[-1])
                else "crashwright needs the source of the version that crashed: check it out, or install it.",
            )

    def _target(
        self, crash: ReportedException, matched: Sequence[MatchedFrame], package: str, number: int | None
    ) -> tuple[CrashTarget, str]:
        """The target, and why its target frame is that one."""
        places, _ = self._deciding(crash, matched, package)
        if number is not None and not 1 <= number <= len(places):
            raise UsageError(
                f"There is no frame {number}: the report has {len(places)} of {package}.",
                f"--target-frame takes 1 (the crash) to {len(places)}.",
            )
        own = [place for place in places if belongs(matched[place].module, package)]
        start, why = outermost(matched, own, self._matcher.only_as_main)
        if number is not None:
            start, why = places[-number], f"frame {number} from the crash, named with --target-frame"
            if start not in own:  # the way in is a library's, since the user says so
                package = matched[start].module.partition(".")[0]
        target = CrashTarget(
            package=package,
            exception=crash.type,
            # A printed note cannot be told from a further line of the message: both count (core.message_rule.printed_message).
            message=self._secrets.text("\n".join((crash.message, *crash.notes))),
            frames=tuple(
                self._with_locals(one.frame, one.reported, place in places)
                for place, one in enumerate(matched)
                if place >= start and one.frame is not None
            ),
            call_sites=tuple(
                CallSite(one.source, one.function, one.local_values, library, module if library else "")
                for one, library, module in (
                    *((one, not is_own_path(one.path), "") for one in self._around(crash)),
                    *((one.reported, one.stdlib or not is_own_path(one.reported.path), one.module) for one in matched[:start]),
                )
                if one.source is not None
            ),
            frames_beyond=sum(place < start for place in places),
            beyond=tuple(
                one.frame.key for place, one in enumerate(matched) if place in places[: places.index(start)] and one.frame
            ),
            inlined=report_inlines(self._report),
            callbacks=tuple(_callbacks(matched[start:])),
            own_files=own_files(matched),
        )
        return target, why

    def _with_locals(self, frame: TargetFrame, reported: ReportedFrame, decides: bool) -> TargetFrame:
        # The frame that a comprehension has here alone is not the one whose locals the report shows.
        own = reported.function == frame.key.name or frame.key.name not in COMPREHENSIONS
        values = reported.local_values if own else {}
        return replace(frame, in_package=decides, local_values=values)

    def _sifted(self, one: MatchedFrame) -> MatchedFrame:
        frame = one.frame
        if frame is not None:
            frame = replace(frame, source=self._secrets.code(frame.source))
        return replace(
            one,
            reported=self._secrets.frame(one.reported),
            frame=frame,
            reason=self._secrets.text(one.reason),
            note=self._secrets.text(one.note),
        )

    def _cause(self, earlier: Sequence[ReportedException], package: str) -> CrashTarget | None:
        """The exception before, where it crashed in the package as well and is found here."""
        if not earlier:
            return None
        matched, _ = self._match(_rounds_left_out(earlier[-1]))
        if not any(one.frame is not None and belongs(one.module, package) for one in matched):
            return None
        target, _ = self._target(earlier[-1], matched, package, None)
        return replace(target, cause=self._cause(earlier[:-1], package))

    def _around(self, crash: ReportedException) -> list[ReportedFrame]:
        """The frames of the exceptions around ``crash``, outermost first: the call that led to it may be echoed there alone."""
        outer = self._report.outer if crash is self._crash else ()
        return [self._secrets.frame(frame) for one in reversed(outer) for frame in one.frames]

    def _led_here(self, package: str) -> Iterator[CodeKey]:
        """The functions of ``package`` that the exceptions around the crash came through."""
        matched, _ = self._match(self._around(self._crash))
        for one in matched:
            if one.frame is not None and belongs(one.module, package) and one.frame.key.qualname != "<module>":
                yield one.frame.key

    def _members(self, group: ReportedException) -> Iterator[GroupMember]:
        for crash in (member.crash for member in group.group):
            if crash.group:
                yield from self._members(crash)
                continue
            matched, _ = self._match(_rounds_left_out(crash))
            frame = next((one.frame for one in reversed(matched) if one.frame is not None and not one.stdlib), None)
            place = None if frame is None else FramePlace(os.path.realpath(frame.path), frame.line, frame.key.name)
            yield GroupMember(crash.type, self._secrets.text("\n".join((crash.message, *crash.notes))), place)

    def _notes(
        self,
        target: CrashTarget,
        matched: Sequence[MatchedFrame],
        package: str,
        version: str | None,
        installed: Distribution | None,
    ) -> list[str]:
        own = [one for one in matched if belongs(one.module, package)]
        notes = [one.note for one in own if one.note and one.frame is not None]
        notes += [f"frame {one.reported.path}:{one.reported.line} left out: {one.reason}" for one in own if one.frame is None]
        beyond = matched[-1]
        if beyond.frame is None and not belongs(beyond.module, package):
            notes.append(
                f"the innermost frame, {beyond.reported.path}:{beyond.reported.line}, is not part of the target: {beyond.reason}"
            )
        here, line = self._interpreter.version, target.frames[-1].source
        told = (python_note(self._report, here), message_note(self._report, line, here), version_note(version, installed))
        notes += [note for note in told if note]
        notes += _recursion_note(target)
        if self._secrets.note:
            notes.append(self._secrets.note)
        return notes


def _functions(matched: Sequence[MatchedFrame], places: Sequence[int]) -> tuple[CodeKey, ...]:
    return tuple(frame.key for place in places if (frame := matched[place].frame) is not None)


def _callbacks(matched: Sequence[MatchedFrame]) -> Iterator[Callback]:
    """The reporter's own functions between frames that were found. Of several that call each other in turn the first has the name,
    and the last calls what follows."""
    found = 0
    waiting: list[ReportedFrame] = []
    for one in matched:
        if one.frame is None:
            if not one.stdlib and is_own_path(one.reported.path):
                waiting.append(one.reported)
            continue
        first, last = (waiting[0], waiting[-1]) if waiting else (None, None)
        if first is not None and last is not None and last.source is not None and found:
            yield Callback(first.function, last.source, found - 1)
        waiting = []
        found += 1


def _rounds_left_out(crash: ReportedException) -> Sequence[ReportedFrame]:
    """The frames, those of a recursion only twice around: a stack of a thousand says no more."""
    if not is_recursion(crash.type):
        return crash.frames
    return folded(
        crash.frames,
        lambda frame: (frame.path, frame.line, frame.function),
        lambda frame, rounds: replace(frame, repeated=rounds),
        lambda frame: frame.repeated,
    )


def _as_compiled_here(frames: Sequence[ReportedFrame], interpreter: Interpreter) -> tuple[tuple[ReportedFrame, ...], list[str]]:
    """From 3.12 on a list comprehension runs in its function's own frame: that frame then stands on the comprehension's line."""
    if not inlines(interpreter.version):
        return tuple(frames), []
    kept: list[ReportedFrame] = []
    dropped = 0
    for frame in frames:
        if frame.function not in COMPREHENSIONS:
            kept.append(frame)
            continue
        dropped += 1
        if kept and kept[-1].path == frame.path:
            kept[-1] = replace(kept[-1], line=frame.line, source=frame.source, columns=frame.columns, anchor=frame.anchor)
    if not dropped:
        return tuple(kept), []
    plural = "s are" if dropped > 1 else " is"
    return tuple(kept), [f"{dropped} comprehension frame{plural} left out: Python {interpreter.version_text} has no such frames"]


def _recursion_note(target: CrashTarget) -> list[str]:
    """What a recursion is judged by."""
    cycle = cycle_frames(target.exception, target.package_frames)
    if not cycle:
        return []
    names = dict.fromkeys(f"{frame.key.qualname}:{frame.line}" for frame in cycle)
    return [f"a recursion: what counts is the cycle {' -> '.join(names)} and the way into it, not where the stack overflowed"]


def _members_advice(crash: ReportedException) -> str:
    """What to do where a group's own frames do not help: the crash is that of a member."""
    if not crash.group:
        return ""
    names = dict.fromkeys(member.crash.type for member in crash.group)
    return f"It is an exception group: choose the member that crashed ({', '.join(names)}) with --report-number; see explain."
