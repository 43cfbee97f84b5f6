"""The cache in the story of ``reproduce``: when a found test is kept, and when the next run begins with it. Engine and judge are
replayed."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from crashwright.core.errors import ExitCode
from crashwright.core.messages import Finished, Found, Message, Ready
from crashwright.core.settings import Budget, EngineSettings
from crashwright.core.target import CrashTarget
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.statements import Arguments, Call, Literal
from crashwright.engine.testcase.testcase import TestCase
from crashwright.environment.interpreter import Interpreter
from crashwright.supervision.fresh import run_fresh
from crashwright.supervision.scratch import Scratch
from crashwright.workflows.hunting.foresight import NOTHING, Knowledge
from crashwright.workflows.reproduce.cache import FOLDER
from crashwright.workflows.reproduce.machinery import Machinery
from crashwright.workflows.reproduce.request import Request
from crashwright.workflows.reproduce.result import Result
from crashwright.workflows.reproduce.story import reproduce

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("stand_in")]  # two fresh interpreters or more each
REPORT = """\
Traceback (most recent call last):
  File "/x/kept_shop.py", line 2, in reserve
    return 1 / number
           ~~^~~~~~~~
ZeroDivisionError: division by zero
"""


class ReplayedEngine:
    def __init__(self, messages: list[Message]) -> None:
        self.messages = list(messages)

    @property
    def running(self) -> bool:
        return bool(self.messages)

    def next(self, seconds: float) -> Message | None:
        return self.messages.pop(0)

    def stop(self) -> tuple[Message, ...]:
        return ()


@dataclass
class World:
    """A project with one module; ``seeds`` are those that the engines were given, ``reason`` is why they end (after "reproduced"
    of a test that the judge refuses, the next one starts, until time is up)."""

    root: Path
    number: int = 0
    reason: str = "reproduced"
    seeds: list[tuple[dict[str, Any], ...]] = field(default_factory=list)

    def start(
        self,
        interpreter: Interpreter,
        settings: EngineSettings,
        target: CrashTarget,
        seeds: tuple[dict[str, Any], ...] = (),
        jobs: int = 1,
        knowledge: Knowledge = NOTHING,
    ) -> ReplayedEngine:
        self.seeds.append(seeds)
        parameter = Parameter("number", ParameterKind.POSITIONAL_OR_KEYWORD)
        callee = Callee("kept_shop", "reserve", CalleeKind.FUNCTION, (parameter,))
        test = encode(TestCase((Literal(0, self.number), Call(1, callee, Arguments((0,))))))
        return ReplayedEngine(
            [Ready("3.11.7", 0.1, "kept_shop.reserve"), Found(test, 4, 1, 0.0, 10, 0.1), Finished(self.reason, 50, 0.5)]
        )

    def run(self, **changed: Any) -> Result:
        chosen = {
            "report": REPORT,
            "python": sys.executable,
            "path": (str(self.root),),
            "folder": str(self.root / "out"),
            **changed,
        }
        return reproduce(Request(**chosen), Machinery(self.start, run_fresh, Scratch, time.monotonic), lambda _: None)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (tmp_path / "kept_shop.py").write_text("def reserve(number):\n    return 1 / number\n")
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "out").mkdir()
    return World(tmp_path)


def test_found_test_is_tried_first_the_next_time(world: World) -> None:
    first, second = world.run(), world.run()
    assert first.exit_code is second.exit_code is ExitCode.SUCCESS
    assert world.seeds[0] == ()
    [seed] = world.seeds[1]
    assert seed["statements"]
    assert not any("tried first" in note for note in first.remembered)
    assert any("tried first" in note for note in second.remembered)
    assert sorted(os.listdir(world.root / FOLDER)) == [".gitignore", "README", "found"]
    world.reason = "budget"
    world.run(report=REPORT.replace("division by", "float division by"))
    assert world.seeds[2] == (), "another report is another crash"


def test_no_cache_neither_reads_nor_writes_and_counted_runs_do_not_read(world: World) -> None:
    world.run(cache=False)
    assert not (world.root / FOLDER).exists()
    world.run(budget=Budget(None, 100))
    assert (world.root / FOLDER / "found").is_dir()
    world.run(budget=Budget(None, 100))
    world.run(cache=False)
    assert world.seeds == [(), (), (), ()]


def test_outside_a_project_nothing_is_kept(world: World) -> None:
    (world.root / "pyproject.toml").unlink()
    world.run()
    world.run()
    assert world.seeds == [(), ()]
    assert not any(FOLDER in names for _, names, _ in os.walk(world.root))


def test_what_is_not_reproduced_is_not_kept(world: World) -> None:
    world.number, world.reason = 1, "budget"
    assert world.run().exit_code is not ExitCode.SUCCESS
    assert not (world.root / FOLDER).exists()


def test_damaged_cache_is_a_note(world: World) -> None:
    world.run()
    [file] = (world.root / FOLDER / "found").iterdir()
    file.write_text("{")
    result = world.run()
    assert result.exit_code is ExitCode.SUCCESS
    assert any("damaged" in note for note in result.remembered)
    assert world.seeds[1] == ()
