"""Command lines that a project's own README shows: how its users run it, with files that come with it.

# Deviation: none of the papers reads the documentation of a project for how it is run.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from crashwright.core.invocation import GivenCommand, Invocations
from crashwright.crash.invocations import PROMPT, commands_of

MOST = 6
"""Command lines that are taken, ..."""
LONGEST = 200_000
"""... of a file of so many bytes at most."""
_PAGES = frozenset({"readme", "usage", "index", "quickstart", "tutorial"})
_SUFFIXES = frozenset({"", ".md", ".rst", ".txt"})
_INLINE = re.compile(r"`([^`\n]+)`")
_OPEN = re.compile(r"[<>{}\[\]|]|\.\.\.|…")
"""What stands for something else, or leaves something out."""
_CODE = ("    ", "\t")
"""How lines of a code block without fences begin."""


def project_folders(path: Iterable[str], folder: str) -> tuple[str, ...]:
    """Where a project has its documentation that is imported from ``path``; the current ``folder`` if nothing is."""
    found = [Path(one).absolute() for one in path] or [Path(folder).absolute()]
    return tuple(dict.fromkeys(str(one.parent if one.name == "src" else one) for one in found))


def with_documented(said: Invocations, folders: Iterable[str], package: str, sift: Callable[[str], str]) -> Invocations:
    """``said`` by the report, and behind it what the documentation in ``folders`` says of how ``package`` is run, with what looks
    like a secret replaced by ``sift``. Files that cannot be read say nothing."""
    found = dict.fromkeys(one for folder in folders for one in documented_commands(Path(folder), package))
    sifted = [replace(one, words=tuple(map(sift, one.words))) for one in found]
    return replace(said, commands=(*said.commands, *sifted[:MOST])) if sifted else said


def documented_commands(folder: Path, package: str) -> Iterator[GivenCommand]:
    """Those that run a module of ``package``, a script that it installs, or ``manage.py``; none where ``folder`` is not the project
    of that package."""
    if not any((place / name).exists() for place in (folder, folder / "src") for name in (package, f"{package}.py")):
        return
    scripts = _scripts(folder, package)
    for page in sorted(_pages(folder)):
        for line in _lines(page):
            for one in commands_of(line):
                module = one.program.removesuffix(".py").replace("/", ".")
                own = module == package or module.startswith(f"{package}.") or module == "manage"
                if (own or one.program in scripts) and one.words:
                    yield replace(one, documented=True)


def _pages(folder: Path) -> set[Path]:
    try:
        near = [one for place in (folder, folder / "docs") if place.is_dir() for one in place.iterdir()]
    except OSError:
        return set()
    return {one for one in near if one.suffix.lower() in _SUFFIXES and one.stem.lower() in _PAGES and one.is_file()}


def _lines(page: Path) -> Iterator[str]:
    try:
        text = page.read_text("utf-8", "replace") if page.stat().st_size <= LONGEST else ""
    except OSError:
        return
    fenced = False
    for line in text.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            continue
        typed = PROMPT.match(line)
        shown = [line.strip()] if fenced or line.startswith(_CODE) else _INLINE.findall(line)
        parts = [typed["line"]] if typed is not None else shown
        yield from (part.strip("`") for part in parts if part and not _OPEN.search(part))


def _scripts(folder: Path, package: str) -> frozenset[str]:
    """The names of the commands that the project installs, and that run a module of ``package``."""
    try:
        told = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
    except (OSError, ValueError):
        return frozenset()
    project = told.get("project")
    scripts = project.get("scripts") if isinstance(project, dict) else None
    run = scripts.items() if isinstance(scripts, dict) else ()
    return frozenset(name for name, place in run if str(place).partition(":")[0].partition(".")[0] == package)
