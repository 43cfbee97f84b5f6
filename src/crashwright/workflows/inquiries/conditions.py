"""Under which conditions the crash happens, frame by frame: the walk back from it, asked of a child process and told in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from crashwright.core.location import CodeKey
from crashwright.core.precondition import Precondition
from crashwright.core.target import CrashTarget
from crashwright.symbolic.execution.search_job import PreconditionSearch, Question
from crashwright.symbolic.wording.preconditions import Condition, worded

SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class FrameConditions:
    """What must hold when ``code`` is entered for the crash to happen, on one way. ``lines`` says for each condition where it comes
    from; ``open_points`` what was not modelled on that way; ``other_ways`` how many more were found."""

    level: int
    code: str
    conditions: tuple[str, ...]
    lines: tuple[str, ...]
    open_points: tuple[str, ...] = ()
    other_ways: int = 0


@dataclass(frozen=True, slots=True)
class Conditions:
    """From the crash outwards. ``reason``: why there are none, or none further out."""

    frames: tuple[FrameConditions, ...] = ()
    reason: str = ""


def conditions_of(target: CrashTarget, version: tuple[int, int], seconds: float = SECONDS) -> Conditions:
    """The conditions of each frame, as far as they are found in time. Nothing of the subject is run."""
    try:
        sources = {one.key.module: Path(one.path).read_text(encoding="utf-8") for one in target.package_frames}
    except (OSError, UnicodeError) as error:
        return Conditions(reason=f"the source cannot be read: {error}")
    try:
        with PreconditionSearch(Question(target, sources, version, seconds)) as search:
            found = list(search.found())
            _, reason = search.ending
    except OSError as error:
        return Conditions(reason=f"no process can be started for it: {error}")
    frames = tuple([_of_level(found, level) for level in sorted({one.level for one in found})])
    return Conditions(frames, _reason(target, frames, reason))


def _of_level(found: Sequence[Precondition], level: int) -> FrameConditions:
    """The plainest way: the one of which most is modelled, and least is asked."""
    ways = [(one, worded(one)) for one in found if one.level == level]
    plainest, conditions = min(ways, key=lambda way: (len(way[0].unmodelled), len(way[1])))
    return FrameConditions(
        level,
        f"{plainest.function.module}:{plainest.function.qualname}",
        tuple([one.text for one in conditions]),
        tuple([_lines(one, plainest.function) for one in conditions]),
        plainest.unmodelled,
        len(ways) - 1,
    )


def _lines(condition: Condition, function: CodeKey) -> str:
    """Such as ``line 4; line 9 of helper``."""
    places = [
        f"line {one.line}" if one.function == function.qualname else f"line {one.line} of {one.function}"
        for one in condition.origins
    ]
    return "; ".join(dict.fromkeys(places))


def _reason(target: CrashTarget, frames: Sequence[FrameConditions], reason: str) -> str:
    if len(frames) == len(target.package_frames) and frames:
        return ""
    furthest = frames[-1].level if frames else 0
    shown = reason.strip().rpartition("\n")[2] or "no way back from the crash was found that can be modelled"
    return shown if not furthest else f"beyond frame {furthest}: {shown}"
