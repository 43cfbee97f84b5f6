"""The whole story of ``generate`` with replayed engines and real fresh interpreters, on modules of a few lines."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import pytest
from replayed_suites import READY, Clock, ReplayedSuiteEngine, Step, archived, call, finished, suite

from crashwright.core.errors import EnvironmentProblem, ExitCode, UsageError
from crashwright.core.messages import Examined, Failed, FailureKind
from crashwright.core.settings import Budget, EngineSettings
from crashwright.core.suite import ModuleTarget
from crashwright.engine.assertions.assertion import AssertedTest, Assertion, Observed
from crashwright.engine.assertions.codec import encode_asserted
from crashwright.engine.testcase.codec import decode
from crashwright.environment.interpreter import Interpreter
from crashwright.supervision.fresh import run_fresh
from crashwright.supervision.island import Seeds
from crashwright.supervision.scratch import Scratch
from crashwright.workflows.generate.events import SubjectFound, SuiteEvent, SuiteStep
from crashwright.workflows.generate.module_suite import ModuleWork
from crashwright.workflows.generate.request import Part, SuiteRequest
from crashwright.workflows.generate.result import ModuleSuite, SuiteResult
from crashwright.workflows.generate.story import SuiteMachinery, generate
from crashwright.workflows.generate.time import SuiteTime

SHOP = "def halve(number):\n    return number / 2\n\n\ndef double(number):\n    return number * 2\n"
HALVE, DOUBLE = call("halve", 3), call("double", 3)
SEARCH: list[Step] = [READY, archived(HALVE), suite(HALVE, DOUBLE), finished()]


class Machine:
    """Replayed engines: the search by module, the examination asserts what ``expected`` says of a test's result."""

    def __init__(self, searches: dict[str, list[Step]], expected: float | None = None) -> None:
        self.searches = searches
        self.expected = expected
        self.targets: list[ModuleTarget] = []
        self.settings: list[EngineSettings] = []
        self.events: list[SuiteEvent] = []

    def start(
        self,
        interpreter: Interpreter,
        settings: EngineSettings,
        target: ModuleTarget,
        seeds: Seeds = (),
        task: str = "",
        hash_seed: int | None = None,
        spares: tuple[int, ...] = (),
        insights: bool = False,
    ) -> ReplayedSuiteEngine:
        if task:
            return ReplayedSuiteEngine([READY, *(Examined(n, self.asserted(seed)) for n, seed in enumerate(seeds)), finished()])
        self.targets.append(target)
        self.settings.append(settings)
        return ReplayedSuiteEngine(list(self.searches[target.module]))

    def asserted(self, seed: dict[str, Any]) -> dict[str, Any]:
        if "assertions" in seed:
            return seed
        known = [] if self.expected is None else [Assertion(1, Observed(1), "equals", self.expected)]
        return encode_asserted(AssertedTest(decode(seed), tuple(known)))

    def generate(self, request: SuiteRequest) -> SuiteResult:
        return generate(request, SuiteMachinery(self.start, run_fresh, Scratch, time.monotonic), self.events.append)


@pytest.fixture
def with_pytest(tmp_path: Path) -> Path:
    (tmp_path / "code").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "code" / "tiny_shop.py").write_text(SHOP)
    return tmp_path


@pytest.fixture
def folder(with_pytest: Path, stand_in: None) -> Path:
    return with_pytest


def request(folder: Path, subject: str = "tiny_shop", **changed: Any) -> SuiteRequest:
    fields: dict[str, Any] = {"python": sys.executable, "path": (str(folder / "code"),), "folder": str(folder / "out")}
    return SuiteRequest(subject, **{**fields, **changed})


@pytest.mark.slow
def test_suite_is_examined_verified_and_written(with_pytest: Path) -> None:
    machine = Machine({"tiny_shop": SEARCH})
    result = machine.generate(request(with_pytest))
    [module] = result.modules
    assert (result.exit_code, module.exit_code, module.tests) == (0, 0, 2)
    assert module.file == str(with_pytest / "out" / "test_tiny_shop.py")
    text = Path(module.file).read_text()
    assert "crashwright generate tiny_shop" in text
    assert "halve(3)" in text
    assert "import crashwright" not in text
    assert (module.open_count, module.open_branches[0].line) == (1, 3)
    assert isinstance(machine.events[0], SubjectFound)
    assert [event.step for event in machine.events if isinstance(event, SuiteStep)] == ["examining", "verifying"]


@pytest.mark.slow
def test_output_is_a_file_or_a_folder_and_a_second_run_says_what_it_replaced(folder: Path) -> None:
    for output, name in (("mine.py", "mine.py"), (".", "test_tiny_shop.py")):
        suites = [Machine({"tiny_shop": SEARCH}).generate(request(folder, output=output)).modules[0] for _ in range(2)]
        assert [Path(one.file).name for one in suites] == [name, name]
        assert [one.replaced for one in suites] == ["", "an earlier suite by crashwright"]


@pytest.mark.slow
def test_a_named_file_of_somebody_else_is_overwritten_by_force_alone(folder: Path) -> None:
    mine = folder / "out" / "mine.py"
    mine.write_text("PRECIOUS = 1\n")
    with pytest.raises(UsageError, match="has code that crashwright did not write"):
        Machine({}).generate(request(folder, output="mine.py"))
    [module] = Machine({"tiny_shop": SEARCH}).generate(request(folder, output="mine.py", force=True)).modules
    assert module.replaced == "a file not by crashwright"
    assert "PRECIOUS" not in mine.read_text()
    with pytest.raises(UsageError, match="keeps what you wrote"):
        request(folder, update=True, force=True)


