"""What is happening now, in words: the text behind the live line of a terminal and the plain lines of a pipe."""

from __future__ import annotations

from crashwright.core.messages import CandidateTried
from crashwright.workflows.events import (
    BetterTest,
    CandidateRejected,
    EngineIncident,
    EngineStarted,
    Event,
    GoingInwards,
    Interrupted,
    Preparing,
    ReadingReport,
    ReportRead,
    RunJudged,
    Searching,
    SubjectResolved,
    SuggestionTried,
    Told,
)

WARMING_UP = "warming up and running the first tests"
NOTABLE_SECONDS = 0.5
"""Warming up is told where it took so long."""


def status(event: Event) -> str:
    """One line for ``event``; empty where there is nothing to say."""
    match event:
        case ReportRead(count=count, index=index):
            return "" if count == 1 else f"the text has {count} reports; this is number {index} (--report-number N takes another)"
        case SubjectResolved():
            return "importing the package"
        case ReadingReport(characters, seconds):
            return f"looking for reports in {characters / 1e6:,.0f} MB of text: {seconds:.0f} s"
        case Preparing(seconds, runs):
            what = WARMING_UP if runs else "importing the package and reading its source code"
            return f"{what}: {seconds:.0f} s"
        case EngineStarted(ready):
            return f"searching from {ready.entry} (imported in {ready.import_seconds:.1f} s)"
        case Searching():
            return searching(event)
        case BetterTest(found):
            if found.level < 4 or found.minimised:
                return ""
            what = "making the test smaller" if found.settled else "searching for one closer to the report"
            return f"a test reproduces the crash; {what}"
        case RunJudged(level, run):
            return f"fresh run {run}: level {level} of 4"
        case CandidateRejected(reason):
            return f"a test does not hold in a fresh interpreter: {reason}"
        case SuggestionTried(tried):
            return f"candidate {tried.name}: {came_to(tried)}"
        case Told(text):
            return text
        case EngineIncident(incident):
            return incident.text
        case GoingInwards(frame, name, outer):
            return f"not reproduced from {outer}: now searching from frame {frame}, {name}"
        case Interrupted():
            return "interrupted: keeping the best test (press Ctrl-C again to stop at once)"


def came_to(tried: CandidateTried) -> str:
    """How near a candidate comes by itself."""
    if not tried.tests:
        return "no part of it can be run as a test"
    if tried.level == 4:
        return "reproduces the crash"
    frames = f"enters {tried.frames} of the report's frames" if tried.frames else "enters none of the report's frames"
    return f"{frames}, level {tried.level} of 4: the search continues from it" if tried.frames else f"{frames}; its values are used"


def searching(event: Searching) -> str:
    """Frames reached, best fitness, speed, time left."""
    progress = event.progress
    parts = [
        f"frames {progress.frames}/{progress.frames_total}",
        f"distance {progress.distance:.3g}",
        f"{progress.evaluations:,} tests",
        f"{event.tests_per_second:,.0f}/s",
    ]
    if progress.warm_up >= NOTABLE_SECONDS:
        parts.append(f"warmed up for {progress.warm_up:.1f} s")
    if event.seconds_left is not None:
        parts.append(f"{event.seconds_left:.0f} s left")
    if progress.furthest:
        parts.append(progress.furthest)
    return "  ".join(parts)
