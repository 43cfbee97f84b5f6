"""Under which conditions the crash happens, frame by frame: the walk back from it, asked of a child process and told in words."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import decode_source
from pathlib import Path

from crashwright.core.location import CodeKey
from crashwright.core.precondition import Precondition
from crashwright.core.target import CrashTarget
from crashwright.core.terms import Op
from crashwright.symbolic.execution.search_job import PreconditionSearch, Question
from crashwright.symbolic.values.substitution import leaves_of
from crashwright.symbolic.wording.preconditions import Origin, in_order, is_readable, telling, worded
from crashwright.workflows.inquiries.explanation import Conditions, FrameConditions

SECONDS = 20.0
MOST_SHOWN = 8
"""Conditions of a frame that are shown; the others are in the JSON."""


def conditions_of(target: CrashTarget, version: tuple[int, int], seconds: float = SECONDS) -> Conditions:
    """The conditions of each frame, as far as they are found in time. Nothing of the subject is run."""
    try:
        sources = sources_of(target)
    except (OSError, UnicodeError, SyntaxError) as error:
        return Conditions(reason=f"the source cannot be read: {error}")
    try:
        with PreconditionSearch(Question(target, sources, version, seconds, necessary=True)) as search:
            found = list(search.found())
            _, reason = search.ending
    except OSError as error:
        return Conditions(reason=f"no process can be started for it: {error}")
    frames = tuple([_of_level(found, level) for level in sorted({one.level for one in found})])
    return Conditions(frames, _reason(target, frames, reason))


def _of_level(found: Sequence[Precondition], level: int) -> FrameConditions:
    """What all ways have in common, and the plainest of them: the one of which most is modelled, and least is asked."""
    here = [(one, worded(one)) for one in found if one.level == level]
    ways, common = [[way for way in here if way[0].is_necessary is wanted] for wanted in (False, True)]
    always = [one for one in common[0][1] if one.is_known and is_readable(one)] if len(common) == 1 else []
    plainest, told = min(ways or common, key=lambda way: (sum(not one.is_known for one in way[1]), len(way[1])))
    said = {one.text for one in always}
    always = in_order(always, plainest.function.qualname)
    conditions = in_order([one for one in told if one.text not in said], plainest.function.qualname)
    unknown = [guard for guard in plainest.guards if leaves_of([guard.term], frozenset({Op.UNKNOWN}))]
    return FrameConditions(
        level,
        f"{plainest.function.module}:{plainest.function.qualname}",
        tuple([one.text for one in conditions]),
        tuple([_lines(one.origins, plainest.function) for one in conditions]),
        telling=telling(conditions, MOST_SHOWN),
        open_points=_open_points(plainest),
        open_lines=tuple(dict.fromkeys(_lines([Origin(one.function.qualname, one.line)], plainest.function) for one in unknown)),
        other_ways=max(len(ways) - 1, 0),
        always=tuple([one.text for one in always]),
        always_lines=tuple([_lines(one.origins, plainest.function) for one in always]),
        is_example=bool(ways),
    )


def _open_points(precondition: Precondition) -> tuple[str, ...]:
    """What the conditions speak of, and what may have changed anything on the way; that other types were left out is none."""
    leaves = leaves_of([guard.term for guard in precondition.guards], frozenset({Op.UNKNOWN}))
    reasons = [str(one.payload[1]) for one in leaves if isinstance(one.payload, tuple)]
    return tuple([one for one in precondition.unmodelled if one in reasons or one.endswith(" leaves")])


def _lines(origins: Sequence[Origin], function: CodeKey) -> str:
    """Such as ``line 4; line 9 of helper``."""
    places = [f"line {one.line}" if one.function == function.qualname else f"line {one.line} of {one.function}" for one in origins]
    return "; ".join(dict.fromkeys(places))


def _reason(target: CrashTarget, frames: Sequence[FrameConditions], reason: str) -> str:
    furthest = frames[-1].level if frames else 0
    if furthest == len(target.package_frames):
        return ""
    shown = reason.strip().rpartition("\n")[2] or "no path to the crash was found that can be modelled"
    return shown if not furthest else f"beyond frame {furthest}: {shown}"


def sources_of(target: CrashTarget) -> dict[str, str]:
    """The texts of the modules that its frames are in, by module. Raises OSError, UnicodeError and SyntaxError."""
    return {one.key.module: decode_source(Path(one.path).read_bytes()) for one in target.package_frames}
