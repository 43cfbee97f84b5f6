"""The side of a crash where it is fixed: another interpreter, another folder, another commit of the project. Nothing of the
project is changed, not even the records of its version control."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from crashwright.core.errors import EnvironmentProblem, UsageError
from crashwright.core.target import CrashTarget
from crashwright.environment.interpreter import Interpreter, inspect_interpreter
from crashwright.finishing.crash.after_fix import FixedJudge, holds_package
from crashwright.finishing.running.fresh_runner import FreshRunner

_SOURCES = (".", "src", "lib", "python")
_GIT_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Fixed:
    """Where the fixed code is, as the user names it: ``python`` an interpreter, ``path`` a folder, ``ref`` a commit of the project
    that the crash is in. One of them, or none: false."""

    python: str = ""
    path: str = ""
    ref: str = ""

    def __post_init__(self) -> None:
        if sum(map(bool, (self.python, self.path, self.ref))) > 1:
            raise UsageError(
                "The fixed version is named more than once.", "Give only one of --fixed-python, --fixed-path and --fixed-ref."
            )

    def __bool__(self) -> bool:
        return bool(self.python or self.path or self.ref)

    @property
    def options(self) -> tuple[str, ...]:
        """As on the command line."""
        named = (("--fixed-python", self.python), ("--fixed-path", self.path), ("--fixed-ref", self.ref))
        return next(((option, value) for option, value in named if value), ())


def fixed_judge(fixed: Fixed, target: CrashTarget, interpreter: Interpreter, runner: FreshRunner) -> FixedJudge:
    """What runs tests on the fixed side as ``runner`` does on this one. Raises EnvironmentProblem where there is no such side."""
    scratch = runner.scratch / "fixed"
    scratch.mkdir(exist_ok=True)
    runner = replace(runner, scratch=scratch)
    if fixed.python:
        other = inspect_interpreter(fixed.python)
        # Of this side's folders those with the package have the bug in them.
        path = tuple(folder for folder in runner.path if not holds_package(Path(folder), target.package))
        runner = replace(runner, python=other.executable, has_pytest=other.has_pytest, path=path)
        return FixedJudge(target, runner, f"{fixed.python} (Python {other.version_text})")
    if fixed.path:
        found = _roots(Path(fixed.path), target.package, "--fixed-path")
        return FixedJudge(target, replace(runner, path=(found, *runner.path)), fixed.path)
    project, sources = _project(target, interpreter)
    tree = _checked_out(project, fixed.ref, scratch / "tree")
    moved = [
        str(tree / Path(folder).relative_to(project)) if Path(folder).is_relative_to(project) else folder for folder in runner.path
    ]
    root = str(tree / sources.relative_to(project))
    if not holds_package(Path(root), target.package):
        root = _roots(tree, target.package, f"--fixed-ref {fixed.ref}:")
    path = tuple(dict.fromkeys((root, *moved)))
    return FixedJudge(target, replace(runner, path=path), f"commit {fixed.ref}", project, tree)


def _roots(folder: Path, package: str, option: str) -> str:
    if not folder.is_dir():
        raise EnvironmentProblem(f"There is no folder {folder}.", f"{option} takes a folder that holds {package} with the fix.")
    found = next((folder / name for name in _SOURCES if holds_package(folder / name, package)), None)
    if found is None:
        raise EnvironmentProblem(f"{option} {folder} has no {package} in it.", "Give the folder from which it is imported.")
    return str(found.resolve())


def _project(target: CrashTarget, interpreter: Interpreter) -> tuple[Path, Path]:
    """The top of the repository that the package lies in, and the folder in it that it is imported from."""
    frame = target.own_frames[-1] if target.own_frames else target.crash_frame
    file = Path(os.path.realpath(frame.path))
    depth = 0 if frame.key.module in ("", "__main__") else frame.key.module.count(".") + (file.name == "__init__.py")
    sources = file.parents[depth]
    installed = any(part in ("site-packages", "dist-packages") for part in file.parts)
    if installed or any(file.is_relative_to(folder) for folder in interpreter.stdlib):
        raise EnvironmentProblem(
            f"--fixed-ref needs {target.package} as a project under git; here it is installed, in {sources}.",
            "Give --fixed-python, an interpreter with the fixed version.",
        )
    top = _git(sources, ["rev-parse", "--show-toplevel"])
    return Path(os.path.realpath(top.strip())), sources


def _checked_out(project: Path, ref: str, tree: Path) -> Path:
    """The files of the commit ``ref``, in ``tree``: through an index of their own, so that nothing in the repository changes and
    no hook of it runs."""
    commit = _git(
        project,
        ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"],
        f"--fixed-ref {ref}: there is no such commit.",
    )
    if tree.is_dir():
        return tree  # of an earlier search of this run
    index = {"GIT_INDEX_FILE": str(tree.with_name("index"))}
    tree.mkdir()
    _git(project, ["read-tree", commit.strip()], environment=index)
    _git(project, ["checkout-index", "--all", "--force", f"--prefix={tree}{os.sep}"], environment=index)
    return tree


def _git(folder: Path, words: Sequence[str], problem: str = "", environment: dict[str, str] | None = None) -> str:
    command = ["git", "-C", str(folder), *words]
    try:
        run = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_GIT_SECONDS,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})},
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EnvironmentProblem(f"git cannot be run: {error}.", "--fixed-ref needs git.") from None
    if run.returncode:
        said = _last(run.stderr.splitlines()) or f"git {words[0]} failed"
        raise EnvironmentProblem(problem or f"--fixed-ref: {said}.", "Name a commit, branch or tag of the project that crashed.")
    return run.stdout


def _last(lines: Iterable[str]) -> str:
    return next((line.strip().rstrip(".") for line in reversed(list(lines)) if line.strip()), "")
