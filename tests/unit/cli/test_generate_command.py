"""The command line of ``generate``: options, settings of the project, errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crashwright.cli.generate import keys
from crashwright.cli.main import run
from crashwright.cli.project_settings import generate_settings, project_settings
from crashwright.cli.reproduce_options import keys as reproduce_keys
from crashwright.core.errors import ExitCode, UsageError
from crashwright.core.settings import Budget
from crashwright.core.suite import CRITERIA
from crashwright.workflows.generate.request import SuiteRequest
from crashwright.workflows.modules.request import ModulesRequest


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[SuiteRequest]:
    """What was asked for; nothing is generated."""
    seen: list[SuiteRequest] = []

    def refuse(request: ModulesRequest, *_: object) -> None:
        seen.append(request.suites)
        raise UsageError("stop", "now")

    monkeypatch.setattr("crashwright.cli.generate.generate_all", refuse)
    return seen


def test_options_become_a_request(asked: list[SuiteRequest]) -> None:
    run(
        [
            "generate",
            "shop",
            "--criteria",
            "line,branch",
            "--selection",
            "smart",
            "--evaluations",
            "50",
            "--target",
            "a",
            "--target",
            "b",
        ]
    )
    assert asked[0].criteria == ("branch", "line")
    assert (asked[0].selection, asked[0].targets, asked[0].budget) == ("smart", ("a", "b"), Budget(None, 50))
    run(["generate", "shop", "--selection", "branch,output"])
    assert (asked[1].selection, asked[1].criteria) == ("all", ("branch", "output"))
    run(["generate", "shop", "--flags", "none"])
    assert asked.pop().flags == "none"
    run(["generate", "shop"])
    assert asked[2].flags == "interprocedural"
    assert (asked[2].budget, asked[2].criteria, asked[2].search.algorithm) == (Budget(60.0), CRITERIA, "dynamosa")


@pytest.mark.parametrize(
    "arguments",
    [
        ["generate"],
        ["generate", "shop", "--algorithm", "guided"],
        ["generate", "shop", "--criteria", "branches"],
        ["generate", "a-b"],
    ],
)
def test_wrong_usage_is_one_message_and_two(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == ExitCode.USAGE
    err = capsys.readouterr().err
    assert err.startswith("crashwright: ")
    assert len(err.splitlines()) == 2


def test_module_that_is_not_there_is_three(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "shlx"]) == ExitCode.ENVIRONMENT
    assert "Did you mean shlex?" in capsys.readouterr().err
    assert run(["generate", "shlx", "--json"]) == ExitCode.ENVIRONMENT
    document = json.loads(capsys.readouterr().out)
    assert (document["verdict"], document["exit_code"]) == ("environment", 3)


def test_project_has_a_table_of_its_own_for_generate(tmp_path: Path, asked: list[SuiteRequest]) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text(
        '[tool.crashwright]\nseed = 3\nbudget = 5\npath = ["src"]\n\n[tool.crashwright.generate]\nbudget = 9\noutput = "tests"\n'
    )
    assert generate_settings(file, keys()) == {
        "seed": 3,
        "path": [str(tmp_path / "src")],
        "budget": 9,
        "output": str(tmp_path / "tests"),
    }
    assert project_settings(file, reproduce_keys()) == {"seed": 3, "budget": 5, "path": [str(tmp_path / "src")]}
    run(["generate", "shop", "--seed", "4"])
    assert (asked[0].search.seed, asked[0].budget.seconds, asked[0].output) == (4, 9.0, str(tmp_path / "tests"))


@pytest.mark.parametrize("text", ["[tool.crashwright.generate]\nbugdet = 3\n", "[tool.crashwright]\ngenerate = 3\n"])
def test_wrong_settings_name_the_file(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert run(["generate", "shlex"]) == ExitCode.USAGE
    assert "pyproject.toml" in capsys.readouterr().err