@pytest.mark.slow
def test_assertion_that_fails_in_a_fresh_interpreter_is_not_written(with_pytest: Path) -> None:
    result = Machine({"tiny_shop": SEARCH}, expected=1.5).generate(request(with_pytest))
    [module] = result.modules
    assert (module.tests, module.assertions, module.dropped) == (2, 1, ())
    text = Path(module.file).read_text()
    assert "assert halve(3) == 1.5" in text
    assert text.count("    assert ") == 1


@pytest.mark.slow
def test_nothing_that_passes_is_one_and_no_file(folder: Path) -> None:
    gone = call("gone")
    search: list[Step] = [READY, archived(gone), suite(gone), finished()]
    result = Machine({"tiny_shop": search}, expected=99.0).generate(request(folder))
    assert result.exit_code is ExitCode.NOT_FOUND
    assert result.modules[0].problem
    assert list((folder / "out").iterdir()) == []


def test_module_without_callables_is_told_and_no_engine_is_started(folder: Path) -> None:
    (folder / "code" / "settings.py").write_text("LIMIT = 3\n")
    machine = Machine({})
    result = machine.generate(request(folder, "settings"))
    assert result.exit_code is ExitCode.NOT_FOUND
    assert "nothing to test" in result.modules[0].problem
    assert machine.targets == []


@pytest.mark.slow
def test_as_a_part_of_many_it_is_one_module_in_the_file_it_is_told(folder: Path) -> None:
    package = folder / "code" / "store"
    package.mkdir()
    (package / "__init__.py").write_text(SHOP)
    (package / "one.py").write_text(SHOP)
    machine = Machine({"store": SEARCH})
    present = "def test_mine():\n    assert True\n"
    part = Part("crashwright generate store --jobs 2", "/home/ann/tests/test_of_the_store.py", present)
    result = machine.generate(request(folder, "store", part=part, update=True))
    assert [target.module for target in machine.targets] == ["store"]
    [module] = result.modules
    assert module.file == str(folder / "out" / "test_of_the_store.py")
    assert "halve(3)" in module.printed
    assert "def test_mine():" in module.printed
    assert "crashwright generate store --jobs 2" in module.printed


def test_a_part_of_many_ends_with_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[float] = []

    def make(work: ModuleWork, time: SuiteTime, budget: Budget) -> ModuleSuite:
        left.append(time.left())
        return ModuleSuite(work.target.module, ExitCode.NOT_FOUND)

    monkeypatch.setattr(ModuleWork, "make", make)
    parts = SuiteMachinery(Machine({}).start, run_fresh, Scratch, Clock())
    for part in (None, Part("crashwright generate tiny_shop store", "test_tiny_shop.py", seconds=6.0)):
        generate(request(folder, part=part, budget=Budget(60.0)), parts, lambda event: None)
    assert left == pytest.approx([87.0, 6.0])


@pytest.mark.slow
def test_islands_share_evaluations_and_become_one_suite(folder: Path) -> None:
    machine = Machine({"tiny_shop": SEARCH})
    result = machine.generate(request(folder, jobs=2, budget=Budget(None, 1000)))
    assert result.modules[0].tests == 2
    evaluations = [settings.budget.evaluations for settings in machine.settings]
    assert evaluations[:2] == [500, 500]
    assert len(evaluations) == 3  # the last one makes one suite of what both have
    assert len({settings.search.seed for settings in machine.settings[:2]}) == 2


def test_failure_of_a_single_module_is_an_error(folder: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="no module named numpy"):
        Machine({"tiny_shop": [Failed(FailureKind.IMPORT, "no module named numpy")]}).generate(request(folder))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"targets": ("halv",)}, "no function or class halv"),
        ({"output": "../code/tiny_shop.py"}, "has code that crashwright did not write"),
    ],
)
def test_wrong_usage_is_said_before_the_search(folder: Path, changed: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Machine({}).generate(request(folder, **changed))


@pytest.mark.parametrize("update", [False, True])
def test_file_of_somebody_else_is_left_alone(folder: Path, update: bool) -> None:
    own, beside = folder / "out" / "test_tiny_shop.py", folder / "out" / "test_tiny_shop_generated.py"
    own.write_text("def test_mine():\n    assert True\n")
    result = Machine({"tiny_shop": SEARCH}).generate(request(folder, update=update))
    assert result.modules[0].file == str(beside)
    assert own.read_text() == "def test_mine():\n    assert True\n"
    assert "halve(3)" in beside.read_text()


@pytest.mark.slow
def test_what_somebody_added_to_our_file_stays_on_demand_only(folder: Path) -> None:
    file = folder / "out" / "test_tiny_shop.py"
    Machine({"tiny_shop": SEARCH}).generate(request(folder))
    file.write_text(file.read_text() + "\n\ndef test_mine():\n    assert True\n")
    with pytest.raises(UsageError, match="code that crashwright did not write"):
        Machine({}).generate(request(folder))
    Machine({"tiny_shop": SEARCH}).generate(request(folder, update=True))
    assert "def test_mine():" in file.read_text()
    assert "halve(3)" in file.read_text()


@pytest.mark.slow
def test_tests_folder_is_the_default_and_targets_reach_the_engine(folder: Path) -> None:
    (folder / "out" / "tests").mkdir()
    machine = Machine({"tiny_shop": SEARCH})
    result = machine.generate(request(folder, targets=("halve",), criteria=("branch",), selection="smart"))
    assert result.modules[0].file == str(folder / "out" / "tests" / "test_tiny_shop.py")
    assert (machine.targets[0].names, machine.targets[0].criteria) == (("halve",), ("branch",))
    assert machine.targets[0].selection == "smart"
