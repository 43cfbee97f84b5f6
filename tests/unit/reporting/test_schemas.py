"""The published schemas are those of the program, and every kind of document is what its schema says."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from published_schemas import faults, published
from shown_results import RESULT
from shown_suites import SUITES

from crashwright.cli.main import run
from crashwright.core.errors import ExitCode
from crashwright.core.report import CrashReport, ReportedException
from crashwright.finishing.crash.after_fix import FixOutcome
from crashwright.reporting.batch import batch_document
from crashwright.reporting.doctor import doctor_document
from crashwright.reporting.json_result import document, error_document, explanation_document, verification_document
from crashwright.reporting.schemas import schemas
from crashwright.reporting.suite_progress import suite_document
from crashwright.workflows.batch.answer import Answer, Verdict
from crashwright.workflows.batch.gathering import Unread
from crashwright.workflows.batch.ledger import LedgerEntry, ReportedCrash
from crashwright.workflows.batch.request import BatchResult
from crashwright.workflows.inquiries.doctor import Diagnosis, DoctorCheck
from crashwright.workflows.inquiries.explanation import (
    Conditions,
    ExplainedFrame,
    ExplainProblem,
    Explanation,
    FrameConditions,
    ListedReport,
    SearchPlan,
)
from crashwright.workflows.inquiries.verification import FixedResult, TestVerdict, VerifyResult
from crashwright.workflows.inquiries.verification import VerifyAnswer as Word

CRASH = ReportedCrash(
    "f00d", "KeyError: 'a'", CrashReport((ReportedException("KeyError", "'a'", ()),)), "", "app.log", "1", "a token"
)
ENTRIES = (
    LedgerEntry(CRASH, 12, None, "", True),
    LedgerEntry(CRASH, 1, Answer(Verdict.REPRODUCED, level=4, seconds=2.5), "test_a.py", True),
)
FRAME = ExplainedFrame("/srv/a.py:3", "f", "crash", "a.py:3", "a:f", "a", 1, source="f(1)")
PLAN = SearchPlan("a.f", "called directly", False, True, ("a.py:3 f",), "KeyError", "'a'", "any key", ("f(1)",), ("'a'",))
CONDITIONS = Conditions((FrameConditions(1, "a:f", ("x == 1",), ("line 3",), (0,), ("sorted",), ("line 4",)),), "")
EXPLAINED = Explanation(
    ExitCode.SUCCESS, "KeyError", "'a'", (ListedReport("1", "KeyError", True),), ("ValueError",), (FRAME,), search=PLAN
)
VERIFIED = VerifyResult(
    Word.REPRODUCES, ExitCode.SUCCESS, "KeyError", "'a'", "a.py:3", "a 1.0", "3.11.7", "pytest", 2, 4, "test_a", (4, 4, 4)
)
FIXED = FixedResult("a 1.1", FixOutcome.PASSES, "", (FixOutcome.PASSES,))
DOCUMENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "reproduced": ("reproduce", document(RESULT)),
    "suites": ("generate", suite_document(SUITES)),
    "batch": ("batch", batch_document(BatchResult(ExitCode.PARTIAL, ENTRIES, 13, (Unread("b.log", "empty"),), "t", "t/b.db", 3.0))),
    "fit": ("doctor", doctor_document(Diagnosis((DoctorCheck("fork", "ok", "there"),)))),
    "unfit": ("doctor", doctor_document(Diagnosis((DoctorCheck("fork", "failed", "missing"),)))),
    "explained": ("explain", explanation_document(EXPLAINED)),
    "conditions": ("explain", explanation_document(Explanation(ExitCode.SUCCESS, "E", "", search=PLAN, conditions=CONDITIONS))),
    "not searchable": ("explain", explanation_document(Explanation(ExitCode.USAGE, "E", "", problem=ExplainProblem("no", "try")))),
    "verified": ("verify", verification_document(VERIFIED)),
    "error": ("verify", error_document(ExitCode.USAGE, "no such file", "look again")),
    "defect": ("reproduce", error_document(ExitCode.INTERNAL, "a defect", "report it", "", "Traceback")),
}


@pytest.mark.parametrize("command", schemas())
def test_schemas_are_schemas_and_tell_what_fields_are(command: str) -> None:
    schema = published(command)
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"urn:crashwright:schema:1:{command}"
    told = [one["description"] for one in (schema["anyOf"][0], *schema["$defs"].values())]
    assert all(told)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_are_what_their_schemas_say(name: str) -> None:
    command, made = DOCUMENTS[name]
    assert made["schema"] == 1
    assert faults(command, made) == []


def test_with_a_fixed_side_the_verdict_is_that_of_both() -> None:
    made = verification_document(
        dataclasses.replace(VERIFIED, fixed=FIXED, tests=(TestVerdict("t", "failed", 4, 2, "KeyError", ""),))
    )
    assert made["verdict"] == "fail to pass"
    assert faults("verify", made) == []


def test_documents_that_are_otherwise_are_told_apart() -> None:
    made = document(RESULT)
    assert faults("reproduce", {**made, "seed": "one"}) == ["$.seed: 'one' is not of type 'integer'"]
    assert "'colour'" in faults("reproduce", {**made, "colour": "red"})[0]
    assert "'seed' is a required property" in faults("reproduce", {name: one for name, one in made.items() if name != "seed"})[0]
    with pytest.raises(ValueError, match="JSON"):
        faults("reproduce", {**made, "distance": math.inf})


def test_doctor_prints_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["doctor", "--json"])
    made = json.loads(capsys.readouterr().out)
    assert faults("doctor", made) == []
    assert (made["exit_code"], made["verdict"]) == (code, "not fit" if code else "fit")
    assert made["checks"][0]["name"] == "crashwright"


def test_an_interpreter_that_is_none_is_an_answer_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--json", "-p", str(tmp_path / "python")]) == 3
    made = json.loads(capsys.readouterr().out)
    assert faults("doctor", made) == []
    assert [one["verdict"] for one in made["checks"]] == ["ok", "failed"]
