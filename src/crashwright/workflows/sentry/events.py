"""The events of a Sentry project, each in a file of its own for a batch: the newest one of each issue, or those of one issue."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from crashwright.core.errors import ReportError, UsageError
from crashwright.crash.readers.json_text import Json, text_field
from crashwright.workflows.sentry.web_api import NotThere, WebApi

_SLUGS = re.compile(r"([A-Za-z0-9_][\w.-]{0,99})/([A-Za-z0-9_][\w.-]{0,99})", re.ASCII)
_IDENTITY = re.compile(r"[A-Za-z0-9]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class WantedEvents:
    """``project`` is ORG/PROJECT. ``issue`` is its number: that one's events, else the newest of each issue that ``query`` finds
    (Sentry's own default where it is empty). ``most`` bounds their number. Raises UsageError."""

    project: str
    issue: str = ""
    query: str = ""
    most: int = 100

    def __post_init__(self) -> None:
        if not _SLUGS.fullmatch(self.project):
            raise UsageError(f"{self.project!r} is not ORG/PROJECT.", "Both are in the addresses of Sentry's pages: acme/shop.")
        if self.issue and not re.fullmatch(r"[0-9]{1,20}", self.issue, re.ASCII):
            raise UsageError(f"--issue {self.issue!r}: not a number.", "It is the number in the address of the issue's page.")
        if self.issue and self.query:
            raise UsageError("--query finds issues, and --issue names one.", "Leave out one of the two.")
        if self.most < 1:
            raise UsageError(f"--limit {self.most}: must be more than 0.", "Leave out --limit to use its default.")


@dataclass(frozen=True, slots=True)
class Fetched:
    """``names`` says what each file is to be called. ``gone`` issues or events were listed, but are not there any more."""

    names: dict[str, str]
    gone: int = 0


def fetch(api: WebApi, wanted: WantedEvents, folder: Path) -> Fetched:
    """Write the events to ``folder``, dated as they happened. Raises CrashwrightError, also where there is none."""
    names: dict[str, str] = {}
    gone = 0
    for number, (path, issue) in enumerate(_paths(api, wanted), 1):
        try:
            body = api.text(path)
        except NotThere:
            gone += 1  # deleted meanwhile, or older than what is kept
            continue
        event = api.value(body)
        identity = _identity(api, event, "eventID", "id")
        file = folder / f"{number:05}.json"
        file.write_bytes(body)
        if (happened := _time(event)) is not None:
            os.utime(file, (happened, happened))
        names[str(file)] = f"{wanted.project}/issues/{issue}/events/{identity}"
    if not names:
        what = f"Issue {wanted.issue} of {wanted.project}" if wanted.issue else wanted.project
        raise ReportError(f"{what} has no events to reproduce.", "Without --query, issues that are unresolved are looked at.")
    return Fetched(names, gone)


def _paths(api: WebApi, wanted: WantedEvents) -> Iterator[tuple[str, str]]:
    """Where the events are, each with the number of its issue."""
    if wanted.issue:
        for event in _first(api.listed(f"issues/{wanted.issue}/events/"), wanted.most):
            yield f"projects/{wanted.project}/events/{_identity(api, event, 'eventID', 'id')}/", wanted.issue
        return
    query = [("query", wanted.query)] if wanted.query else []
    for issue in _first(api.listed(f"projects/{wanted.project}/issues/", *query), wanted.most):
        identity = _identity(api, issue, "id")
        yield f"issues/{identity}/events/latest/", identity


def _first(values: Iterator[Json], most: int) -> Iterator[Json]:
    """No page more than is needed is asked for."""
    for number, value in enumerate(values, 1):
        yield value
        if number == most:
            return


def _identity(api: WebApi, value: Json, *names: str) -> str:
    """It becomes a part of an address and of a name."""
    found = text_field(value, *names)
    if not _IDENTITY.fullmatch(found):
        api.nonsense("an issue or event has no id")
    return found


def _time(event: Json) -> float | None:
    """When it happened, in seconds since 1970."""
    try:
        return datetime.fromisoformat(text_field(event, "dateCreated", "dateReceived")).timestamp()
    except (ValueError, OverflowError, OSError):
        return None
