"""Version skew: what a report tells about the Python and the package version that crashed, against what is installed here."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crashwright.core.comprehensions import COMPREHENSIONS, inlines
from crashwright.core.message_rule import plain_message
from crashwright.core.report import CrashReport, ReportedException
from crashwright.core.wordings import wording_note
from crashwright.environment.distributions import Distribution

_PYTHON = re.compile(r"[/\\][Pp]ython-?(\d)\.?(\d+)(?:\.\d+)?(?:-[\w.]+)?[/\\]|-py(\d)\.(\d+)(?:-[\w.]+)?\.egg[/\\]")
_EGG = re.compile(r"[/\\](?P<name>[\w.]+)-(?P<version>\d[\w.+!]*?)-py\d[\d.]*(?:-[\w.]+)?\.egg[/\\]")
_RELEASE = re.compile(r"(?P<name>[\w.-]+)@(?:v)?(?P<version>\d[\w.+!-]*)")
_NUMBERS = re.compile(r"(\d+)\.(\d+)")


def report_python(report: CrashReport) -> tuple[int, int] | None:
    """The Python version that crashed, by what the report says of its environment or by the paths of its frames."""
    stated = report.environment.python if report.environment is not None else None
    match = _NUMBERS.search(stated) if stated else None
    if match:
        return int(match[1]), int(match[2])
    found = {(int(match[1] or match[3]), int(match[2] or match[4])) for path in _paths(report) for match in _PYTHON.finditer(path)}
    return found.pop() if len(found) == 1 else None


def report_inlines(report: CrashReport) -> bool:
    """Whether the report is known to be of a Python without frames for comprehensions."""
    python = report_python(report)
    return python is not None and inlines(python)


def reported_version(report: CrashReport, package: str, distribution: Distribution | None) -> str | None:
    """The version of the package that crashed: from the environment of the report, its release, or the path of an egg."""
    names = {_normal(package.partition(".")[0]), _normal(distribution.name) if distribution is not None else ""}
    if report.environment is not None:
        for name, version in report.environment.packages.items():
            if _normal(name) in names:
                return version
    release = _RELEASE.fullmatch(report.environment.release or "") if report.environment is not None else None
    if release and _normal(release["name"]) in names:
        return release["version"]
    eggs = {match["version"] for path in _paths(report) for match in _EGG.finditer(path) if _normal(match["name"]) in names}
    return eggs.pop() if len(eggs) == 1 else None


def python_note(report: CrashReport, version: tuple[int, int, int]) -> str | None:
    """The sentence on another Python than that of the report; None where it is the same, or not known."""
    here = ".".join(map(str, version))
    python = report_python(report)
    if python is not None:
        return None if python == version[:2] else f"the report is from Python {python[0]}.{python[1]}, the subject runs on {here}"
    if inlines(version) and any(frame.function in COMPREHENSIONS for one in report.exceptions for frame in one.frames):
        return f"the report is from Python 3.11 or older, the subject runs on {here}"
    return None


def message_note(report: CrashReport, crash_line: str, version: tuple[int, int, int]) -> str | None:
    """The sentence on a message that Python words otherwise here; None where it does not, or where the code on ``crash_line``
    words it itself."""
    if crash_line.lstrip().startswith(("raise ", "assert ")) or report_python(report) == version[:2]:
        return None
    crash = report.crash
    return wording_note(crash.type, plain_message(crash.type, crash.message), version[:2]) or None


def version_note(reported: str | None, installed: Distribution | None) -> str | None:
    """The sentence on another version of the package than that of the report."""
    if reported is None or installed is None or not installed.version or reported == installed.version:
        return None
    return f"the report is from {installed.name} {reported}, installed is {installed.version}"


def _paths(report: CrashReport) -> Iterator[str]:
    waiting: list[ReportedException] = list(report.exceptions)
    while waiting:
        one = waiting.pop()
        yield from (frame.path for frame in one.frames)
        waiting += [member for group in one.group for member in group.exceptions]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
