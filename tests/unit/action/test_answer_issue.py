"""The steps of the GitHub Action, without GitHub."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
EVENT: dict[str, Any] = {
    "action": "labeled",
    "label": {"name": "crash"},
    "issue": {"number": 7, "body": "Traceback ..."},
    "repository": {"default_branch": "main"},
}
HERE = {"GITHUB_REF": "refs/heads/main"}
TEST = {"level": 4, "levels": [4, 4, 4], "text": "def test_it():\n    shop.take([], 3)\n"}
WHOLE = {"verdict": "reproduced", "test": TEST, "frames_total": 2, "frames_reached": 2, "evaluations": 1234, "seed": 1}


@pytest.fixture(scope="module")
def steps() -> ModuleType:
    spec = importlib.util.spec_from_file_location("answer_issue", ROOT / "action" / "answer_issue.py")
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("change", "where", "reason"),
    [
        ({}, "refs/heads/main", ""),
        ({"action": "unlabeled"}, "refs/heads/main", "no issue was labelled crash"),
        ({"label": {"name": "question"}}, "refs/heads/main", "no issue was labelled crash"),
        ({"issue": {"pull_request": {}}}, "refs/heads/main", "it is a pull request"),
        ({}, "refs/pull/7/merge", "this is not the default branch"),
    ],
)
def test_only_labelled_issues_on_the_default_branch_are_answered(
    change: dict[str, Any], where: str, reason: str, steps: ModuleType
) -> None:
    assert steps.refusal({**EVENT, **change}, {"GITHUB_REF": where}) == reason


def test_a_test_is_told_as_whole_only_where_it_is(steps: ModuleType) -> None:
    told = steps.answer(WHOLE)
    assert "in all 2 of its frames and with its message, in 3 fresh interpreters." in told
    assert "```python\ndef test_it():" in told
    assert "1,234 tests, seed 1" in told
    nearest = {**TEST, "level": 2, "missing": "another message"}
    part = steps.answer({**WHOLE, "test": nearest, "frames_reached": 1, "hints": ["a hint"]})
    assert "The crash was not reproduced: 1 of 2 frames were entered." in part
    assert "a hint\nanother message" in part
    none = steps.answer({"verdict": "environment", "error": {"message": "shop is not installed.", "advice": "Install it."}})
    assert "shop is not installed.\nInstall it." in none


def test_nothing_of_a_report_stands_outside_of_a_code_block(steps: ModuleType) -> None:
    hostile = "````\n@everyone <img src=x> [a](http://evil.example)\n```"
    documents = [
        {"error": {"message": hostile, "advice": hostile}},
        {**WHOLE, "test": {**TEST, "text": hostile, "near_miss": hostile}},
        {**WHOLE, "test": {**TEST, "level": 2, "text": hostile, "missing": hostile}, "hints": [hostile] * 9, "seed": hostile},
    ]
    for document in documents:
        bare = re.sub(r"^(`{5,})\w*\n.*?^\1$", "", steps.answer(document), flags=re.DOTALL | re.MULTILINE)
        assert "everyone" not in bare
        assert "evil" not in bare


def test_an_answer_fits_into_a_comment(steps: ModuleType) -> None:
    assert len(steps.answer({**WHOLE, "test": {**TEST, "text": "x" * 100_000}})) < 1000


def run(steps: ModuleType, tmp_path: Path, words: list[str], **environment: str) -> int:
    event = tmp_path / "event.json"
    event.write_text(json.dumps(EVENT))
    return steps.main(words, {"GITHUB_EVENT_PATH": str(event), **HERE, **environment})


def test_the_report_goes_in_on_standard_input_and_options_are_single_words(
    steps: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[list[str], bytes]] = []

    def fake(words: list[str], *, input: bytes, **_: object) -> object:
        seen.append((words, input))
        return type("Done", (), {"stdout": json.dumps(WHOLE).encode(), "stderr": b""})

    monkeypatch.setattr(steps.subprocess, "run", fake)
    file = tmp_path / "answer.md"
    assert run(steps, tmp_path, ["reproduce", str(file)], CRASHWRIGHT_PACKAGE="--allow network", CRASHWRIGHT_BUDGET="9") == 0
    [(words, given)] = seen
    assert given == b"Traceback ..."
    assert "--package=--allow network" in words
    assert "--budget=9" in words
    assert "def test_it()" in file.read_text()


@pytest.mark.parametrize("stdout", [b"", b"[]", b"Segmentation fault"])
def test_a_command_that_says_nothing_is_told(
    steps: ModuleType, stdout: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = type("Done", (), {"stdout": stdout, "stderr": b"what it said"})
    monkeypatch.setattr(steps.subprocess, "run", lambda *_, **__: done)
    run(steps, tmp_path, ["reproduce", str(tmp_path / "answer.md")])
    assert "crashwright ended without a result." in (tmp_path / "answer.md").read_text()


def test_no_answer_is_no_comment(steps: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(steps, tmp_path, ["comment", str(tmp_path / "none.md")]) == 0
    assert capsys.readouterr().out == "nothing to say\n"


def test_the_step_that_runs_the_project_has_no_token() -> None:
    steps = (ROOT / "action.yml").read_text(encoding="utf-8").partition("\n  steps:\n")[2].split("    - name: ")
    by_name = {step.partition("\n")[0]: step for step in steps if step.strip() and not step.startswith("#")}
    assert "token" not in by_name["Install crashwright"].replace("no token in its environment", "").lower()
    assert "CRASHWRIGHT_TOKEN" not in by_name["Reproduce"]
    assert "CRASHWRIGHT_TOKEN: ${{ inputs.token }}" in by_name["Comment"]


@pytest.mark.parametrize("file", ["action.yml", "examples/github/crash-issue.yml"])
def test_what_an_issue_says_is_in_no_command(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert not re.search(r"\$\{\{\s*github\.event\.issue\.(?!number)", text)
    assert not re.search(r"run: .*\$\{\{", text)
