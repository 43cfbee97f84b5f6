"""What pytest prints about the run itself: versions, last lines; and which frames are its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crashwright.core.report import ReportedEnvironment, ReportedFrame

_RULE = re.compile(r"=+ (?:FAILURES|ERRORS|test session starts|short test summary info) =+")
_SUMMARY = re.compile(r"(?:FAILED|ERROR) \S+\.py(?:::\S.*)?")
_PYTHON = re.compile(r"(?:platform|\[gw\d+\]) \S+ -- Python (?P<python>\d+\.\d+\.\d+[\w+]*)(?P<packages>(?:, [^\s,]+)*)")
_NAMED_VERSION = re.compile(r"(?P<name>[A-Za-z][\w.]*(?:-[A-Za-z][\w.]*)*)-(?P<version>\d\S*)")
_RUNNER = re.compile(r"(?:^|[/\\])(?:_pytest|pluggy)[/\\]")
_HANDOVER = frozenset({"pytest_pyfunc_call", "call_fixture_func", "_teardown_yield_fixture"})
"The functions of pytest that call the user's code. Plug-ins may stand between them and pytest's other frames."


def is_run(lines: Sequence[str]) -> bool:
    """Was this printed by pytest, frames or none?"""
    return any(_RULE.fullmatch(line.rstrip()) or _SUMMARY.fullmatch(line.rstrip()) for line in lines)


def environment(lines: Sequence[str]) -> ReportedEnvironment | None:
    """The versions in the head of the run. A plug-in is printed without ``pytest-`` in front, so that its name alone would be that
    of another distribution: it counts as one that begins with it."""
    python = None
    packages: dict[str, str] = {}
    for line in lines:
        match = _PYTHON.match(line)
        if match:
            python = python or match["python"]
            packages = {**_versions(match["packages"]), **packages}
        elif line.startswith("plugins: "):
            packages.update({f"pytest-{name}": version for name, version in _versions(line.partition(": ")[2]).items()})
    return ReportedEnvironment(python, packages) if python or packages else None


def _versions(listed: str) -> dict[str, str]:
    found = (_NAMED_VERSION.fullmatch(one.strip()) for one in listed.split(","))
    return {match["name"]: match["version"] for match in found if match}


def without_runner(frames: tuple[ReportedFrame, ...]) -> tuple[ReportedFrame, ...]:
    """The frames from the first one on that is not pytest's, which stand outside of all others."""
    start = 0
    for index, frame in enumerate(frames):
        own = _RUNNER.search(frame.path) is not None
        if own and (index == start or frame.function in _HANDOVER):
            start = index + 1
    return frames[start:] or frames
