"""Generated suites as rows, as progress and as JSON."""

from __future__ import annotations

import dataclasses
import io
import json

from rich.console import Console

from crashwright.core.errors import ExitCode
from crashwright.core.messages import Confined, Ready, SuiteProgress
from crashwright.core.suite import CriterionCoverage, LineMutants, OpenBranch, PossibleDefect
from crashwright.reporting.suite import suite_rows
from crashwright.reporting.suite_progress import SuiteJsonReport, SuitePlainReport, suite_document, suite_searching
from crashwright.reporting.suite_terminal import SuiteTerminalReport
from crashwright.workflows.batch.events import BatchTold, Begun, Working
from crashwright.workflows.generate.events import (
    ModuleEnded,
    StepAfterSearch,
    SubjectFound,
    SuiteEngineStarted,
    SuiteSearching,
    SuiteStep,
)
from crashwright.workflows.generate.result import NOTHING, WRITTEN, Dropped, Elsewhere, ModuleSuite, SuiteResult

COVERAGE = (CriterionCoverage("branch", 9, 12), CriterionCoverage("exception", 2, 2), CriterionCoverage("output", 0, 0))
ONE = ModuleSuite(
    "shop.stock",
    WRITTEN,
    "tests/test_stock.py",
    tests=7,
    assertions=12,
    coverage=COVERAGE,
    open_branches=(OpenBranch("Box.open", 12, "`if`-condition is false", 0.25), OpenBranch("Box.shut", 15, "loop", None)),
    open_count=14,
    mutants_killed=30,
    mutants_total=41,
    mutants_untried=4,
    never_returned=("load",),
    possible_defects=tuple(PossibleDefect(f"mean([{n}])", "ZeroDivisionError: division by zero", n, "mean") for n in range(5)),
    elsewhere=Elsewhere(weakened=2, dropped=1),
    dropped=tuple(Dropped(f"test_{number}", "it hangs") for number in range(7)),
    evaluations=12000,
    tests_per_second=4000.0,
)
NONE = ModuleSuite("shop.net", ExitCode.ENVIRONMENT, problem="no module named numpy", advice="Install it.")


def result(*modules: ModuleSuite, code: ExitCode = WRITTEN) -> SuiteResult:
    return SuiteResult(code, "shop", "3.11.7", 1, modules, 44.0, command="crashwright generate shop --seed 1")


def text(of: SuiteResult) -> str:
    return "\n".join(f"{row.label:<11}{row.text}" for row in suite_rows(of))


def test_the_whole_story_shortens_nothing() -> None:
    names = tuple(f"load_{number}" for number in range(9))
    refused = tuple(f"crashwright refused to write {number}" for number in range(9))
    suite = dataclasses.replace(ONE, never_returned=names, incidents=refused)
    rows = [row.text for row in suite_rows(result(suite, NONE), whole=True)]
    assert "test_0, test_1, test_2, test_3, test_4, test_5, test_6: it hangs" in rows
    assert (
        f"{', '.join(f'`{name}`' for name in names)} returned in no test: every call raised an exception, or there was none" in rows
    )
    assert set(refused) < set(rows)
    assert rows.count("shop.stock") == 1


def test_one_module_in_full() -> None:
    shown = text(result(ONE))
    for part in (
        "12,000 tests run   4,000/s   seed 1",
        "branch 9/12 (75 %)   exception 2 found   output none",
        "mutants    30 of 41 in the whole module are killed; 4 of them were not tried, because the time was up",
        "not taken  Box.open:12  `if`-condition is false  (nearest distance 0.25)",
        "Box.shut:15  loop  (never evaluated)",
        "... and 12 more branches",
        "           `load` returned in no test: every call raised an exception, or there was none",
        "defects?   `mean([0])` raises ZeroDivisionError: division by zero in line 0",
        "           `mean([3])` raises ZeroDivisionError: division by zero in line 3\n           ... and 1 more",
        "elsewhere  3 tests did not pass with another date, environment or folder: 2 assert less, 1 left out",
        "dropped    test_0, test_1 and 5 more: it hangs",
        "wrote      tests/test_stock.py   7 tests, 12 assertions      try it:  pytest tests/test_stock.py",
        "repeat     crashwright generate shop --seed 1",
    ):
        assert part in shown


def test_changes_that_no_test_notices_are_listed_by_line() -> None:
    lines = (LineMutants(3, 2), LineMutants(9, 0, ("draft.save() -> nothing", "1 -> 2")), LineMutants(12, 1, ("<", "+", "-")))
    suite = dataclasses.replace(ONE, mutants=lines)
    shown = text(result(suite))
    assert "unnoticed  line 9: draft.save() -> nothing\n           line 9: 1 -> 2\n           line 12: <" in shown
    assert "... and 1 more change" in shown
    assert "line 12: -" in [row.text for row in suite_rows(result(suite), whole=True)]


def test_what_was_left_out_is_told_once_for_each_reason() -> None:
    alike = dataclasses.replace(ONE, dropped=(Dropped("a test of price", "it hangs"),) * 2)
    assert "dropped    2 tests of price: it hangs" in text(result(alike))
    reasons = [*("it does what confinement refuses" for _ in range(4)), "it hangs", *(f"reason {number}" for number in range(5))]
    suite = dataclasses.replace(ONE, dropped=tuple(Dropped("a test", reason) for reason in reasons))
    shown = text(result(suite))
    assert shown.count("it does what confinement refuses") == 1
    assert "dropped    4 tests: it does what confinement refuses" in shown
    assert "           a test: it hangs" in shown
    assert "... and 2 more tests" in shown


