"""A case: a folder with facts, the traceback that a user would send, and a trigger that nobody reads by accident."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.pack.traces import Crash, read

CASES = Path(__file__).parent / "cases"
PASSES = "passes"


@dataclass(frozen=True, slots=True)
class Case:
    """Facts of case.json. ``on_fixed`` is what the trigger does on the fixed version: passes, or the type that it raises."""

    folder: Path
    package: str
    version: str
    fixed: str | None
    modules: tuple[str, ...]
    requirements: tuple[str, ...]
    exception: str
    on_fixed: str | None
    half: str
    source: str

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name

    @property
    def trace(self) -> Path:
        """The file that a tool is given."""
        return self.folder / "traceback.txt"

    def crash(self) -> Crash:
        """The crash to reproduce."""
        return read(self.trace.read_text(encoding="utf-8"), self.modules)

    def trigger(self) -> str:
        """The program that crashes: only for the check of the case itself."""
        return zlib.decompress(base64.b64decode((self.folder / "trigger.b64").read_text())).decode()

    def pins(self, version: str) -> tuple[str, ...]:
        """What an environment with that version of the package needs, complete."""
        return (f"{self.package}=={version}", *self.requirements)


def half(name: str) -> str:
    """Which half a case belongs to: decided by its name alone, so that nobody chooses."""
    return "judge" if hashlib.sha256(name.encode()).digest()[0] % 2 else "look"


def packed(program: str) -> str:
    """A trigger as it is stored."""
    return base64.encodebytes(zlib.compress(program.encode(), 9)).decode()


def load(folder: Path) -> Case:
    """The case of a folder."""
    facts = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    return Case(
        folder=folder,
        package=facts["package"],
        version=facts["version"],
        fixed=facts["fixed"],
        modules=tuple(facts["modules"]),
        requirements=tuple(facts["requirements"]),
        exception=facts["exception"],
        on_fixed=facts["on_fixed"],
        half=facts["half"],
        source=facts["source"],
    )


def cases(folder: Path, only: str = "", wanted_half: str = "") -> Iterator[Case]:
    """All cases by name, or those that are named (with commas) or of one half."""
    names = {name for name in only.split(",") if name}
    for path in sorted(folder.glob("*/case.json")):
        if names and path.parent.name not in names:
            continue
        case = load(path.parent)
        if wanted_half in ("", case.half):
            yield case
