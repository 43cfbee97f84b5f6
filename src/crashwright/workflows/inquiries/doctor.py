"""The story of ``crashwright doctor``: what this machine and interpreter can do, asked of themselves."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from crashwright.core.errors import EnvironmentProblem, ExitCode
from crashwright.engine.execution import confinement
from crashwright.environment.interpreter import Interpreter, inspect_interpreter
from crashwright.supervision.bootstrap import source_folder
from crashwright.supervision.user_cache import MOST_BYTES, problem_of, size_of, user_cache

_SECONDS = 20.0
_KEEPS = {
    "Landlock": "writing and removing files outside of the scratch folder",
    "seccomp": "programs, connections, signals to others, changes of mode and times",
}
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
# Runs there too, confined as an engine is. Arguments: the folder of the confinement package, a scratch folder, another folder. It
# tries what is to be refused, and names what was not.
_ATTEMPT = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
import socket, confinement
kernel = confinement.Confinement((sys.argv[2],))
kernel.begin()
kernel.tighten()
other = sys.argv[3]
def refused(attempt):
    try:
        attempt()
    except PermissionError:
        return True
    except OSError:
        pass
    return False
def write(folder):
    with open(os.path.join(folder, "new"), "w") as file:
        file.write("x")
def connect():
    with socket.socket() as one:
        one.settimeout(1)
        one.connect(("127.0.0.1", 9))
attempts = {
    "Landlock": {
        "writing elsewhere": lambda: write(other),
        "removing elsewhere": lambda: os.rmdir(os.path.join(other, "folder")),
    },
    "seccomp": {
        "connecting": connect,
        "changing a mode elsewhere": lambda: os.chmod(other, 0o700),
        "signalling another process": lambda: os.kill(os.getppid(), 0),
        "starting a program": lambda: os.posix_spawn(sys.executable, [sys.executable, "-c", ""], {}),
    },
}
open_ = {layer: [what for what, attempt in some.items() if not refused(attempt)] for layer, some in attempts.items()}
try:
    write(sys.argv[2])
    works = True
except OSError:
    works = False
print(json.dumps({"held": kernel.held, "missing": kernel.missing, "open": open_, "works": works}))
"""
# Likewise: which probes an engine records with there. Argument: the folder that holds our package.
_RECORDS_WITH = """
import json, sys
sys.path.insert(0, sys.argv[1])
from crashwright.engine.instrument.compiled import choice
made = choice()
print(json.dumps({"compiled": made.module is not None, "text": made.text}))
"""


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """One question. ``verdict`` is ok, limited or failed: a failed one stops every search."""

    name: str
    verdict: str
    text: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All questions, in order."""

    checks: tuple[DoctorCheck, ...]

    @property
    def exit_code(self) -> ExitCode:
        """``ENVIRONMENT`` where a search cannot run."""
        return ExitCode.ENVIRONMENT if any(check.verdict == "failed" for check in self.checks) else ExitCode.SUCCESS


def doctor(python: str) -> Diagnosis:
    """Ask ``python`` and the machine."""
    ours = DoctorCheck("crashwright", "ok", version("crashwright"))
    try:
        interpreter = inspect_interpreter(python)
        answers = _probe(interpreter)
        kernel = _kernel_checks(interpreter)
        probes = _probes_check(interpreter)
    except EnvironmentProblem as problem:
        return Diagnosis((ours, DoctorCheck("interpreter", "failed", f"{problem.message} {problem.advice}".strip())))
    machine = (*_confinement_checks(answers), *kernel, _scratch_check(), _cache_check(user_cache()))
    return Diagnosis((ours, *_interpreter_checks(interpreter), *machine, probes))


def _interpreter_checks(interpreter: Interpreter) -> list[DoctorCheck]:
    pytest = (
        DoctorCheck("pytest", "ok", "installed; tests are verified with it")
        if interpreter.has_pytest
        else DoctorCheck("pytest", "limited", "not installed; crashwright runs the tests with its own small runner")
    )
    return [DoctorCheck("interpreter", "ok", f"Python {interpreter.version_text} at {interpreter.executable}"), pytest]


def _confinement_checks(answers: dict[str, bool]) -> list[DoctorCheck]:
    def check(key: str, name: str, there: str, missing: str, verdict: str = "limited") -> DoctorCheck:
        return DoctorCheck(name, "ok", there) if answers.get(key) else DoctorCheck(name, verdict, missing)

    return [
        check(
            "fork", "fork", "the subject is imported once and forked", "not available: engines cannot be isolated here", "failed"
        ),
        check("audit", "audit hook", "reports and blocks writing elsewhere, network and processes", "not available"),
        check("limits", "limits", "memory, CPU time, file size and open files are limited", "not available: only time is limited"),
    ]


def _kernel_checks(interpreter: Interpreter) -> list[DoctorCheck]:
    """What the kernel confines there, found by trying."""
    with tempfile.TemporaryDirectory(prefix="crashwright-") as folder:
        scratch, other = os.path.join(folder, "scratch"), os.path.join(folder, "other")
        os.makedirs(scratch)
        os.makedirs(os.path.join(other, "folder"))
        package = os.path.dirname(confinement.__file__)
        found = _ask(interpreter, _ATTEMPT, os.path.dirname(package), scratch, other)
    held, missing, open_ = found.get("held", []), found.get("missing", []), found.get("open", {})
    checks = []
    for layer, keeps in _KEEPS.items():
        name = next((name for name in held if name.startswith(layer)), None)
        if name is None:
            reason = next((why.partition(": ")[2] for why in missing if why.startswith(f"no {layer}")), "no answer")
            checks.append(
                DoctorCheck(layer, "limited", f"not available here ({reason}): only the audit hook and the limits protect you")
            )
        elif open_.get(layer) or not found.get("works"):
            wrong = ", ".join(open_.get(layer) or ["writing in the scratch folder is refused"])
            checks.append(DoctorCheck(layer, "limited", f"available ({name}), but did not block: {wrong}"))
        else:
            version_ = name.removeprefix(layer).strip()
            checks.append(DoctorCheck(layer, "ok", f"{f'version {version_}; ' if version_ else ''}tested: blocks {keeps}"))
    return checks


def _probes_check(interpreter: Interpreter) -> DoctorCheck:
    found = _ask(interpreter, _RECORDS_WITH, str(Path(source_folder()).parent))
    if found["compiled"]:
        return DoctorCheck("probes", "ok", found["text"])
    return DoctorCheck("probes", "limited", f"{found['text']}: the same tests, but slower")


def _scratch_check() -> DoctorCheck:
    try:
        with tempfile.TemporaryDirectory(prefix="crashwright-") as folder, open(os.path.join(folder, "probe"), "w") as file:
            file.write("probe")
    except OSError as error:
        return DoctorCheck("scratch", "failed", f"{tempfile.gettempdir()} cannot be written to: {error.strerror}; set TMPDIR")
    return DoctorCheck("scratch", "ok", f"{tempfile.gettempdir()} is writable")


def _cache_check(folder: str) -> DoctorCheck:
    """Without it searches begin later, and nothing else changes."""
    problem = problem_of(folder)
    if problem:
        return DoctorCheck("cache", "limited", f"{problem}: searches begin later")
    files, size = size_of(folder)
    number = f"{files} file{'s' * (files != 1)}"
    return DoctorCheck("cache", "ok", f"{folder}: {number}, {size / 2**20:.1f} MB of at most {MOST_BYTES >> 20} MB")


def _probe(interpreter: Interpreter) -> dict[str, bool]:
    return {str(key): bool(value) for key, value in _ask(interpreter, _PROBE).items()}


def _ask(interpreter: Interpreter, program: str, *arguments: str) -> dict[str, Any]:
    """What a program that prints one JSON object says in ``interpreter``."""
    done = subprocess.run(
        [interpreter.executable, "-I", "-B", "-c", program, *arguments],
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    try:
        answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    except (ValueError, IndexError):
        raise EnvironmentProblem(f"{interpreter.executable} does not answer: {done.stderr.strip()[-200:]}") from None
    return answer
