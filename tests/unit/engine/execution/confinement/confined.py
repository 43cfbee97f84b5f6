"""Code run in a process that confines itself first, and what it printed."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

from patience import HANG

PREPARE = """
import os, sys, shutil, json
from crashwright.engine.execution.confinement import Confinement
def attempt(function, *arguments, **options):
    try:
        function(*arguments, **options)
    except OSError as error:
        return type(error).__name__ + " " + str(error.errno)
    return "done"
def write(path, text="x"):
    with open(path, "w") as file:
        file.write(text)
here, there = sys.argv[1:]
"""


class Run:
    """Folders ``here`` (scratch) and ``there``, each with a ``file`` of mode 640."""

    def __init__(self, root: Path) -> None:
        self.here, self.there = root / "here", root / "there"
        for folder in (self.here, self.there):
            (folder / "folder").mkdir(parents=True)
            (folder / "file").write_text("precious")
            os.chmod(folder / "file", 0o640)
            os.utime(folder / "file", (1, 1))

    def __call__(self, code: str, options: str = "") -> list[str]:
        """The lines that ``code`` prints, confined with ``Confinement((here,), OPTIONS)``; ``kernel`` is at hand."""
        confine = f"kernel = Confinement((here,), {options})\nkernel.begin()\nkernel.tighten()\nos.chdir(here)\n"
        program = PREPARE + confine + textwrap.dedent(code)
        done = subprocess.run(
            [sys.executable, "-B", "-c", program, str(self.here), str(self.there)], capture_output=True, text=True, timeout=HANG
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    @property
    def untouched(self) -> bool:
        """Nothing changed ``there``."""
        status = (self.there / "file").stat()
        names = sorted(str(path.relative_to(self.there)) for path in self.there.rglob("*"))
        return (names, (self.there / "file").read_text(), status.st_mode & 0o777, status.st_mtime, status.st_nlink) == (
            ["file", "folder"],
            "precious",
            0o640,
            1.0,
            1,
        )
