"""Everything that can go wrong for a user's reason, with its exit code. Rendered only in ``reporting``."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The documented exit codes of the command line."""

    SUCCESS = 0
    NOT_FOUND = 1
    USAGE = 2
    ENVIRONMENT = 3
    PARTIAL = 4
    INTERNAL = 70
    INTERRUPTED = 130


class CrashwrightError(Exception):
    """``message`` says what happened, ``advice`` what to do next; both in plain words."""

    exit_code = ExitCode.USAGE

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice


class ReportError(CrashwrightError):
    """The report cannot be read, or has nothing to reproduce."""


class UsageError(CrashwrightError):
    """A flag or setting that makes no sense."""


class EnvironmentProblem(CrashwrightError):
    """The interpreter, package, version or import is not what the report needs."""

    exit_code = ExitCode.ENVIRONMENT


class NoTime(EnvironmentProblem):
    """The budget ended before a test was run: that says nothing of the crash, but it was not found."""

    exit_code = ExitCode.NOT_FOUND


class PreparationProblem(EnvironmentProblem):
    """What is set up before the subject can be called does not run."""


class SettingsMissing(EnvironmentProblem):
    """The package reads settings of its framework when it is imported, and there are none."""


class NoWayIn(EnvironmentProblem):
    """No test can enter by the chosen frame."""


class EngineFailure(CrashwrightError):
    """Our own engine failed: a defect of crashwright, not of the user's input. ``detail`` is for the report of it: a traceback."""

    exit_code = ExitCode.INTERNAL

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.detail = detail
