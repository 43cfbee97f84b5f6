"""An option that is not there is never taken for the name of a report."""

from __future__ import annotations

from pathlib import Path

import pytest

from crashwright.cli.main import run
from crashwright.core.errors import ExitCode


@pytest.mark.parametrize("words", [["reproduce"], ["explain"], ["page"], ["batch"], ["batch", "crash.txt"]])
def test_it_is_named(words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*words, "--bugdet"]) == ExitCode.USAGE
    assert "Unknown option: --bugdet." in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
