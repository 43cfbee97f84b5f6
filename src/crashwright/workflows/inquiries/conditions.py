"""Under which conditions the crash happens, frame by frame: the walk back from it, asked of a child process, held against runs and
told in words."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import decode_source
from pathlib import Path
from typing import NamedTuple

from crashwright.core.location import CodeKey
from crashwright.core.messages import Witness
from crashwright.core.precondition import Precondition
from crashwright.core.target import CrashTarget
from crashwright.core.terms import Op
from crashwright.symbolic.execution.search_job import PreconditionSearch, Question
from crashwright.symbolic.values.substitution import leaves_of
from crashwright.symbolic.wording.preconditions import Condition, LineOrigin, in_order, is_readable, telling, worded
from crashwright.workflows.inquiries.explanation import Conditions, FrameConditions
from crashwright.workflows.inquiries.witnessing import Runs, ShownRuns

SECONDS = 20.0
MOST_SHOWN = 8
"""Conditions of a frame that are shown; the others are in the JSON."""


def conditions_of(
    target: CrashTarget, version: tuple[int, int], seconds: float = SECONDS, runs: Runs | None = None, exact: bool = False
) -> Conditions:
    """The conditions of each frame, as far as they are found in time (``exact``: within counts); those that ``runs`` contradict are
    left out or marked. Without them nothing of the subject is run."""
    try:
        sources = sources_of(target)
    except (OSError, UnicodeError, SyntaxError) as error:
        return Conditions(reason=f"the source cannot be read: {error}")
    try:
        with PreconditionSearch(Question(target, sources, version, seconds, exact, necessary=True)) as search:
            found = list(search.found())
            _, reason = search.ending
    except OSError as error:
        return Conditions(reason=f"no process can be started for it: {error}")
    told = [_told(found, level) for level in sorted({one.level for one in found})]
    sentences = [one for frame in told for one in frame.sentences]
    shown = runs(target, sentences) if runs is not None and sentences else ShownRuns()
    counts = iter(shown.counts)
    frames = tuple([frame.shown([next(counts, Witness()) for _ in frame.sentences]) for frame in told])
    return Conditions(frames, _reason(target, frames, reason), shown.runs, shown.problem)


class _Told(NamedTuple):
    """What is said of one frame: ``always``, and of the ``plainest`` way, of which there may be ``others``."""

    level: int
    plainest: Precondition
    always: list[Condition]
    conditions: list[Condition]
    others: int
    is_example: bool

    @property
    def sentences(self) -> list[Precondition]:
        """What can be held against runs: each sentence that always holds, and the example as one."""
        key, level = self.plainest.function, self.level
        each = [Precondition(level, key, one.guards, is_necessary=True) for one in self.always]
        whole = tuple([guard for one in (*self.always, *self.conditions) for guard in one.guards])
        return [*each, Precondition(level, key, whole)] if self.is_example else each

    def shown(self, counts: Sequence[Witness]) -> FrameConditions:
        """With what runs say: ``counts`` of the sentences. What one of them contradicts is not said."""
        pairs = list(zip(self.always, counts, strict=False))
        always = [one for one, count in pairs if not count.without]
        example = counts[-1] if self.is_example else Witness()
        conditions, function = self.conditions, self.plainest.function
        unknown = [guard for guard in self.plainest.guards if leaves_of([guard.term], frozenset({Op.UNKNOWN}))]
        if example.held and example.harmless == example.held:
            conditions, unknown = [], []  # what is said of one way does not lead to the crash
        return FrameConditions(
            self.level,
            f"{function.module}:{function.qualname}",
            tuple([one.text for one in conditions]),
            tuple([_lines(one.origins, function) for one in conditions]),
            telling=telling(conditions, MOST_SHOWN),
            open_points=_open_points(self.plainest),
            open_lines=tuple(dict.fromkeys(_lines([LineOrigin(one.function.qualname, one.line)], function) for one in unknown)),
            other_ways=self.others,
            always=tuple([one.text for one in always]),
            always_lines=tuple([_lines(one.origins, function) for one in always]),
            is_example=self.is_example,
            contradicted=tuple([one.text for one, count in pairs if count.without]),
            tried=example.held,
            crashed=example.held - example.harmless,
        )


def _told(found: Sequence[Precondition], level: int) -> _Told:
    """What all ways have in common, and the plainest of them: the one of which most is modelled, and least is asked."""
    here = [(one, worded(one)) for one in found if one.level == level]
    ways, common = [[way for way in here if way[0].is_necessary is wanted] for wanted in (False, True)]
    always = [one for one in common[0][1] if one.is_known and _is_telling(one)] if len(common) == 1 else []
    plainest, told = min(ways or common, key=lambda way: (sum(not one.is_known for one in way[1]), len(way[1])))
    said = {one.text for one in always}
    always = in_order(always, plainest.function.qualname)
    conditions = in_order([one for one in told if one.text not in said], plainest.function.qualname)
    return _Told(level, plainest, always, conditions, max(len(ways) - 1, 0), bool(ways))


def _is_telling(condition: Condition) -> bool:
    """Whether somebody who calls the function can see to it: not what globals are, but for what the crash itself is about."""
    return is_readable(condition) and bool(condition.inputs or condition.is_crash)


def _open_points(precondition: Precondition) -> tuple[str, ...]:
    """What the conditions speak of, and what may have changed anything on the way; that other types were left out is none."""
    leaves = leaves_of([guard.term for guard in precondition.guards], frozenset({Op.UNKNOWN}))
    reasons = [str(one.payload[1]) for one in leaves if isinstance(one.payload, tuple)]
    return tuple([one for one in precondition.unmodelled if one in reasons or one.endswith(" leaves")])


def _lines(origins: Sequence[LineOrigin], function: CodeKey) -> str:
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
