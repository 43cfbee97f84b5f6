"""What a program looks for is noted though it only asks whether it is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from crashwright.engine.sources.sought_files import sought_files


def test_files_of_the_folder_and_the_home_are_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, folder = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    folder.mkdir()
    (folder / "there.ini").write_text("")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(folder)
    with sought_files() as found:
        assert not Path("pyproject.toml").is_file()
        assert not os.path.exists(os.path.expanduser("~/.shop/config.yaml"))
        assert Path("there.ini").exists()
        assert not os.path.exists("/nowhere/at/all")
    assert list(found) == ["pyproject.toml", "~/.shop/config.yaml"]


def test_afterwards_nothing_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = os.stat
    with sought_files() as found:
        assert os.stat is not before
    assert os.stat is before
    assert not Path("later.toml").exists()
    assert found == {}
