"""Environments: one for each list of pins, made once, with pytest from a base environment beside it."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path


class Homes:
    """Virtual environments below a folder. ``base`` is the Python of an environment that has pytest and nothing else."""

    def __init__(self, folder: Path, python: str, base: str) -> None:
        self._folder = folder.resolve()
        self._python = python
        self._base = base

    def python(self, pins: tuple[str, ...]) -> str:
        """The interpreter of the environment with these pins; it is installed when it is first asked for."""
        home = self._folder / hashlib.sha256("\n".join((self._python, self._base, *pins)).encode()).hexdigest()[:16]
        exe = home / "bin" / "python"
        if not (home / "complete").exists():
            _run([self._python, "-m", "venv", "--clear", "--without-pip", str(home)])
            pip = [sys.executable, "-m", "pip", "--python", str(exe), "install", "-q", "--no-deps", "--no-warn-script-location"]
            _run([*pip, *pins])
            site = _site(str(exe))
            (Path(site) / "zz_base.pth").write_text(_site(self._base) + "\n")
            (home / "complete").touch()
        return str(exe)


def _site(python: str) -> str:
    return _run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()


def _run(words: list[str]) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words[:6])} ...: {done.stderr[-400:]}")
    return done.stdout
