from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from crashwright.cli.main import run
from crashwright.cli.project_settings import nearest_pyproject, project_settings
from crashwright.cli.reproduce_options import ReproduceOptions, keys
from crashwright.core.errors import ExitCode, UsageError

TRACEBACK = """\
Traceback (most recent call last):
  File "/x/main.py", line 3, in <module>
    shop.reserve(items)
  File "/x/site-packages/no_such_package_here/stock.py", line 3, in reserve
    return items[9]
IndexError: list index out of range
"""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def stdin(monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.split()[0] == "0.1.0"
    assert run([]) == 0
    assert "reproduce" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["reprodce"],
        ["reproduce"],
        ["reproduce", "-", "--frob"],
        ["reproduce", "-", "--expect", "explode"],
        ["reproduce", "none.txt"],
    ],
)
def test_wrong_usage_is_one_message_and_two(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin(monkeypatch, b"")
    assert run(arguments) == ExitCode.USAGE
    err = capsys.readouterr().err
    assert err.startswith("crashwright: ")
    assert "Traceback" not in err
    assert len(err.splitlines()) == 2


@pytest.mark.parametrize("text", [b"", b"hello\n", b"\xff\xfe\x00\x01", b"Traceback (most recent call last):\n"])
def test_unreadable_report(text: bytes, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    stdin(monkeypatch, text)
    assert run(["reproduce", "-"]) == ExitCode.USAGE
    assert capsys.readouterr().err.startswith("crashwright: ")


def test_package_that_is_not_installed(capsys: pytest.CaptureFixture[str]) -> None:
    Path("crash.txt").write_text(TRACEBACK)
    assert run(["reproduce", "crash.txt"]) == ExitCode.ENVIRONMENT
    assert "no_such_package_here" in capsys.readouterr().err


def test_json_error_is_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    Path("crash.txt").write_text(TRACEBACK)
    assert run(["reproduce", "crash.txt", "--json"]) == ExitCode.ENVIRONMENT
    document = json.loads(capsys.readouterr().out)
    assert (document["schema"], document["verdict"], document["exit_code"]) == (1, "environment", 3)
    assert "no_such_package_here" in document["error"]["message"]


def test_project_settings_are_the_options_and_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "deep").mkdir()
    file = tmp_path / "pyproject.toml"
    file.write_text('[tool.crashwright]\nseed = 3\npath = ["src"]\npython = "python3.11"\nkeep-best = true\n')
    assert nearest_pyproject(tmp_path / "deep") == file
    assert project_settings(file, keys()) == {"seed": 3, "path": [str(tmp_path / "src")], "python": "python3.11", "keep-best": True}


def test_command_line_wins_over_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[ReproduceOptions] = []
    monkeypatch.setattr("crashwright.cli.reproduce._request", lambda _, options: seen.append(options))
    monkeypatch.setattr("crashwright.cli.reproduce.reproduce", lambda *_: (_ for _ in ()).throw(UsageError("stop")))
    (tmp_path / "pyproject.toml").write_text('[tool.crashwright]\nseed = 3\nbudget = 5\npath = ["a"]\n')
    run(["reproduce", "-", "--seed", "4", "--path", "b", "--path", "c"])
    assert (seen[0].seed, seen[0].budget, seen[0].path) == (4, 5.0, ("b", "c"))
    run(["reproduce", "-"])
    assert (seen[1].seed, seen[1].path) == (3, (str(tmp_path / "a"),))


@pytest.mark.parametrize("text", ["[tool.crashwright]\nsede = 3\n", "[tool]\ncrashwright = 3\n", "[tool.crashwright\n"])
def test_wrong_project_settings_name_the_file(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert run(["reproduce", "-"]) == ExitCode.USAGE
    err = capsys.readouterr().err
    assert "pyproject.toml" in err
    assert "sede" in err or "sede" not in text


def test_doctor_says_what_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "Fit for a search." in out
    assert re.search(r"Landlock +(version \d+; tested: blocks writing|not available here \()", out)
    assert re.search(r"seccomp +(tested: blocks programs|not available here \()", out)
    assert re.search(r"probes +(compiled\n|in Python \()", out)
    assert run(["doctor", "--python", "/no/such/python"]) == ExitCode.ENVIRONMENT


def test_help_loads_nothing_of_a_command() -> None:
    program = (
        "import sys; from crashwright.cli.main import run; run(['--help']); "
        "print(sorted(m for m in sys.modules if 'crashwright' in m))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    modules = done.stdout.splitlines()[-1]
    assert "workflows" not in modules
    assert "finishing" not in modules


def test_interrupt_is_130(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    stdin(monkeypatch, TRACEBACK.encode())
    monkeypatch.setattr("crashwright.cli.reproduce.reproduce", interrupted)
    assert run(["reproduce", "-"]) == ExitCode.INTERRUPTED


def test_explain_says_why_not_and_how_it_ends(capsys: pytest.CaptureFixture[str]) -> None:
    Path("crash.txt").write_text(TRACEBACK)
    assert run(["explain", "crash.txt"]) == ExitCode.ENVIRONMENT
    out = capsys.readouterr().out
    assert "no_such_package_here is not installed" in out
    assert "verdict    cannot be searched" in out
    assert run(["explain", "crash.txt", "--json"]) == ExitCode.ENVIRONMENT
    document = json.loads(capsys.readouterr().out)
    assert (document["verdict"], document["exit_code"], len(document["frames"])) == ("environment", 3, 2)
    assert run(["explain", "none.txt", "--json"]) == ExitCode.USAGE
    assert json.loads(capsys.readouterr().out)["verdict"] == "usage"
    assert run(["explain", "crash.txt", "--report-number", "7"]) == ExitCode.USAGE


def test_explain_and_verify_take_the_project_s_settings_that_concern_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("crash.txt").write_text(TRACEBACK)
    (tmp_path / "pyproject.toml").write_text('[tool.crashwright]\nseed = 3\nreport-number = 1\npython = "/no/such/python"\n')
    assert run(["explain", "crash.txt"]) == ExitCode.ENVIRONMENT
    assert "/no/such/python" in capsys.readouterr().out
    (tmp_path / "pyproject.toml").write_text("[tool.crashwright]\nsede = 3\n")
    assert run(["explain", "crash.txt"]) == ExitCode.USAGE


def test_verify_needs_a_test_and_a_package(capsys: pytest.CaptureFixture[str]) -> None:
    Path("crash.txt").write_text(TRACEBACK)
    assert run(["verify", "test_none.py", "crash.txt"]) == ExitCode.USAGE
    assert "test_none.py" in capsys.readouterr().err
    Path("test_it.py").write_text("def test_it():\n    pass\n")
    assert run(["verify", "test_it.py", "crash.txt", "--json"]) == ExitCode.ENVIRONMENT
    assert "no_such_package_here" in json.loads(capsys.readouterr().out)["error"]["message"]


def test_explain_loads_no_engine_process_and_no_rich(tmp_path: Path) -> None:
    Path("crash.txt").write_text(TRACEBACK)
    program = (
        "import sys; from crashwright.cli.main import run; run(['explain', 'crash.txt']); "
        "print(sorted(m for m in sys.modules if m.partition('.')[0] in ('crashwright', 'rich')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    modules = done.stdout.splitlines()[-1]
    for unwanted in ("'rich'", "supervision.engine_process", "engine.worker", "engine.sessions", "workflows.reproduce.story"):
        assert unwanted not in modules
