"""An explanation in labelled rows: the report, its frames, the subject, what would be searched or why nothing would be."""

from __future__ import annotations

import os
from collections.abc import Iterator

from crashwright.finishing.crash.header import visible
from crashwright.reporting.story import StoryRow
from crashwright.workflows.inquiries.explanation import Conditions, ExplainedFrame, Explanation, SearchPlan, Wants

_MOST_FRAMES = 30
_MOST_POINTS = 4
_MOST_PARTS, _MOST_FACTS = 8, 8
_SKEW = "the report is from "
_PACKAGES = ("/site-packages/", "/dist-packages/")
_ROLES = {
    "target": "the target frame: a test enters here",
    "crash": "the crash",
    "path": "on the path",
    "between": "another package, in between",
    "beyond": "called by the crash frame",
    "caller": "calls the target",
    "missing": "",
}


def explanation_rows(explanation: Explanation) -> list[StoryRow]:
    """The whole explanation."""
    return [
        *_report_rows(explanation),
        *_frame_rows(explanation),
        *_subject_rows(explanation),
        *(_search_rows(explanation.search) if explanation.search is not None else ()),
        *(_want_rows(explanation.wants) if explanation.wants is not None else ()),
        *(_condition_rows(explanation.conditions) if explanation.conditions is not None else ()),
        *_verdict_rows(explanation),
    ]


def _report_rows(explanation: Explanation) -> Iterator[StoryRow]:
    for number, report in enumerate(explanation.reports):
        mark = "*" if report.chosen else " "
        text = f"{mark} {report.index:<4} {visible(report.text)}"
        yield StoryRow(
            "" if number else "reports",
            text + ("   (explained here)" if report.chosen else ""),
            "plain" if report.chosen else "dim",
        )
    message = visible(explanation.message)
    yield StoryRow("crash", f"{explanation.exception}: {message}" if message else explanation.exception)
    for number, line in enumerate(explanation.chain):
        yield StoryRow("" if number else "before it", visible(line), "dim")


def _frame_rows(explanation: Explanation) -> Iterator[StoryRow]:
    """Outermost first, as Python prints them; repetitions of recursion are folded."""
    shown = list(_folded(explanation.frames))
    if len(shown) > _MOST_FRAMES:
        left_out = len(shown) - _MOST_FRAMES
        half = _MOST_FRAMES // 2
        shown[half : half + left_out] = [(None, left_out)]
    for number, (frame, count) in enumerate(shown):
        label = "" if number else "frames"
        if frame is None:
            yield StoryRow(label, f"     ... {count} more ...", "dim")
            continue
        yield StoryRow(label, _frame_text(frame, count), _mood(frame))
        if frame.note:
            yield StoryRow("", f"     {frame.note}", "dim")


def _folded(frames: tuple[ExplainedFrame, ...]) -> Iterator[tuple[ExplainedFrame | None, int]]:
    run: list[ExplainedFrame] = []
    for frame in frames:
        if run and (frame.reported, frame.place, frame.reason) != (run[0].reported, run[0].place, run[0].reason):
            yield run[-1], len(run)
            run = []
        run.append(frame)
    if run:
        yield run[-1], len(run)


def _frame_text(frame: ExplainedFrame, count: int) -> str:
    number = f"{frame.level:>3}  " if frame.level else "  -  "
    times = f"   ({count + frame.repeated} times)" if count + frame.repeated > 1 else ""
    if not frame.place:
        return f"{number}{frame.reported} in {frame.function}   not found: {frame.reason}{times}"
    role = "in the standard library" if frame.stdlib else _ROLES[frame.role]
    if frame.role == "crash" and frame.level == 1:
        role = "the crash"
    moved = f" (line {frame.reported.rpartition(':')[2]} in the report)" if frame.moved else ""
    return f"{number}{_relative(frame.place)}{moved}  {frame.code.partition(':')[2]}   {role}{times}"


def _mood(frame: ExplainedFrame) -> str:
    if frame.role in ("target", "crash", "path"):
        return "plain"
    return "bad" if frame.role == "missing" and frame.level else "dim"


def _relative(place: str) -> str:
    """Below the current folder, or the folder of installed packages, without it."""
    for folder in _PACKAGES:
        place = place.rpartition(folder)[2]
    return place.removeprefix(os.getcwd() + os.sep)


def _subject_rows(explanation: Explanation) -> Iterator[StoryRow]:
    if explanation.executable:
        where = f"Python {explanation.python} at {explanation.executable}"
        yield StoryRow("subject", f"{explanation.subject}; {where}" if explanation.subject else where)
    told = [f"Python {explanation.reported_python}"] if explanation.reported_python else []
    if explanation.reported_version:
        told.append(f"{explanation.package} {explanation.reported_version}")
    if told and not any(note.startswith(_SKEW) for note in explanation.notes):
        yield StoryRow("" if explanation.executable else "subject", f"the report is from {', '.join(told)}", "dim")
    shown = {frame.note for frame in explanation.frames}
    for note in explanation.notes:
        if note not in shown:
            yield StoryRow("", note, "dim")
    if explanation.package:
        yield StoryRow("package", f"{explanation.package}: {explanation.why_package}")
    if explanation.why_frame:
        frame = next((one for one in explanation.frames if one.role == "target"), None) or next(
            (one for one in explanation.frames if one.role == "crash"), None
        )
        if frame is not None:
            total = max(one.level for one in explanation.frames)
            yield StoryRow("target", f"{frame.code.partition(':')[2]}, frame {frame.level} of {total}: {explanation.why_frame}")


