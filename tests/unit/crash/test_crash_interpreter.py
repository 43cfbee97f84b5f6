"""Asking an interpreter, and finding the project around a folder. Runs the interpreter of the tests and fake ones."""

import os
import sys
from pathlib import Path

import pytest
from patience import HANG

from crashwright.core.errors import EnvironmentProblem
from crashwright.environment.interpreter import inspect_interpreter


def fake(folder: Path, script: str) -> str:
    exe = folder / "python"
    exe.write_text(f"#!/bin/sh\n{script}\n")
    exe.chmod(0o755)
    return str(exe)


def test_this_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "os.py").write_text("raise SystemExit('the current folder was imported from')")
    monkeypatch.delenv("PYTHONPATH", raising=False)
    found = inspect_interpreter(sys.executable, [str(tmp_path / ".")])
    assert found.version == sys.version_info[:3]
    assert found.sys_path[0] == str(tmp_path)
    assert "" not in found.sys_path
    assert os.path.dirname(os.__file__) in found.stdlib
    assert found.has_pytest
    assert str(tmp_path) not in inspect_interpreter(sys.executable).sys_path


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo \"((3, 8, 1), ['/x'], ['/y'])\"", "is Python 3.8.1; crashwright needs"),
        ("echo broken >&2; exit 3", "not a working Python interpreter: broken"),
        ("exit 3", "exit status 3"),
        ("exec sleep 3000", "did not answer within 0.3 s"),
    ],
)
def test_unfit_interpreters_are_refused(tmp_path: Path, script: str, words: str) -> None:
    with pytest.raises(EnvironmentProblem) as caught:
        inspect_interpreter(fake(tmp_path, script), timeout=0.3 if "sleep" in script else HANG)
    assert words in caught.value.message
    assert "--python" in caught.value.advice


def test_missing_interpreter_and_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="cannot be run: No such file"):
        inspect_interpreter(str(tmp_path / "none"))
    with pytest.raises(EnvironmentProblem, match="There is no folder"):
        inspect_interpreter(sys.executable, [str(tmp_path / "none")])
