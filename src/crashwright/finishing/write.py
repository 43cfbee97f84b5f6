"""Writes the printed file: whole or not at all, and never over a file of somebody else."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from crashwright.core.errors import EnvironmentProblem

_OURS = "crashwright reproduce"


def check_writable(path: Path, option: str = "--output") -> None:
    """Fail before the search rather than after it; ``option`` names the file. Raises EnvironmentProblem."""
    folder = path.parent
    if path.is_dir():
        raise EnvironmentProblem(f"{path} is a folder.", f"Name a file with {option}.")
    if not folder.is_dir():
        raise EnvironmentProblem(f"There is no folder {folder}.", f"Make it, or name another file with {option}.")
    try:
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=".crashwright-")
    except OSError as error:
        raise EnvironmentProblem(
            f"{folder} cannot be written to: {error.strerror}.", f"Name a file elsewhere with {option}."
        ) from None
    os.close(descriptor)
    os.unlink(name)


def free_name(path: Path) -> Path:
    """``path``, or the next number of it where a file that is not ours has that name."""
    candidate, number = path, 2
    while candidate.exists() and not _is_ours(candidate):
        candidate = path.with_stem(f"{path.stem}_{number}")
        number += 1
    return candidate


def write(text: str, path: Path, option: str = "--output") -> None:
    """Write ``text`` to ``path``, which ``option`` names, in one step. Raises EnvironmentProblem."""
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".crashwright-", text=True)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise EnvironmentProblem(
            f"{path} could not be written: {error.strerror}.", f"Name a file elsewhere with {option}."
        ) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _is_ours(path: Path) -> bool:
    try:
        return _OURS in path.read_text(encoding="utf-8", errors="replace")[:2000]
    except OSError:
        return False
