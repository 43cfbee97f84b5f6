"""Which probes are chosen, and why; and that the compiled ones need no more than the file that is handed to them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from built_probes import built

import crashwright
from crashwright.engine.instrument import compiled
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.python_probes import PythonProbes

ASK = """
import sys
sys.path.insert(0, sys.argv[1])
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.compiled import choice
print(choice().text, type(Recorder().probes).__name__)
"""


def test_the_environment_may_ask_for_those_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(compiled.CHOICE, "python")
    assert compiled.choice().text == "in Python (CRASHWRIGHT_PROBES says so)"
    assert type(Recorder().probes) is PythonProbes


def test_without_a_compiled_module_the_probes_are_in_python(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(compiled.CHOICE, str(tmp_path / compiled.FILE))
    assert compiled.choice().text == "in Python (the compiled ones were not built: pip had no C compiler)"
    assert type(Recorder().probes) is PythonProbes


def test_a_file_that_is_no_module_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / compiled.FILE
    broken.write_text("nothing")
    monkeypatch.setenv(compiled.CHOICE, str(broken))
    assert compiled.choice().text.startswith("in Python (the compiled ones cannot be loaded: ")
    assert type(Recorder().probes) is PythonProbes


def test_an_isolated_interpreter_loads_them_by_path() -> None:
    module = built()
    assert module.__spec__ is not None
    path = str(module.__spec__.origin)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", ASK, str(Path(crashwright.__file__).parents[1])],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, compiled.CHOICE: path},
    )
    assert done.stdout == "compiled CompiledProbes\n"


def test_a_core_is_made_once_and_probes_say_what_they_lack() -> None:
    probes = compiled.CompiledProbes([], 1, built())
    with pytest.raises(TypeError, match="6 arguments"):
        probes.lt([0.0, 0.0, 0])
    with pytest.raises(TypeError):
        probes.flag([0.0, 0.0, 0], "no slot", True)
    with pytest.raises(IndexError):
        probes.flag([], 0, True)
