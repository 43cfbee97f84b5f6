"""The story of ``crashwright doctor``: what this machine and interpreter can do, asked of themselves."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.metadata import version

from crashwright.core.errors import EnvironmentProblem, ExitCode
from crashwright.crash.interpreter import Interpreter, inspect_interpreter

_SECONDS = 20.0
# Runs in the interpreter that is asked about; each answer is true or false.
_PROBE = """
import json, os, sys
answers = {"fork": hasattr(os, "fork"), "audit": hasattr(sys, "addaudithook")}
try:
    import resource
    answers["limits"] = all(hasattr(resource, name) for name in ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE"))
except ImportError:
    answers["limits"] = False
print(json.dumps(answers))
"""


@dataclass(frozen=True, slots=True)
class Check:
    """One question. ``verdict`` is ok, limited or failed: a failed one stops every search."""

    name: str
    verdict: str
    text: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All questions, in order."""

    checks: tuple[Check, ...]

    @property
    def exit_code(self) -> ExitCode:
        """``ENVIRONMENT`` where a search cannot run."""
        return ExitCode.ENVIRONMENT if any(check.verdict == "failed" for check in self.checks) else ExitCode.REPRODUCED


def doctor(python: str) -> Diagnosis:
    """Ask ``python`` and the machine."""
    ours = Check("crashwright", "ok", version("crashwright"))
    try:
        interpreter = inspect_interpreter(python)
        answers = _probe(interpreter)
    except EnvironmentProblem as problem:
        return Diagnosis((ours, Check("interpreter", "failed", f"{problem.message} {problem.advice}".strip())))
    return Diagnosis((ours, *_interpreter_checks(interpreter), *_confinement_checks(answers), _scratch_check()))


def _interpreter_checks(interpreter: Interpreter) -> list[Check]:
    pytest = (
        Check("pytest", "ok", "installed there; tests are verified under it")
        if interpreter.has_pytest
        else Check("pytest", "limited", "not installed there; tests are verified with a stand-in that calls the test function")
    )
    return [Check("interpreter", "ok", f"Python {interpreter.version_text} at {interpreter.executable}"), pytest]


def _confinement_checks(answers: dict[str, bool]) -> list[Check]:
    def check(key: str, name: str, there: str, missing: str, verdict: str = "limited") -> Check:
        return Check(name, "ok", there) if answers.get(key) else Check(name, verdict, missing)

    return [
        check(
            "fork", "fork", "the subject is imported once and forked", "not available: engines cannot be isolated here", "failed"
        ),
        check("audit", "audit hook", "names and refuses writes outside scratch, network and processes", "not available"),
        check("limits", "limits", "memory, CPU time, file size and open files are bounded", "not available: only time is bounded"),
        Check("Landlock", "limited", "not used yet"),
        Check("seccomp", "limited", "not used yet"),
    ]


def _scratch_check() -> Check:
    try:
        with tempfile.TemporaryDirectory(prefix="crashwright-") as folder, open(os.path.join(folder, "probe"), "w") as file:
            file.write("probe")
    except OSError as error:
        return Check("scratch", "failed", f"{tempfile.gettempdir()} cannot be written to: {error.strerror}; set TMPDIR")
    return Check("scratch", "ok", f"{tempfile.gettempdir()} is writable")


def _probe(interpreter: Interpreter) -> dict[str, bool]:
    done = subprocess.run(
        [interpreter.executable, "-I", "-c", _PROBE],
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    try:
        answers = json.loads(done.stdout.strip().splitlines()[-1])
    except (ValueError, IndexError):
        raise EnvironmentProblem(f"{interpreter.executable} does not answer: {done.stderr.strip()[-200:]}") from None
    return {str(key): bool(value) for key, value in answers.items()}
