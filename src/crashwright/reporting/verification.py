"""The answer of ``verify`` in labelled rows."""

from __future__ import annotations

from collections.abc import Iterator

from crashwright.finishing.crash.header import visible
from crashwright.reporting.story import StoryRow
from crashwright.workflows.inquiries.verification import FixedResult, FixVerdict, TestVerdict, VerifyAnswer, VerifyResult

_MOODS = {VerifyAnswer.REPRODUCES: "good", VerifyAnswer.FIXED: "good"}
_MOST_TESTS = 20


def verification_rows(result: VerifyResult) -> list[StoryRow]:
    """The whole answer."""
    message = visible(result.message)
    return [
        StoryRow("crash", f"{result.exception}: {message}" if message else result.exception),
        StoryRow("", result.place),
        StoryRow("subject", f"{result.subject}; Python {result.python}; {_runner(result)}"),
        *(StoryRow("", note, "dim") for note in result.notes),
        *_test_rows(result),
        StoryRow("answer", _answer(result), _MOODS.get(result.answer, "bad")),
        *([StoryRow("", result.chain, "dim")] if result.chain else []),
        *([] if result.fixed is None else [StoryRow("fixed", fixed_text(result.fixed), _mood(result.fixed))]),
        *([] if result.fixed is None else [StoryRow("verdict", str(result.verdict), _mood(result.fixed))]),
    ]


def fixed_text(fixed: FixedResult) -> str:
    """What the test does on the fixed side."""
    runs = len(fixed.outcomes)
    detail = f" ({visible(fixed.detail)})" if fixed.detail else ""
    if fixed.verdict is FixVerdict.UNSTABLE:
        return f"on {fixed.side}: {', '.join(fixed.outcomes)}"
    return f"on {fixed.side} it {fixed.outcome}{detail}, {runs} of {runs} fresh run{'s' if runs > 1 else ''}"


def _mood(fixed: FixedResult) -> str:
    return {FixVerdict.FAIL_TO_PASS: "good", FixVerdict.FAIL_TO_OTHER: "plain"}.get(fixed.verdict, "bad")


def _runner(result: VerifyResult) -> str:
    return "pytest" if result.runner == "pytest" else "without pytest, which is not installed there"


def _test_rows(result: VerifyResult) -> Iterator[StoryRow]:
    for number, test in enumerate(result.tests[:_MOST_TESTS]):
        yield StoryRow("" if number else "tests", _test_text(test), "plain" if test.name == result.test else "dim")
    if len(result.tests) > _MOST_TESTS:
        yield StoryRow("", f"... {len(result.tests) - _MOST_TESTS} more ...", "dim")


def _test_text(test: TestVerdict) -> str:
    level = f"level {test.level} of 4" if test.level else "no such crash"
    raised = f"   {visible(test.raised)}" if test.raised else ""
    return f"{test.name}   {test.outcome or 'did not end'}   {level}{raised}"


def _answer(result: VerifyResult) -> str:
    detail = visible(result.detail)
    match result.answer:
        case VerifyAnswer.REPRODUCES:
            frames = {1: "the frame", 2: "both frames"}.get(result.frames_total, f"all {result.frames_total} frames")
            runs = len(result.levels)
            near = f"; a near miss: {visible(result.near_miss)}" if result.near_miss else ""
            return f"{result.test} reproduces the crash: {frames}, same message, {runs} of {runs} fresh runs{near}"
        case VerifyAnswer.PARTIAL:
            level = f"level {result.level} of 4: " if result.level else ""
            return f"{result.test} reproduces part of the crash: {level}{detail}"
        case VerifyAnswer.UNSTABLE:
            return f"{result.test} reproduces the crash in some runs only: {detail}"
        case VerifyAnswer.FIXED:
            return f"no longer crashes with {result.subject}: fixed, or not reached by this test ({detail})"
        case VerifyAnswer.OTHERWISE:
            return f"another crash: {result.test} raises {detail}"
        case _:
            return f"does not run: {detail}"
