"""Runs test files in fresh interpreters, confined, with what records them beside them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crashwright.finishing.recorder_files import lay_out
from crashwright.finishing.suite import coverage_watch, stand_in, suite_watch
from crashwright.finishing.suite.weakening import Untrue
from crashwright.finishing.verify import PLUGIN, RunFresh
from crashwright.supervision.fresh import FreshRun

COVERAGE = "crashwright_coverage_watch"
_STAND_IN = "crashwright_stand_in"


@dataclass(frozen=True, slots=True)
class FileRun:
    """One process with one file of tests. ``items`` are the names of all its tests in the order of the file, None where it could
    not be imported (then ``problem`` says why); ``passed`` and ``failed`` (with the reason) those that came to an end, ``raised``
    the module and name of the class of exception for some of these, ``untrue`` the assertions that did not hold. ``stuck`` is the
    one in which the process ended, ``timed_out`` that this was from outside, since the time was up."""

    items: tuple[str, ...] | None = None
    passed: frozenset[str] = frozenset()
    failed: dict[str, str] = field(default_factory=dict)
    raised: dict[str, tuple[str, str]] = field(default_factory=dict)
    untrue: dict[str, Untrue] = field(default_factory=dict)
    stuck: str | None = None
    finished: bool = False
    timed_out: bool = False
    problem: str = ""
    output: str = ""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Under which a file is run: ``only`` these tests (empty: all), seconds for each, and the hash seed; ``plain`` runs it as it
    is, where pytest would otherwise rewrite its assertions, which takes time."""

    only: tuple[str, ...] = ()
    reverse: bool = False
    hash_seed: int = 0
    test_seconds: float = 10.0
    plain: bool = False


@dataclass(frozen=True, slots=True)
class SuiteRunner:
    """``python`` is the subject's interpreter, ``path`` goes first on its ``sys.path``, ``allow`` is what the guard lets pass;
    ``scratch`` is a folder for this runner alone."""

    python: str
    has_pytest: bool
    scratch: Path
    run_fresh: RunFresh
    path: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What runs the tests."""
        return "pytest" if self.has_pytest else "stand-in"

    def run_file(self, text: str, name: str, conditions: Conditions, seconds: float) -> FileRun:
        """Run ``text`` as a file called ``name`` for ``seconds`` at most."""
        support, work = self.folders("verify")
        test, only = work / name, support / "only.txt"
        test.write_text(text, encoding="utf-8")
        only.write_text("\n".join(conditions.only), encoding="utf-8")
        environment = {
            **self.environment(support, work),
            "PYTHONHASHSEED": str(conditions.hash_seed),
            "CRASHWRIGHT_ONLY": str(only) if conditions.only else "",
            "CRASHWRIGHT_TEST_SECONDS": str(conditions.test_seconds),
            "CRASHWRIGHT_REVERSE": "1" if conditions.reverse else "",
        }
        if self.has_pytest:
            command = [*self.pytest(work, PLUGIN, stand_in.WATCH), *["--assert=plain"] * conditions.plain, str(test)]
        else:
            command = [self.python, str(support / f"{_STAND_IN}.py"), str(test)]
        return _file_run(self.run_fresh(command, work, environment, seconds), events(work / "record.jsonl"))

    def folders(self, purpose: str) -> tuple[Path, Path]:
        """A new folder with our plugins, and a new one to work in."""
        folder = self.scratch / purpose
        shutil.rmtree(folder, ignore_errors=True)
        support, work = folder / "support", folder / "work"
        lay_out(support, PLUGIN)
        for name, module in ((stand_in.WATCH, suite_watch), (_STAND_IN, stand_in), (COVERAGE, coverage_watch)):
            shutil.copyfile(str(module.__file__), support / f"{name}.py")
        work.mkdir()
        # An ini file of our own keeps that of a project around the scratch folder out.
        (work / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        return support, work

    def pytest(self, work: Path, *plugins: str) -> list[str]:
        """The command, without what to run. The plug-ins of the user's environment have no say, nor has pytest's own watch over
        hangs, which would disarm ours."""
        # Tracebacks of many failing tests would take longer than the tests.
        options = ["-q", "--tb=line", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-c", str(work / "pytest.ini")]
        return [self.python, "-m", "pytest", *options, *(word for plugin in plugins for word in ("-p", plugin))]

    def environment(self, support: Path, work: Path) -> dict[str, str]:
        """What the recorder and the tests find in the environment."""
        return {
            "PYTHONPATH": os.pathsep.join([*self.path, str(support), *filter(None, [os.environ.get("PYTHONPATH")])]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_ADDOPTS": "",
            "CRASHWRIGHT_RECORD": str(work / "record.jsonl"),
            "CRASHWRIGHT_SCRATCH": str(work),
            "CRASHWRIGHT_ALLOW": "\n".join(self.allow),
        }


def events(file: Path) -> list[dict[str, Any]]:
    """The lines of a record that tell of events; one that the run could not finish ends it."""
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []
    found: list[dict[str, Any]] = []
    for line in lines:
        try:
            data = json.loads(line)
        except ValueError:  # the run was stopped while it wrote: nothing follows
            break
        if isinstance(data, dict) and "event" in data:
            found.append(data)
    return found


def _file_run(run: FreshRun, found: Sequence[dict[str, Any]]) -> FileRun:
    items = next((tuple(map(str, data["tests"])) for data in found if data["event"] == "items"), None)
    problems = [str(data["text"]) for data in found if data["event"] == "collection"]
    results = [(str(data["test"]), str(data["outcome"]), str(data["text"])) for data in found if data["event"] == "result"]
    failed = {test: text or outcome for test, outcome, text in results if outcome != "passed"}
    failed |= {str(data["test"]): "it does what confinement refuses" for data in found if data["event"] == "refused"}
    ended = {str(data["test"]) for data in found if data["event"] == "ended"}
    began = [str(data["test"]) for data in found if data["event"] == "began"]
    finished = any(data["event"] == "finished" for data in found)
    if problems:
        items = None
    return FileRun(
        items,
        frozenset(test for test, _, _ in results if test in ended and test not in failed),
        failed,
        {str(data["test"]): (str(data["module"]), str(data["qualname"])) for data in found if data["event"] == "raised"},
        {str(data["test"]): _untrue(data) for data in found if data["event"] == "untrue"},
        # pytest itself may still have come to an end, where a test had closed its files.
        next((test for test in reversed(began) if test not in ended), None),
        finished,
        run.code is None,
        problems[-1] if problems else "",
        run.output[-2000:],
    )


def _untrue(data: dict[str, Any]) -> Untrue:
    return Untrue(tuple(map(int, data["lines"])), bool(data["whole"]))
