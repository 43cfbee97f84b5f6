"""A virtual environment for each package: the package as PyPI has it, pytest (once, shared), and nothing of ours."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 240.0
SHARED = "shared-pytest"
INSTALLED = "installed\n"


@dataclass(frozen=True, slots=True)
class Home:
    """``folder`` is that of a package: ``venv``, and what was prepared."""

    package: str
    folder: Path

    @property
    def python(self) -> Path:
        """The interpreter that can import the package."""
        return self.folder / "venv" / "bin" / "python"

    @property
    def packages(self) -> Path:
        """Its site-packages."""
        return next((self.folder / "venv" / "lib").glob("python*/site-packages"))

    @property
    def marker(self) -> Path:
        """Says that the environment is whole, or why there is none."""
        return self.folder / "installed.txt"


def settle(package: str, work: Path) -> tuple[Home, str]:
    """The home of ``package``, and what is wrong with it ("" where it can be lived in). Made once."""
    shared, problem = _settled(Home("pytest", work / SHARED))
    if problem:
        raise OSError(f"pytest {problem}: is there a network?")
    home, problem = _settled(Home(package, work / package))
    if not problem:
        (home.packages / "shared.pth").write_text(f"{shared.packages}\n")
    return home, problem


def failed(package: str, work: Path) -> bool:
    """It was tried, and does not install."""
    marker = Home(package, work / package).marker
    return marker.exists() and marker.read_text() != INSTALLED


def _settled(home: Home) -> tuple[Home, str]:
    if not home.marker.exists():
        home.folder.mkdir(parents=True, exist_ok=True)
        home.marker.write_text(_install(home))
    text = home.marker.read_text()
    return home, "" if text == INSTALLED else text.strip()


def _install(home: Home) -> str:
    venv.create(home.folder / "venv", with_pip=False, symlinks=True, clear=True)
    command = [sys.executable, "-m", "pip", "--python", str(home.python), "install", "-q", "--disable-pip-version-check"]
    for wheels in (["--only-binary", ":all:"], []):
        try:
            done = subprocess.run([*command, *wheels, home.package], capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            break
        if done.returncode == 0:
            return INSTALLED
    shutil.rmtree(home.folder / "venv", ignore_errors=True)
    return "does not install\n"
