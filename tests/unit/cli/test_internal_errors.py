"""A defect of ours: exit code 70 in every command, one line, and a file to attach to a report of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from crashwright.cli.main import run
from crashwright.core.errors import EngineFailure, ExitCode
from crashwright.core.messages import Failed, FailureKind
from crashwright.workflows.hunting.failures import failure

COMMANDS = {
    "reproduce": ["reproduce", "crash.txt"],
    "generate": ["generate", "shlex"],
    "explain": ["explain", "crash.txt"],
    "verify": ["verify", "test_it.py", "crash.txt"],
    "doctor": ["doctor"],
}
STORIES = {"generate": "generate_all"}
"""Where they are not called as their commands."""
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "crash.txt").write_text("Traceback (most recent call last):\n  File 'a.py', line 1, in f\nKeyError: 1\n")


def broken(monkeypatch: pytest.MonkeyPatch, command: str, error: Exception) -> None:
    def fail(*_: object) -> None:
        number_of_the_account = "4711-0815"
        raise error from KeyError(len(number_of_the_account))

    monkeypatch.setattr(f"crashwright.cli.{command}.{STORIES.get(command, command)}", fail)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_it_in_one_line_and_a_file(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(monkeypatch, command, ZeroDivisionError("ours"))
    assert run(COMMANDS[command]) == ExitCode.INTERNAL == 70
    captured = capsys.readouterr()
    [line] = captured.err.splitlines()
    assert line.startswith("crashwright: internal error (ZeroDivisionError: ours)")
    text = Path(line.split()[-1]).read_text()
    assert "in fail" in text
    assert "crashwright 0.1.0" in text
    assert f"command   crashwright {' '.join(COMMANDS[command])}" in text
    assert "4711" not in text.replace('number_of_the_account = "4711-0815"', "")  # the line of source is ours, its value is not


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"doctor"}))
def test_json_has_it_as_a_document(command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch, command, ZeroDivisionError("ours"))
    assert run([*COMMANDS[command], "--json"]) == ExitCode.INTERNAL
    document = json.loads(capsys.readouterr().out)
    assert (document["verdict"], document["exit_code"]) == ("internal error", 70)
    assert "in fail" in Path(document["error"]["file"]).read_text()


def test_failed_engine_is_no_problem_of_the_environment(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    error = failure(Failed(FailureKind.INTERNAL, "the engine failed: KeyError: nan", "Traceback ...\n  line of the engine"))
    assert isinstance(error, EngineFailure)
    broken(monkeypatch, "reproduce", error)
    assert run(COMMANDS["reproduce"]) == ExitCode.INTERNAL
    [line] = capsys.readouterr().err.splitlines()
    assert "the engine failed: KeyError: nan" in line
    assert "line of the engine" in Path(line.split()[-1]).read_text()


def test_what_looks_like_a_secret_is_in_neither(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch, "reproduce", EngineFailure(f"KeyError: {TOKEN!r}", f"Traceback\n    x = {TOKEN!r}\nKeyError: {TOKEN!r}"))
    assert run([*COMMANDS["reproduce"], "--package", TOKEN]) == ExitCode.INTERNAL
    [line] = capsys.readouterr().err.splitlines()
    text = Path(line.split()[-1]).read_text()
    assert TOKEN not in line + text
    assert "KeyError: " in text


def test_traceback_is_shown_where_no_file_can_be_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/no/such/folder")
    broken(monkeypatch, "reproduce", ZeroDivisionError("ours"))
    assert run(COMMANDS["reproduce"]) == ExitCode.INTERNAL
    *trace, line = capsys.readouterr().err.splitlines()
    assert re.search(r"internal error .*the text above$", line)
    assert any("in fail" in one for one in trace)
