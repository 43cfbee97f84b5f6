"""A crash report as a target in the installed subject, or the error that says why there is none."""

from __future__ import annotations

from dataclasses import dataclass, field

from crashwright.core.errors import ReportError
from crashwright.core.preparation import Preparation
from crashwright.core.report import CrashReport, ReportedFrame
from crashwright.core.target import CrashTarget
from crashwright.crash.examine import ExaminedReport, examine
from crashwright.crash.ownership import is_own_path
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.environment.interpreter import Interpreter


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
    own: bool = False
    """The target is code of the user's own."""
    preparation: Preparation = field(default_factory=Preparation)

    @property
    def subject(self) -> str:
        """The package with its version, such as ``inventory 2.4.1``."""
        return f"{self.distribution} {self.version}".strip() if self.distribution else self.target.package


def resolve(
    report: CrashReport,
    interpreter: Interpreter,
    package: str | None = None,
    frame: int | None = None,
    secrets: SecretFilter | None = None,
) -> ResolvedCrash:
    """The crash of ``report`` (its last exception) as a target in the installed subject.

    ``package``: the import name that decides; by default the user's own code (``crash.ownership``), else
    the library that was called (``crash.called_library``). ``frame``: the
    target frame, counted among the package's frames from the crash (1); by default the outermost. ``secrets``: what every
    value of the report passes. Raises EnvironmentProblem where the package is not installed or another version is, ReportError
    where the report has nothing to reproduce, UsageError for a ``frame`` that is not there.
    """
    return resolved(examine(report, interpreter, package, frame, secrets))


def resolved(found: ExaminedReport) -> ResolvedCrash:
    """The crash that was examined. Raises the problem that stands in its way."""
    if found.problem is not None:
        raise found.problem
    if found.target is None:
        raise ReportError("There is nothing to reproduce in this report.")
    return ResolvedCrash(
        found.target,
        tuple(SkippedFrame(one.reported, one.reason) for one in found.frames if one.frame is None),
        found.notes,
        found.distribution.name if found.distribution else None,
        found.distribution.version if found.distribution else None,
        found.extra_path,
        is_own_path(found.target.package_frames[0].path),
    )
