"""Runs files of tests in fresh interpreters of the subject, confined, with what records them beside them.

A file runs under the subject's own pytest, or under the stand-in for it where its environment has none.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from crashwright.finishing.running.record import Record, read_record
from crashwright.finishing.running.recorder_files import (
    ASYNC_TESTS,
    FRAMES_WATCH,
    PROJECT_CONFTESTS,
    RECORDER,
    STAND_IN,
    lay_out,
)
from crashwright.supervision.fresh import FreshRun


class RunFresh(Protocol):
    """Runs a command in a new process, confined, in ``folder``, for ``seconds`` at most: ``supervision.fresh.run_fresh``."""

    def __call__(self, arguments: list[str], folder: Path, environment: dict[str, str], seconds: float, /) -> FreshRun: ...


@dataclass(frozen=True, slots=True)
class Bench:
    """The folders of one run: what is copied beside the tests, where they run and may write, and where the record is, out of the
    way of a test that empties or removes the folder in which it runs."""

    support: Path
    work: Path
    told: Path


@dataclass(frozen=True, slots=True)
class Manner:
    """How a file is run: options for pytest, plugins of ours beside the recorder, and what these find in the environment."""

    options: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProjectSurroundings:
    """What of a project is around its tests: the folder they are run from, its ``conftest.py`` files, the outermost first, the file
    with pytest's settings, None if it has none, the folders beside ``FreshRunner.path`` that they import from, and its root, if
    that is another folder."""

    folder: Path
    conftests: tuple[Path, ...] = ()
    settings: Path | None = None
    path: tuple[str, ...] = ()
    root: Path | None = None


@dataclass(frozen=True, slots=True)
class Looking:
    """What is looked for besides what leaves a test. ``caught``: exceptions that somebody catches and keeps, or logs. ``frames``,
    as file, line and function of each, outermost first: how far each test comes along these, and exceptions on their way through
    the last one. ``chosen``: of the tests of the files only these, as file and name. ``explained``: pytest says what is wrong with
    an assertion, for which it rewrites the test and all of its plugins. ``coroutines``: also such tests run that are coroutine
    functions, if no plugin does that."""

    caught: bool = False
    frames: tuple[tuple[str, int, str], ...] = ()
    chosen: tuple[tuple[str, str], ...] = ()
    explained: bool = True
    coroutines: bool = False


AS_IT_IS = Looking()


def _processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class FreshRunner:
    """``python`` is the subject's interpreter, ``path`` goes first on its ``sys.path``, ``allow`` is what the guard lets pass;
    ``scratch`` is a folder for this runner alone. ``sift`` is passed by what the subject says."""

    python: str
    has_pytest: bool
    scratch: Path
    run_fresh: RunFresh
    path: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    sift: Callable[[str], str] = str

    @property
    def name(self) -> str:
        """What runs the tests."""
        return "pytest" if self.has_pytest else "stand-in"

    @property
    def at_once(self) -> int:
        """How many runs of one file may work at a time. With leave to do more they could meet at a port or in a file."""
        return 1 if self.allow else _processors()

    def bench(self, place: int = 0) -> Bench:
        """New folders, instead of those of the run before at this ``place``: runs at the same time have places of their own."""
        folder = self.scratch / (f"fresh-{place}" if place else "fresh")
        shutil.rmtree(folder, ignore_errors=True)
        lay_out(folder / "support")
        bench = Bench(folder / "support", folder / "work", folder / "told")
        bench.work.mkdir()
        bench.told.mkdir()
        return bench

    def run_alone(self, bench: Bench, test: Path, manner: Manner, seconds: float) -> tuple[FreshRun, Record]:
        """Run a file without any of the settings and plugins of the project and the user: these have no say in what it does, but
        can fail on their own."""
        # An ini file of our own keeps that of a project around the file out.
        settings = bench.work / "pytest.ini"
        settings.write_text("[pytest]\n", encoding="utf-8")
        alone = {"PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **manner.environment}
        manner = Manner((*manner.options, "-c", str(settings)), manner.plugins, alone)
        return self._run(bench, [str(test)], bench.work, manner, seconds)

    def run_in_project(
        self, bench: Bench, test: str, folder: Path, seconds: float, environment: Mapping[str, str] | None = None
    ) -> tuple[FreshRun, Record]:
        """Run a file, or ``FILE::TEST``, from ``folder`` with conftest files, plugins and settings of its project, but no added
        options, which would start coverage or other processes."""
        manner = Manner(("--tb=no", "--runxfail", "-o", "addopts="), environment=environment or {})
        return self._run(bench, [test], folder, manner, seconds)

    def run_beside_project(
        self, bench: Bench, tests: Sequence[str], surroundings: ProjectSurroundings, seconds: float, looking: Looking = AS_IT_IS
    ) -> tuple[FreshRun, Record]:
        """Run files that lie anywhere as if they lay in a project: from its folder, with its settings and its conftest files."""
        options = ["--tb=no", "--runxfail", "-o", "addopts=", "--rootdir", str(surroundings.root or surroundings.folder)]
        if surroundings.settings is not None:
            options += ["-c", str(surroundings.settings)]
        if not looking.explained:
            options.append("--assert=plain")
        environment = {"CRASHWRIGHT_CONFTESTS": "\n".join(map(str, surroundings.conftests))}
        if looking.caught:
            environment["CRASHWRIGHT_LOOK_DEEPER"] = "1"
        if looking.frames:
            environment["CRASHWRIGHT_FRAMES"] = json.dumps(looking.frames)
        if looking.chosen:
            environment["CRASHWRIGHT_CHOSEN"] = json.dumps(looking.chosen)
            options.append("--continue-on-collection-errors")
        if surroundings.path:
            environment["PYTHONPATH"] = self._import_path(bench, surroundings.path)
        wanted = {
            ASYNC_TESTS: self.has_pytest and looking.coroutines,
            FRAMES_WATCH: looking.frames or looking.chosen,
            PROJECT_CONFTESTS: surroundings.conftests,
        }
        plugins = tuple(name for name, is_wanted in wanted.items() if is_wanted)
        return self._run(bench, tests, surroundings.folder, Manner(tuple(options), plugins, environment), seconds)

    def _run(self, bench: Bench, tests: Sequence[str], folder: Path, manner: Manner, seconds: float) -> tuple[FreshRun, Record]:
        record = bench.told / "record.jsonl"
        if self.has_pytest:
            plugins = [word for plugin in (RECORDER, *manner.plugins) for word in ("-p", plugin)]
            command = [self.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugins, *manner.options, *tests]
        else:
            command = [self.python, str(bench.support / f"{STAND_IN}.py"), tests[0].partition("::")[0], *manner.plugins]
        environment = {
            "PYTHONPATH": self._import_path(bench),
            "PYTEST_ADDOPTS": "",
            "CRASHWRIGHT_RECORD": str(record),
            "CRASHWRIGHT_SCRATCH": str(bench.work),
            "CRASHWRIGHT_ALLOW": "\n".join(self.allow),
        }
        run = self.run_fresh(command, folder, {**environment, **manner.environment}, seconds)
        return run, read_record(record, self.sift)

    def _import_path(self, bench: Bench, more: Sequence[str] = ()) -> str:
        return os.pathsep.join([*self.path, *more, str(bench.support), *filter(None, [os.environ.get("PYTHONPATH")])])
