"""Where a search stands and why it may not have found the crash, in words for the user."""

from __future__ import annotations

import os
from collections.abc import Iterator

from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.goals.crash.frame_goal import Standing
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.search.crash_goals import guiding_frames
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.missed import Unmet, condition
from crashwright.engine.subject.source import Sources


def furthest_point(target: CrashTarget, score: CrashScore) -> str:
    """The deepest frame entered in the right chain, such as ``stock.py:88 Shelf._locate``."""
    frames = guiding_frames(target)
    if score.frames <= 0 or not frames:
        return f"{place(frames[0])} was not entered" if frames else ""
    frame = frames[min(score.frames, len(frames)) - 1]
    return f"{place(frame)} {_state(score, len(frames))}".strip()


def place(frame: TargetFrame) -> str:
    """A frame as users name it."""
    return f"{os.path.basename(frame.path)}:{frame.line} {frame.key.qualname}"


def hints(target: CrashTarget, best: Evaluation | None, unmet: Unmet | None = None) -> Iterator[str]:
    """Why it was not found, best guess first. ``unmet`` is the condition that no test met."""
    frames = guiding_frames(target)
    if best is None:
        yield "the budget ended while crashwright was still learning about the package, before it ran a test for the crash"
        return
    if best.score.frames <= 0:
        entry = frames[0].key.qualname if frames else target.package
        yield f"{entry} was never entered: no test had the arguments that it needs"
        return
    score = best.score
    frame = frames[min(score.frames, len(frames)) - 1]
    if score.level == 3:
        yield "all frames and the exception match, only the message differs"
    elif score.level:
        agreeing = f"{score.agreeing} of {len(target.package_frames)} frames match"
        yield f"{target.exception} was raised at the right line, but on another path ({agreeing})"
    state = _state(score, len(frames))
    if state:
        if score.frames < len(frames):
            state = state.replace("the next frame", frames[score.frames].key.qualname)
        yield f"{place(frame)} {state if unmet is None else f'was entered, but no test came to this line: {unmet.text}'}"


def unmet_condition(target: CrashTarget, best: Evaluation | None, sources: Sources) -> Unmet | None:
    """The condition that no test met in the deepest frame entered; None if something else stopped them."""
    frames = guiding_frames(target)
    if best is None or best.score.missed is None or best.score.level or not 0 < best.score.frames <= len(frames):
        return None
    return condition(frames[best.score.frames - 1], best.score.missed, sources)


def _state(score: CrashScore, frames: int) -> str:
    """Where it stands in the deepest frame entered."""
    if score.level:
        return ""
    if score.standing is Standing.WRONG_SIDE:
        return "was entered, but a condition on the way to this line was never met"
    if score.standing is Standing.STOPPED:
        return "was entered, but no test got as far as this line"
    if score.frames < frames:
        return "reached this line, but did not call the next frame"
    return "reached this line, but it did not raise the exception"
