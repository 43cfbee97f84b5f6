"""The crashes of a pack: folders with ``traceback.txt``, each with an interpreter that can import the crashing package."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from crashwright.core.errors import CrashwrightError
from crashwright.core.target import CrashTarget
from crashwright.crash.readers.registry import read_reports
from crashwright.crash.resolve import resolve
from crashwright.environment.interpreter import Interpreter, inspect_interpreter


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

    def aim(self, crash: Crash, frame: int | None = None) -> Aim:
        """``crash`` with its target frame: the package's outermost one, where ``frame`` is None."""
        key = (crash.name, frame)
        if key not in self._aims:
            self._aims[key] = self._resolve(crash, frame)
        return self._aims[key]

    def problem(self, crash: Crash) -> str:
        """Why ``crash`` cannot be searched for at all; empty where it can."""
        try:
            self.aim(crash)
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
