"""The story of a run in a screenful: labelled rows of text, for the terminal and for a pipe alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crashwright.core.errors import ExitCode
from crashwright.core.messages import CandidateTried, Confined
from crashwright.core.target import CrashTarget
from crashwright.finishing.crash.after_fix import AfterFix, FixOutcome
from crashwright.finishing.crash.header import visible
from crashwright.finishing.naming import function_name, module_file
from crashwright.reporting.progress import came_to
from crashwright.reporting.pytest_command import pytest_command
from crashwright.workflows.reproduce.result import OWN, InnerResult, PrintedResult, Result

_GAP = "   "
_MOST_FRAMES = 6
_MOST_CANDIDATES = 8
_MOST_REFUSALS = 3
_REFUSED = "crashwright refused to "


class StoryRow(NamedTuple):
    """``label`` is empty where the row goes on; ``mood`` is good, bad, dim or plain."""

    label: str
    text: str
    mood: str = "plain"


def crash_rows(target: CrashTarget) -> list[StoryRow]:
    """What crashed, and the way to it."""
    frames = target.package_frames
    crash = frames[-1]
    total = len(frames) + target.frames_beyond
    names = [function_name(frame) for frame in reversed(frames)]
    if len(names) > _MOST_FRAMES:
        names[_MOST_FRAMES - 2 : -1] = [f"... {len(names) - _MOST_FRAMES + 1} more ..."]
    way = "  <-  ".join(names)
    message = visible(target.message)
    shown = message if len(message) <= 200 else message[:197] + "..."
    return [
        StoryRow("crash", f"{target.exception}: {shown}" if shown else target.exception),
        StoryRow("", f"{module_file(crash)}:{crash.line}  {way}{_GAP}(target: frame {len(frames)} of {total})"),
    ]


def subject_rows(subject: str, python: str, notes: tuple[str, ...]) -> list[StoryRow]:
    """What it is reproduced in."""
    same = "" if notes else ", same lines as the report"
    return [StoryRow("subject", f"{subject}{same}; Python {python}"), *(StoryRow("", note, "dim") for note in notes)]


def result_rows(result: Result, whole: bool = False) -> list[StoryRow]:
    """How the search went and what came of it; long lists are shortened, unless it is to be the ``whole`` story."""
    rows = [_search_row(result)]
    rows += [StoryRow("" if number else "earlier", text, "dim") for number, text in enumerate(result.remembered)]
    rows += [
        StoryRow("" if number else "candidates", text, "dim") for number, text in enumerate(_tried(_searched_from(result), whole))
    ]
    rows += _inwards_rows(result)
    if result.test is not None:
        rows.append(_test_row(result.test))
        if result.test.after_fix is not None:
            rows.append(_fixed_row(result.test.after_fix))
        if result.test.wording:
            rows.append(StoryRow("", f"the same message in other words: {visible(result.test.wording)}", "dim"))
        if result.test.chain:
            rows.append(StoryRow("", result.test.chain, "dim"))
    rows += _confinement_rows(result)
    rows += incident_rows(result.incidents, whole)
    rows += [StoryRow("rejected", text, "dim") for text in result.rejected]
    if result.exit_code is not ExitCode.SUCCESS:
        rows += _missing_rows(result)
    rows += _file_rows(result)
    return rows


def _confinement_rows(result: Result) -> list[StoryRow]:
    """What held the subject; and, where that may be why it does not crash, what its import was refused."""
    return confinement_rows(result.confined, refusals=result.exit_code is not ExitCode.SUCCESS)


def incident_rows(incidents: Sequence[str], whole: bool = False) -> list[StoryRow]:
    """What happened on the way. Of refusals the first ones tell: random file names are refused by the dozen."""
    refused = [text for text in incidents if text.startswith(_REFUSED)]
    spare = frozenset(() if whole else refused[_MOST_REFUSALS:])
    rows = [StoryRow("", text, "dim") for text in incidents if text not in spare]
    more = f"and {len(refused) - _MOST_REFUSALS} more refusals; --verbose lists all"
    return [*rows, StoryRow("", more, "dim")] if spare else rows


def confinement_rows(confined: Confined, refusals: bool) -> list[StoryRow]:
    """What held the engine, and what it refused the import."""
    held = [StoryRow("confined", confined.text, "dim")] if confined.text else []
    return [*held, *(StoryRow("", text, "dim") for text in (confined.refusals if refusals else ()))]


def _search_row(result: Result) -> StoryRow:
    if result.test is not None and result.test.as_written:
        good = result.exit_code is ExitCode.SUCCESS
        own = result.test.origin == OWN
        words = f"{result.test.as_written} already shows it" if own else f"{result.test.as_written}, run as it is"
        return StoryRow("your test" if own else "candidate", f"{words}: {_reach(result)}", "good" if good else "bad")
    seconds = f"{result.timing.search:.1f} s"
    parts = [_reach(result), seconds, _tests(result.evaluations), f"seed {result.seed}"]
    if result.test is not None and result.test.origin and result.test.level > 0:
        parts.append(f"started from: {result.test.origin}")
    return StoryRow("search", _GAP.join(parts), "good" if result.exit_code is ExitCode.SUCCESS else "bad")


def _tests(number: int) -> str:
    return f"{number:,} test{'' if number == 1 else 's'}"


def _reach(result: Result) -> str:
    total = result.frames_total
    if result.test is not None and result.test.level == 4:
        frames = {1: "the frame", 2: "both frames"}.get(total, f"all {total} frames")
        return f"{frames}, same message" + (f", a near miss: {result.test.near_miss}" if result.test.near_miss else "")
    if result.exit_code is ExitCode.INTERRUPTED:
        return f"interrupted: {result.frames_reached} of {total} frames"
    if result.exit_code is ExitCode.PARTIAL:
        return f"partial: {result.test.missing if result.test else ''}"
    return f"not reproduced: {result.frames_reached} of {total} frames entered"


def _searched_from(result: Result) -> tuple[CandidateTried, ...]:
    """The candidates that are told of: not the one that is the test."""
    proved = "" if result.test is None else result.test.as_written
    return tuple(one for one in result.candidates if one.name != proved)


def _tried(candidates: tuple[CandidateTried, ...], whole: bool) -> list[str]:
    """What came of those that came nearest."""
    best = sorted(candidates, key=lambda one: (-one.level, -one.frames))[: None if whole else _MOST_CANDIDATES]
    more = [f"... {len(candidates) - len(best)} more ..."] if len(candidates) > len(best) else []
    return [*(f"{one.name}: {came_to(one)}" for one in best), *more]


def _inwards_rows(result: Result) -> list[StoryRow]:
    """What came of the searches from frames further in, and how far that from the chosen one had come."""
    return [StoryRow("" if number else "inwards", _inside(one)) for number, one in enumerate(result.inwards)]


def _inside(one: InnerResult) -> str:
    if one.problem:
        return f"frame {one.frame}, {one.name}: {one.problem}"
    if one.reproduced:
        what = "reproduced"
    elif one.missing:
        what = f"not reproduced: {one.missing}"
    else:
        what = f"not reproduced: {one.frames_reached} of {one.frame} frames entered"
    return f"frame {one.frame}, {one.name}: {what}{_GAP}{one.seconds:.1f} s{_GAP}{_tests(one.evaluations)}"


def _test_row(test: PrintedResult) -> StoryRow:
    runs = len(test.levels)
    agreeing = sum(level == test.level for level in test.levels)
    verified = f"verified {agreeing} of {runs} fresh run{'s' if runs != 1 else ''}"
    if test.runner != "pytest":
        verified += " (without pytest, which is not installed there)"
    size = (
        f"{test.statements_found} -> {test.statements} statements"
        if test.statements_found != test.statements
        else f"{test.statements} statement{'s' if test.statements != 1 else ''}"
    )
    if test.as_written:
        return StoryRow("verified", f"{verified.removeprefix('verified ')}{_GAP * 2}{test.legality}")
    return StoryRow("minimised", f"{size}{_GAP * 2}{verified}{_GAP * 2}arguments: {test.legality}")


def _fixed_row(after: AfterFix) -> StoryRow:
    """What the test does with the fix."""
    detail = f" ({visible(after.detail)})" if after.detail else ""
    green = after.outcome is FixOutcome.PASSES
    return StoryRow("fixed", f"with the fix it {after.outcome}{detail}", "good" if green else "bad")


def _missing_rows(result: Result) -> list[StoryRow]:
    hints = [hint for number, hint in enumerate(result.hints) if number == 0 or hint != result.furthest]
    place = " ".join(result.furthest.split()[:2])
    told = not place or not hints or any(hint.startswith(place) for hint in hints)
    rows = [] if told else [StoryRow("furthest", result.furthest)]
    rows += [StoryRow("why" if number == 0 else "", hint) for number, hint in enumerate(hints or _told_otherwise(result))]
    rows += [StoryRow("or" if number else "try next", advice) for number, advice in enumerate(result.advice)]
    return rows


def _told_otherwise(result: Result) -> list[str]:
    """Why nothing was found, if the search itself says no more than how far it came."""
    if result.furthest:
        return [result.furthest]
    if result.exit_code is not ExitCode.NOT_FOUND:
        return []
    if result.rejected:
        return ["tests raised the exception during the search, but not in fresh interpreters"]
    frame = result.target.package_frames[0]
    return [f"no test entered {function_name(frame)} ({module_file(frame)}:{frame.line})"]


def _file_rows(result: Result) -> list[StoryRow]:
    test = result.test
    if test is None:
        return []
    if not test.file:
        unsaved = result.exit_code is ExitCode.ENVIRONMENT
        return [StoryRow("not written", result.notes[-1] if result.notes else "", "bad"), *_text_rows(test)] if unsaved else []
    marked = "" if test.level == 4 else f"  (PARTIAL: enters at frame {test.frame})" if test.frame else "  (PARTIAL)"
    wrote = StoryRow(
        "wrote", f"{test.file}{marked}{_GAP * 2}try it:  {try_command(result)}", "good" if test.level == 4 else "plain"
    )
    return [wrote, StoryRow("", f"it replaced {visible(test.replaced)}", "dim")] if test.replaced else [wrote]


def _text_rows(test: PrintedResult) -> list[StoryRow]:
    return [StoryRow("", line) for line in test.text.splitlines()]


def try_command(result: Result) -> str:
    """The command that runs the written test, with the subject's folders where it is not installed."""
    test = result.test
    file, has_pytest = ("", True) if test is None else (test.file, test.runner == "pytest")
    return pytest_command([file], result.interpreter, result.import_path, has_pytest)
