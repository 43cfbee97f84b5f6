"""``--version``: the commit is that of the sources that run, never that of a project they are installed in."""

from __future__ import annotations

import json
import subprocess
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from crashwright.cli.main import run
from crashwright.cli.version import SHOWN, commit_of_checkout, commit_of_installation


class Installed(Distribution):
    def __init__(self, told: str | None) -> None:
        self._told = told

    def read_text(self, filename: str) -> str | None:
        return self._told if filename == "direct_url.json" else None

    def locate_file(self, path):
        raise NotImplementedError


def git(folder: Path, *arguments: str) -> str:
    line = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout.strip()


def test_a_checkout_has_its_commit_and_a_mark_where_it_was_changed(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    source = tmp_path / "src" / "module.py"
    source.write_text("x = 1\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first")
    commit = git(tmp_path, "rev-parse", "HEAD")[:SHOWN]
    assert commit_of_checkout(tmp_path) == commit
    source.write_text("x = 2\n")
    assert commit_of_checkout(tmp_path) == f"{commit}+"
    assert commit_of_checkout(tmp_path / "src") is None  # somebody's environment inside their own project


def test_what_is_no_repository_has_none(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /nowhere/at/all\n")
    assert commit_of_checkout(tmp_path) is None


@pytest.mark.parametrize(
    "told", [None, "", "{", "[]", "{}", json.dumps({"vcs_info": None}), json.dumps({"url": "file:///x", "dir_info": {}})]
)
def test_an_installation_without_a_repository_has_none(told: str | None) -> None:
    assert commit_of_installation(Installed(told)) is None


def test_an_installation_from_a_repository_has_its_commit() -> None:
    told = json.dumps({"url": "https://example.org/x.git", "vcs_info": {"vcs": "git", "commit_id": "0123456789abcdef" * 2}})
    assert commit_of_installation(Installed(told)) == "0123456789ab"


def test_the_command_says_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("0.1.0")
