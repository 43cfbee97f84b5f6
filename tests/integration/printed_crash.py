"""A small program that crashes: it is run, and what Python printed is the report from which its crash is reproduced."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

from command import Done, Place

PYTEST_TIMEOUT = 60


class PrintedCrash:
    """A project of modules and a script beside them, whose traceback is the report."""

    def __init__(self, root: Path) -> None:
        self.place = Place(root)

    def module(self, name: str, source: str) -> None:
        (self.place.code / f"{name}.py").write_text(textwrap.dedent(source).lstrip())

    def crash(self, script: str) -> str:
        """Run ``script``, which does not belong to the project, and keep what it prints as the report."""
        program = self.place.root / "program.py"
        program.write_text(textwrap.dedent(script).lstrip())
        run = subprocess.run(
            [sys.executable, str(program)],
            cwd=self.place.root,
            env={"PYTHONPATH": str(self.place.code)},
            capture_output=True,
            text=True,
            timeout=PYTEST_TIMEOUT,
            check=False,
        )
        assert "Traceback (most recent call last):" in run.stderr, run.stderr
        program.unlink()
        self.place.report.write_text(run.stderr)
        return run.stderr

    def reproduce(self, evaluations: int, *arguments: str) -> Done:
        return self.place.reproduce("--evaluations", str(evaluations), "--no-cache", *arguments)

    @property
    def test(self) -> str:
        """The text of the test that was written."""
        (file,) = [path for path in self.place.work.iterdir() if path.name.startswith("test_")]
        return file.read_text()

    def run_test(self) -> str:
        """What pytest says of it, without anything of ours."""
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=native", str(self.place.work)],
            cwd=self.place.work,
            env={"PYTHONPATH": str(self.place.code)},
            capture_output=True,
            text=True,
            timeout=PYTEST_TIMEOUT,
            check=False,
        )
        return run.stdout
