"""A new case from a trigger: it is run on both versions, and what it shows there is written down."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from benchmarks.pack.cases import half, packed
from benchmarks.pack.homes import Homes
from benchmarks.pack.witness import SITE, run_trigger


@dataclass(frozen=True, slots=True)
class Find:
    """What the collector knows: which package, which versions, and who reported it where."""

    name: str
    package: str
    version: str
    fixed: str | None
    modules: tuple[str, ...]
    requirements: tuple[str, ...]
    source: str


def collect(find: Find, program: str, folder: Path, homes: Homes) -> str:
    """Write the case's folder; say what was seen. A find that does not crash, or not within the package, is refused."""
    sight = run_trigger(program, homes.python((f"{find.package}=={find.version}", *find.requirements)), find.modules)
    if not sight.crashes or not sight.crashes[0].frames:
        raise ValueError(f"{find.name}: {sight.outcome}, no crash within the package")
    crash, on_fixed = sight.crashes[0], None
    if find.fixed is not None:
        after = run_trigger(program, homes.python((f"{find.package}=={find.fixed}", *find.requirements)), find.modules)
        if after.crashes and (after.crashes[0].kind, after.crashes[0].message) == (crash.kind, crash.message):
            raise ValueError(f"{find.name}: {find.fixed} still crashes")
        on_fixed = after.outcome
    home = folder / find.name
    home.mkdir(parents=True)
    facts = {
        "package": find.package,
        "version": find.version,
        "fixed": find.fixed,
        "modules": find.modules,
        "requirements": find.requirements,
        "exception": crash.kind,
        "frames": [[f"{SITE}/{it.file}", it.line, it.function] for it in crash.frames],
        "on_fixed": on_fixed,
        "half": half(find.name),
        "source": find.source,
    }
    (home / "case.json").write_text(json.dumps(facts, indent=1) + "\n")
    (home / "traceback.txt").write_text(sight.text)
    (home / "trigger.b64").write_text(packed(program))
    return f"{find.name}: {crash.kind}, {len(crash.frames)} frames, on {find.fixed}: {on_fixed}"