def _search_rows(plan: SearchPlan) -> Iterator[StoryRow]:
    guess = "" if plan.sure else "   (according to the source code; confirmed when the package is imported)"
    yield StoryRow("way in", f"{plan.entry}: {plan.how}{guess}" if plan.entry else plan.how, "plain" if plan.entry else "bad")
    yield StoryRow("search for", f"{plan.exception} at that line, through the same frames; message: {visible(plan.rule)}")
    for number, function in enumerate(plan.instrumented):
        yield StoryRow("" if number else "watched", function)
    seeds = [f"call  {visible(source)}" for source in plan.echoed]
    seeds += [f"value  {', '.join(plan.literals)}"] if plan.literals else []
    seeds += [f"local  {visible(value)}" for value in plan.local_values]
    for number, seed in enumerate(seeds or ["none in the report"]):
        yield StoryRow("" if number else "seeds", seed)


def _want_rows(wants: Wants) -> Iterator[StoryRow]:
    """Each parameter with what is wanted of it, then why."""
    for number, one in enumerate(wants.parameters):
        types = " or ".join(one.types) or "not known"
        called = one.code.partition(":")[2]
        yield StoryRow("" if number else "wants", f"{one.name} of {called}: {visible(types)}")
        for part in one.parts[:_MOST_PARTS]:
            yield StoryRow("", f"       {visible(part)}")
        for fact in one.facts[:_MOST_FACTS]:
            where = f"   ({_relative(fact.line)})" if fact.line else ""
            yield StoryRow("", f"       {visible(fact.text)}{where}", "plain" if fact.is_on_path else "dim")
        left = max(0, len(one.parts) - _MOST_PARTS) + max(0, len(one.facts) - _MOST_FACTS)
        if left:
            yield StoryRow("", f"       and {left} more (--json)", "dim")
    if wants.reason:
        yield StoryRow("wants", f"nothing: {wants.reason}", "dim")


def _condition_rows(conditions: Conditions) -> Iterator[StoryRow]:
    """From the crash outwards: what must hold at each entry."""
    for number, frame in enumerate(conditions.frames):
        others = f"   (the simplest of {frame.other_ways + 1} ways)" if frame.other_ways else ""
        yield StoryRow("" if number else "happens if", f"{frame.level:>3}  in {frame.code.partition(':')[2]}{others}")
        for text, lines in zip(frame.always, frame.always_lines, strict=True):
            yield StoryRow("", f"       {visible(text)}   ({lines})")
        indent = "  " if frame.telling and (frame.always or frame.is_example) else ""
        if indent:
            shown = f" (in runs {frame.crashed} of {frame.tried} such calls crashed here)" if frame.tried else ""
            lead = "on one way there, of which not all is analysed" if frame.open_points else f"for example{shown}"
            yield StoryRow("", f"       {'and, ' if frame.always else ''}{lead}:")
        for place in frame.telling:
            yield StoryRow("", f"       {indent}{visible(frame.conditions[place])}   ({frame.lines[place]})")
        if not frame.telling and not frame.always:
            yield StoryRow("", "       it is entered")
        left = len(frame.conditions) - len(frame.telling)
        if left:
            yield StoryRow("", f"       and {left} more (--json)", "dim")
        if frame.open_points:
            shown = ", ".join(map(visible, frame.open_points[:_MOST_POINTS]))
            more = len(frame.open_points) - _MOST_POINTS
            rest = f" and {more} more" if more > 0 else ""
            where = f"   ({'; '.join(frame.open_lines[:_MOST_POINTS])})" if frame.open_lines else ""
            yield StoryRow("", f"       not analysed: {shown}{rest}{where}", "dim")
    if conditions.runs:
        left = sum(len(frame.contradicted) for frame in conditions.frames)
        left += sum(bool(frame.tried and not frame.crashed) for frame in conditions.frames)
        rest = f"; left out, because a run contradicts it: {left}" if left else "; none contradicts them"
        yield StoryRow("checked", f"against {conditions.runs:,} runs of these functions{rest}", "dim")
    elif conditions.unchecked:
        yield StoryRow("not checked", f"against runs: {conditions.unchecked}", "dim")
    if conditions.reason:
        yield StoryRow("" if conditions.frames else "happens if", f"not known {conditions.reason}", "dim")


def _verdict_rows(explanation: Explanation) -> Iterator[StoryRow]:
    if explanation.problem is None:
        yield StoryRow("verdict", f"can be searched:  {explanation.command}", "good")
        return
    yield StoryRow("verdict", f"cannot be searched: {explanation.problem.message}", "bad")
    if explanation.problem.advice:
        yield StoryRow("try next", explanation.problem.advice)
