"""What happens while a workflow runs, for whoever shows it. Frozen facts; the workflow never prints."""

from __future__ import annotations

from dataclasses import dataclass

from crashwright.core.messages import CandidateTried, Found, Incident, Progress, Ready
from crashwright.core.report import CrashReport
from crashwright.core.target import CrashTarget


@dataclass(frozen=True, slots=True)
class ReadingReport:
    """Reports are looked for in a long text, for ``seconds`` now."""

    characters: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ReportRead:
    """The report is parsed; ``index`` (as for ``--report-number``) of ``count`` reports in the text was taken."""

    report: CrashReport
    index: str
    count: int


@dataclass(frozen=True, slots=True)
class SubjectResolved:
    """The frames are matched to installed code. ``notes`` are for the user; ``subject`` is ``inventory 2.4.1``."""

    target: CrashTarget
    subject: str
    python: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Preparing:
    """The engine still imports the subject and reads its sources, for ``seconds`` now; or, where it ``runs`` tests already, it
    warms up and explores, and has nothing to tell of yet."""

    seconds: float
    runs: bool = False


@dataclass(frozen=True, slots=True)
class EngineStarted:
    """The engine has imported the subject and searches."""

    ready: Ready


@dataclass(frozen=True, slots=True)
class Searching:
    """Progress of the search; ``seconds_left`` of the whole command (None: unbounded)."""

    progress: Progress
    tests_per_second: float
    seconds_left: float | None


@dataclass(frozen=True, slots=True)
class BetterTest:
    """The engine found a better test."""

    found: Found


@dataclass(frozen=True, slots=True)
class RunJudged:
    """Fresh run ``run`` of a printed file came to ``level``."""

    level: int
    run: int


@dataclass(frozen=True, slots=True)
class CandidateRejected:
    """A printed file does not do what the engine saw; the search goes on where there is time."""

    reason: str


@dataclass(frozen=True, slots=True)
class SuggestionTried:
    """What somebody suggests was run as it is."""

    tried: CandidateTried


@dataclass(frozen=True, slots=True)
class Told:
    """Something that the user should know, in words."""

    text: str


@dataclass(frozen=True, slots=True)
class EngineIncident:
    """The engine met something that the user should know."""

    incident: Incident


@dataclass(frozen=True, slots=True)
class GoingInwards:
    """The search goes on from ``frame`` (counted from the crash), ``name``: it was not reproduced from ``outer``."""

    frame: int
    name: str
    outer: str


@dataclass(frozen=True, slots=True)
class Interrupted:
    """Ctrl-C: the best so far is being kept."""


Event = (
    ReadingReport
    | ReportRead
    | SubjectResolved
    | Preparing
    | EngineStarted
    | Searching
    | BetterTest
    | RunJudged
    | CandidateRejected
    | SuggestionTried
    | Told
    | EngineIncident
    | GoingInwards
    | Interrupted
)
