"""The crashes of a pack: folders with ``traceback.txt``, each with an interpreter that can import the crashing package."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from crashwright.core.errors import CrashwrightError
from crashwright.core.settings import Budget
from crashwright.core.target import CrashTarget
from crashwright.crash.readers.registry import read_reports
from crashwright.crash.resolve import resolve
from crashwright.environment.interpreter import Interpreter, inspect_interpreter
from crashwright.symbolic.composition.composition_job import Composition
from crashwright.workflows.hunting.foresight import NOTHING, Knowledge, foresight_of

COUNTED = Budget(None, 1)
"""Any number of evaluations: the walk is bounded by counts."""


@dataclass(frozen=True, slots=True)
class Crash:
    """One folder of the pack. ``name`` is the folder's."""

    name: str
    folder: Path
    python: Path


@dataclass(frozen=True, slots=True)
class Aim:
    """A crash with a target frame, ready for an engine. ``frame`` counts the package's frames from the crash, 1, outwards, of
    ``frames`` in all; ``path`` are folders for the subject's ``sys.path``."""

    crash: Crash
    target: CrashTarget
    path: tuple[str, ...]
    frame: int
    frames: int
    knowledge: Knowledge = NOTHING


def find_crashes(pack: Path, venvs: Path, wanted: Collection[str] = ()) -> list[Crash]:
    """The crashes of ``pack`` (those ``wanted``, or all) in alphabetical order. Raises ValueError for a name that is not there."""
    folders = sorted(path.parent for path in pack.glob("*/traceback.txt"))
    unknown = sorted(set(wanted) - {folder.name for folder in folders})
    if unknown:
        raise ValueError(f"not in {pack}: {', '.join(unknown)}")
    return [Crash(one.name, one, venvs / one.name / "bin" / "python") for one in folders if not wanted or one.name in wanted]


class Aims:
    """Resolves crashes once for each target frame. Raises CrashwrightError where the report cannot be placed in the interpreter."""

    def __init__(self) -> None:
        self._interpreters: dict[str, Interpreter] = {}
        self._aims: dict[tuple[str, int | None], Aim] = {}
        self._known: dict[str, Knowledge] = {}

    def aim(self, crash: Crash, frame: int | None = None) -> Aim:
        """``crash`` with its target frame: the package's outermost one, where ``frame`` is None."""
        key = (crash.name, frame)
        if key not in self._aims:
            self._aims[key] = self._resolve(crash, frame)
        return self._aims[key]

    def problem(self, crash: Crash, frame: int | None = None) -> str:
        """Why ``crash`` cannot be searched for (from ``frame``); empty where it can."""
        try:
            self.aim(crash, frame)
        except CrashwrightError as error:
            return error.message
        return ""

    def _resolve(self, crash: Crash, frame: int | None) -> Aim:
        if crash.name not in self._interpreters:
            self._interpreters[crash.name] = inspect_interpreter(str(crash.python))
        report = read_reports((crash.folder / "traceback.txt").read_text(encoding="utf-8", errors="backslashreplace"))[-1]
        resolved = resolve(report, self._interpreters[crash.name], None, frame)
        if frame is None:
            count = len(resolved.target.package_frames)
            return Aim(crash, resolved.target, resolved.extra_path, count, count)
        return Aim(crash, resolved.target, resolved.extra_path, frame, self.aim(crash).frames)

    def walked(self, aim: Aim) -> Aim:
        """With the preconditions of the crash's frames and the tests composed from them, told at the start of a search,
        within the bounds of one that is counted; once, and only for a crash that is run."""
        name = aim.crash.name
        if name not in self._known:
            target, version = self.aim(aim.crash).target, self._interpreters[name].version
            with foresight_of(target, version, COUNTED, Composition, time.monotonic) as foresight:
                foresight.waits = True
                foresight.ask()
                self._known[name] = foresight.at_start()
        return replace(aim, knowledge=self._known[name])
