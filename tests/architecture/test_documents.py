"""The documents are true: commands, options and exit codes are those of the program."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from crashwright.cli import generate, reproduce_options
from crashwright.cli.main import run
from crashwright.core.errors import ExitCode

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
REPRODUCING = (ROOT / "docs" / "reproducing.md").read_text(encoding="utf-8")


def test_gate_runs_the_commands_of_readme() -> None:
    blocks = re.findall(r"<!-- ci: (\w+) -->\n```\n(.*?)\n```", README, re.DOTALL)
    assert [name for name, _ in blocks] == ["reproduce", "tests", "slow"]
    assert all("\n" not in command for _, command in blocks)
    done = subprocess.run([str(ROOT / ".ci" / "run"), "--print-commands"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [command for _, command in blocks]


@pytest.mark.parametrize(
    ("command", "page", "keys"),
    [("reproduce", "reproducing.md", reproduce_options.keys()), ("generate", "generate.md", generate.keys())],
)
def test_option_table_is_that_of_help(
    command: str, page: str, keys: frozenset[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run([command, "--help"]) == 0
    shown = set(re.findall(r"--([a-z][a-z-]*)", capsys.readouterr().out.partition("Options")[2]))
    section = (ROOT / "docs" / page).read_text(encoding="utf-8").partition("\n## Options\n")[2].partition("\n#")[0]
    documented = set(re.findall(r"^\| `--([a-z-]+)", section, re.MULTILINE))
    assert documented == set(keys)
    assert documented <= shown


def test_exit_codes_are_documented(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", REPRODUCING, re.MULTILINE)}
    assert documented == {int(code) for code in ExitCode}
    assert run(["--help"]) == 0
    epilogue = capsys.readouterr().out.partition("Exit codes:")[2]
    assert {int(code) for code in re.findall(r"\b\d+\b", epilogue)} == documented


def test_every_decision_says_what_why_and_with_what_consequences() -> None:
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    assert len(pages) >= 5
    for number, page in enumerate(pages, start=1):
        text = page.read_text(encoding="utf-8")
        assert page.name.startswith(f"{number:04}-")
        assert all(part in text for part in ("**Decision.**", "**Why.**", "**Consequences.**")), page.name


def test_architecture_names_files_that_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for name in re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.py)`", text):
        assert (ROOT / "src" / "crashwright" / name).is_file(), f"docs/architecture.md names {name}"
