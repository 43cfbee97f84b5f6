"""The ways in which the file of a candidate is run: as it is, and, if that does not come near the crash, without what stood in its
way. One row of :data:`RETRIES` for each way."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from crashwright.core.preparation import Preparation
from crashwright.core.suggested import SuggestedCode
from crashwright.core.target import CrashTarget
from crashwright.finishing.crash import suggested_file
from crashwright.finishing.crash.existing_test import ExistingRun
from crashwright.finishing.running.fresh_runner import Looking, ProjectSurroundings
from crashwright.workflows.reproduce.proving.surroundings import file_of

_ASSERTION = "AssertionError"


@dataclass(frozen=True, slots=True)
class RunPlan:
    """How a candidate is run. ``file`` is where it lies, None for a ``text`` that is not written yet; ``test`` the one of it that
    is run, "" for all of them. ``remarks`` say what is not as its author has it."""

    text: str
    around: ProjectSurroundings
    looking: Looking
    file: Path | None = None
    test: str = ""
    in_scratch: bool = False
    remarks: tuple[str, ...] = ()

    def remarked(self, remark: str) -> RunPlan:
        """With one more."""
        return replace(self, remarks=(*self.remarks, remark))


class Retry(NamedTuple):
    """Another way to run a candidate that came to ``ExistingRun``, or None if that would change nothing."""

    name: str
    way: Callable[[RunPlan, ExistingRun, CrashTarget], RunPlan | None]


def first_ways(
    code: SuggestedCode, around: ProjectSurroundings, target: CrashTarget, preparation: Preparation, title: str
) -> Iterator[RunPlan]:
    """As it is; a script in a test called ``title``; with what the subject's functions need set up."""
    looking = Looking(caught=True, explained=is_assertion(target), coroutines=True)
    test = code.name.partition("::")[2]
    try:
        texts = suggested_file.as_test_files(code.source, title)
    except SyntaxError:  # a script that returns, or awaits, outside of a function
        return
    for text in texts:
        way = RunPlan(text, around, looking, _in_place(code, text), test)
        yield way
        made = checked(suggested_file.prepared(text, preparation), text) if preparation else text
        if made != text:
            yield replace(way, text=made, file=None)


def is_assertion(target: CrashTarget) -> bool:
    """Is it what an ``assert`` raises, whose words pytest explains?"""
    return target.exception.rpartition(".")[2] == _ASSERTION


def _in_place(code: SuggestedCode, text: str) -> Path | None:
    """The file of the candidate, if pytest can import it there and finds the same text."""
    file = file_of(code.name)
    if file is None or text != code.source or file.suffix != ".py" or not file.stem.isidentifier():
        return None
    return file if file.read_text(encoding="utf-8", errors="replace") == text else None


def _copied(way: RunPlan, run: ExistingRun, _target: CrashTarget) -> RunPlan | None:
    """Away from its folder, where a module may be called like one that it imports."""
    return replace(way, file=None) if way.file is not None and run.record.problems else None


def _alone(way: RunPlan, run: ExistingRun, _target: CrashTarget) -> RunPlan | None:
    """Without the project's fixtures and settings: these may ask for what is not here, and no test would run."""
    around = replace(way.around, conftests=(), settings=None)
    if around == way.around or not _none_ran(run):
        return None
    files = ", ".join(one.name for one in (*way.around.conftests, *filter(None, [way.around.settings])))
    return replace(way, around=around, file=None).remarked(f"run without {files}")


def _may_write(way: RunPlan, run: ExistingRun, _target: CrashTarget) -> RunPlan | None:
    """In a folder where it may write."""
    wrote = any("write:" in text or "open" in text for text in run.refused)
    if way.in_scratch or not wrote or not way.around.folder.is_dir():
        return None
    return replace(way, in_scratch=True).remarked("run in an empty folder, since it writes files")


def _watched(way: RunPlan, run: ExistingRun, target: CrashTarget) -> RunPlan | None:
    """With an eye on the crash itself: somebody may catch it."""
    if way.looking.frames or _none_ran(run) or run.timed_out:
        return None
    return replace(way, looking=replace(way.looking, frames=watched_frames(target), explained=True))


RETRIES: Sequence[Retry] = (
    Retry("copied", _copied),
    Retry("alone", _alone),
    Retry("may_write", _may_write),
    Retry("watched", _watched),
)


def watched_frames(target: CrashTarget) -> tuple[tuple[str, int, str], ...]:
    """The frames that decide, for ``Looking.frames``."""
    return tuple((frame.path, frame.line, frame.key.name) for frame in target.package_frames)


def _none_ran(run: ExistingRun) -> bool:
    """No test came further than its fixtures."""
    return not run.timed_out and all(one.outcome in ("error", "skipped") for one in run.tests)


def checked(text: str, before: str) -> str:
    """``text``, or what it was before if it is no Python any more."""
    try:
        ast.parse(text)
    except SyntaxError:
        return before
    return text
