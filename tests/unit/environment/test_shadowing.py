"""Files with the name of a standard module: one clear word where no test could run, nothing where it does not matter."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from crashwright.core.errors import EnvironmentProblem
from crashwright.crash.examine import examine
from crashwright.crash.readers.registry import read_reports
from crashwright.environment import shadowing
from crashwright.environment.interpreter import Interpreter, inspect_interpreter
from crashwright.environment.package_modules import find_subject
from crashwright.environment.shadowing import shadowing_problem

VALUE = "def value(line):\n    return line.split('=')[1]\n"


@pytest.fixture(scope="module")
def interpreter() -> Interpreter:
    return inspect_interpreter(sys.executable)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What the interpreter is asked for; json and random are needed."""
    names: list[list[str]] = []

    def needed(asked: list[str], _interpreter: Interpreter) -> list[str]:
        names.append(asked)
        return [name for name in asked if name in ("json", "random")]

    monkeypatch.setattr(shadowing, "_needed", needed)
    return names


def test_the_interpreter_says_what_it_needs(tmp_path: Path, interpreter: Interpreter) -> None:
    (tmp_path / "json.py").write_text(VALUE)
    (tmp_path / "this.py").write_text(VALUE)
    problem = shadowing_problem([str(tmp_path)], interpreter)
    assert problem is not None
    assert f"{tmp_path / 'json.py'} has the name of the standard library's json" in problem.message
    assert problem.advice == "Rename it, or move it into a package and import it as PACKAGE.json."


def test_what_nothing_needs_is_nobodys_problem(tmp_path: Path, interpreter: Interpreter, asked: list[list[str]]) -> None:
    for name in ("this.py", "shop.py", "random.txt"):
        (tmp_path / name).write_text(VALUE)
    (tmp_path / "json").mkdir()  # data, no package
    assert shadowing_problem([str(tmp_path)], interpreter) is None
    assert asked == [["this"]]
    (tmp_path / "json" / "__init__.py").touch()
    assert shadowing_problem([str(tmp_path)], interpreter) is not None
    assert shadowing_problem([], interpreter) is None
    assert shadowing_problem([], replace(interpreter, sys_path=(str(tmp_path), *interpreter.sys_path))) is not None


def test_a_report_of_a_module_beside_it_is_not_searched(tmp_path: Path, interpreter: Interpreter, asked: list[list[str]]) -> None:
    (tmp_path / "app.py").write_text(VALUE)
    text = (
        f"Traceback (most recent call last):\n  File \"{tmp_path}/app.py\", line 2, in value\n    return line.split('=')[1]\n"
        "IndexError: list index out of range\n"
    )
    assert examine(read_reports(text)[-1], interpreter).problem is None
    (tmp_path / "random.py").write_text(VALUE)
    found = examine(read_reports(text)[-1], interpreter)
    assert isinstance(found.problem, EnvironmentProblem)
    assert "random.py has the name of the standard library's random" in found.problem.message


def test_a_module_of_ones_own_is_found_before_that_of_the_standard_library(tmp_path: Path, interpreter: Interpreter) -> None:
    (tmp_path / "json.py").write_text(VALUE)
    subject = find_subject("json", interpreter, tmp_path)
    assert [one.file for one in subject.modules] == [str(tmp_path / "json.py")]
    assert subject.extra_path == (str(tmp_path),)
    (tmp_path / "json.py").unlink()
    assert find_subject("json", interpreter, tmp_path).is_package