def test_package_in_a_line_for_each_module_and_a_sum() -> None:
    shown = text(result(ONE, NONE))
    assert "shop.stock   branches 9/12 (75 %)   7 tests   tests/test_stock.py" in shown
    assert "shop.net   no suite: no module named numpy" in shown
    assert "in all     1 of 2 modules   branches 9/12   7 tests   44.0 s" in shown


def test_modules_without_a_suite_for_one_reason_are_told_in_one_line() -> None:
    late = [ModuleSuite(f"shop.part{number}", NOTHING, problem="no time", advice="--budget 90") for number in range(6)]
    shown = text(result(ONE, *late))
    assert "shop.part0, shop.part1 and 4 more   no suite: no time" in shown
    assert shown.count("--budget 90") == 1


def test_no_suite_says_why() -> None:
    shown = text(result(NONE, code=ExitCode.ENVIRONMENT))
    assert "no suite   no module named numpy" in shown
    assert "Install it." in shown


def test_confinement_is_a_row_and_among_the_notes_of_the_module() -> None:
    held = dataclasses.replace(ONE, confined=Confined("Landlock 7", (), ("start a process",)))
    assert "confined   Landlock 7\n           crashwright refused the import to start a process\n" in text(result(held))
    told = suite_document(result(held))["modules"][0]
    assert told["notes"] == ["confinement: Landlock 7", "crashwright refused the import to start a process"]


def test_document_is_one_object_with_numbers_for_codes() -> None:
    document = suite_document(result(ONE, NONE))
    assert (document["schema"], document["verdict"], document["exit_code"]) == (1, "written", 0)
    assert [one["exit_code"] for one in document["modules"]] == [0, 3]
    assert document["modules"][0]["open_branches"][1] == {"qualname": "Box.shut", "line": 15, "text": "loop", "distance": None}
    assert json.loads(json.dumps(document)) == document
    assert suite_document(result(code=NOTHING))["verdict"] == "nothing generated"


def test_progress_is_told_once_a_second() -> None:
    out, log, now = io.StringIO(), io.StringIO(), [0.0]
    report = SuitePlainReport(out, log, lambda: now[0])
    report.event(SubjectFound("shop.stock", ("shop.stock",), "3.11.7", ("a note",)))
    report.event(SuiteEngineStarted("shop.stock", Ready("3.11.7", 0.2, "")))
    searching = SuiteSearching("shop.stock", SuiteProgress(1.0, 4000, COVERAGE, 3, 20), 4000.0, 12.3)
    for now[0] in (0.1, 1.2, 1.4, 2.5):
        report.event(searching)
    report.event(SuiteStep("shop.stock", StepAfterSearch.VERIFYING, 20))
    report.result(result(ONE))
    lines = [line for line in log.getvalue().splitlines() if "4,000/s" in line]
    assert lines[0].endswith("stock  branch 9/12  exception 2/2  20 tests  4,000/s  12 s left")
    assert len(lines) == 3
    assert "subject    shop.stock; Python 3.11.7" in out.getvalue()
    assert "wrote " in out.getvalue()


def test_on_a_terminal_each_worker_has_a_line_where_there_are_many_modules() -> None:
    drawn = io.StringIO()
    report = SuiteTerminalReport(Console(file=drawn, force_terminal=True, width=100, color_system=None))
    report.event(SubjectFound("shop", ("shop.cart", "shop.stock"), "3.11.7", ()))
    report.event(BatchTold("1 of 3 modules were done by an earlier run"))
    report.event(Begun(1, "shop.cart", 60.0))
    report.event(Begun(2, "shop.stock", None))
    report.event(Working(2, "stock  branch 9/12"))
    report.event(BatchTold("a worker is gone"))
    still = Console(file=io.StringIO(), width=100)
    with still.capture() as capture:
        still.print(report.workers.lines())
    [first, second, third] = capture.get().splitlines()
    assert first.split()[:2] == ["1", "shop.cart"]
    assert second.split() == ["2", "shop.stock", "stock", "branch", "9/12"]
    assert third.strip() == "a worker is gone"
    report.event(ModuleEnded(ONE, 2, 3, 2))
    report.result(result(ONE))
    assert "shop, 2 modules; Python 3.11.7" in drawn.getvalue()
    assert drawn.getvalue().count("wrote      shop.stock") == 1


def test_warming_up_is_told_where_it_took_its_time() -> None:
    progress = SuiteProgress(9.0, 4000, COVERAGE, 3, 20, warm_up=2.26)
    assert suite_searching("shop.stock", progress, 4000.0, 12.3).endswith("4,000/s  warmed up for 2.3 s  12 s left")


def test_json_progress_is_lines() -> None:
    out, log = io.StringIO(), io.StringIO()
    report = SuiteJsonReport(out, log, lambda: 0.0)
    report.event(SuiteSearching("shop.stock", SuiteProgress(1.0, 4000, COVERAGE, 3, 20), 4000.0, None))
    assert json.loads(log.getvalue())["progress"]["evaluations"] == 4000


def test_a_suite_is_tried_with_the_interpreter_that_was_asked_for() -> None:
    there = dataclasses.replace(result(ONE), interpreter=".venv/bin/python")
    assert "try it:  .venv/bin/python -m pytest tests/test_stock.py\n" in text(there)
    without = dataclasses.replace(there, has_pytest=False)
    assert ".venv/bin/python -m pytest tests/test_stock.py   (once pytest is installed there)\n" in text(without)
