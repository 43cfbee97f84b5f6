"""Which interpreter is asked, and how it is named afterwards."""

import sys
from pathlib import Path

import pytest

from crashwright.environment.interpreter import inspect_interpreter


def test_an_interpreter_may_be_named_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines and fresh runs stand in other folders."""
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    monkeypatch.chdir(tmp_path)
    assert inspect_interpreter(".venv/bin/python").executable == str(tmp_path / ".venv" / "bin" / "python")
